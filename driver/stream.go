package driver

import (
	"context"
	"fmt"
	"slices"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// A Stream is a reset and then the same step many times, so that its samples are a tile's outputs at each clock.
type Stream struct {
	Reset transport.Step
	Held  transport.Step // has one clock, and the inputs of Reset
	Steps int            // number of Held
}

// following is the state of a stream's run between batches.
type following struct {
	reference tile.Reference
	shown     transport.Outputs // see Trace.shown
}

// RunStream runs a stream in batches of BatchSteps, so that its memory does not depend on the stream's length. Report
// receives each batch as the Result of a vector, and its Line is the number in the stream of its first step, counted
// from the reset, which is 0. The reference continues from batch to batch, and no levels are deduced, since that takes
// all earlier steps. The error is the transport's, the reference's, ctx's, or an *tile.Illegal.
func (r *Runner) RunStream(ctx context.Context, s Stream) (*Tally, error) {
	if lines := s.Held.Drive & r.Tile.Drives(s.Held); lines != 0 {
		return nil, &tile.Illegal{Step: 1, Why: fmt.Sprintf("bench and chip may both drive %s",
			transport.Outputs(lines)<<8)}
	}
	held := slices.Repeat([]transport.Step{s.Held}, min(s.Steps, BatchSteps))
	first := append([]transport.Step{s.Reset}, held[:min(s.Steps, BatchSteps-1)]...)
	if err := r.Tile.Lint(first); err != nil {
		return nil, err
	}
	r.following = &following{reference: r.Tile.New()}
	defer func() {
		tile.Done(r.following.reference)
		r.following = nil
	}()
	return r.RunIterations(ctx, func(yield func(int, Job) bool) {
		for at, steps := 0, first; len(steps) > 0 && yield(1, Job{Vector: batchOf(at, steps)}); {
			at += len(steps)
			steps = held[:min(BatchSteps, s.Steps+1-at)]
		}
	})
}

// batchOf returns the vector of a batch.
func batchOf(at int, steps []transport.Step) *golden.Vector {
	v := &golden.Vector{Name: fmt.Sprintf("stream/%d-%d", at, at+len(steps)-1), Line: at}
	v.Steps = steps
	return v
}
