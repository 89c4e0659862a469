package driver

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// A Stream is a reset and then the same step many times, so that its samples are a tile's outputs at each clock.
type Stream struct {
	Reset transport.Step
	Held  transport.Step // has one clock, and the inputs of Reset
	Skip  int            // clocks after the reset that are not sampled
	Steps int            // number of Held after these

	// Free, if not nil, runs clk for a number of clocks without samples. Each batch is then a window of at most Window
	// steps: before it the chip is reset again, and clk runs to it.
	Free   func(ctx context.Context, held transport.Step, clocks int) error
	Window int
}

// following is the state of a stream's run between batches.
type following struct {
	*Stream
	reference tile.Reference
	at        int               // clocks of the reference since the reset
	chip      int               // of the chip since its latest reset
	shown     transport.Outputs // see Trace.shown
}

// RunStream runs a stream in batches of limited size, so that its memory does not depend on the stream's length.
// Report receives each batch as the Result of a vector. Its Line is the number of its first step's clock, from 1; the
// reset has 0. The reference continues from batch to batch, and no levels are deduced, since that takes all earlier
// steps. The error is the transport's, the reference's, ctx's, or an *tile.Illegal.
func (r *Runner) RunStream(ctx context.Context, s Stream) (*Tally, error) {
	if lines := s.Held.Drive & r.Tile.Drives(s.Held); lines != 0 {
		return nil, &tile.Illegal{Step: 1, Why: fmt.Sprintf("bench and chip may both drive %s",
			transport.Outputs(lines)<<8)}
	}
	if err := r.Tile.Lint([]transport.Step{s.Reset, s.Held, s.Held}); err != nil {
		return nil, err
	}
	r.following = &following{Stream: &s, reference: r.Tile.New()}
	defer func() {
		tile.Done(r.following.reference)
		r.following = nil
	}()
	return r.RunIterations(ctx, s.batches())
}

// batches yields the batches.
func (s *Stream) batches() iter.Seq2[int, Job] {
	most := BatchSteps
	if s.Free != nil {
		most = cmp.Or(s.Window, BatchSteps)
	}
	held := slices.Repeat([]transport.Step{s.Held}, min(s.Steps, most))
	first := []transport.Step{s.Reset}
	if s.Free == nil && s.Skip == 0 {
		first = append(first, held[:min(s.Steps, most-1)]...)
	}
	return func(yield func(int, Job) bool) {
		if !yield(1, Job{Vector: batchOf(0, first)}) {
			return
		}
		for done := len(first) - 1; done < s.Steps; done += most {
			if !yield(1, Job{Vector: batchOf(s.Skip+done+1, held[:min(most, s.Steps-done)])}) {
				return
			}
		}
	}
}

// batchOf returns the vector of a batch.
func batchOf(at int, steps []transport.Step) *golden.Vector {
	v := &golden.Vector{Name: fmt.Sprintf("stream/%d-%d", at, at+len(steps)-1), Line: at}
	v.Steps = steps
	return v
}

// respond fills want with the reference's samples of a batch from a clock.
func (f *following) respond(clock int, steps []transport.Step, want []transport.Sample) error {
	for part := range f.skip(clock-1-f.at, len(want)) {
		if err := f.reference.Run(part, want); err != nil {
			return err
		}
	}
	f.at = clock + len(steps) - 1
	return f.reference.Run(steps, want)
}

// lead brings the chip to the clock before a batch.
func (f *following) lead(ctx context.Context, chip transport.Transport, clock, steps int) error {
	before, was := clock-1, f.chip
	f.chip = before + steps
	if f.Free != nil && before > 0 {
		if was > 0 {
			var sample [1]transport.Sample
			if _, err := transport.Apply(ctx, chip, []transport.Step{f.Reset}, sample[:]); err != nil {
				return err
			}
		}
		return f.Free(ctx, f.Held, before)
	}
	for part := range f.skip(before-was, BatchSteps) {
		if _, err := transport.Apply(ctx, chip, part, make([]transport.Sample, len(part))); err != nil {
			return err
		}
	}
	return nil
}

// skip yields parts of at most this many steps that take some clocks in all.
func (f *following) skip(clocks, most int) iter.Seq[[]transport.Step] {
	const many = math.MaxUint8
	return func(yield func([]transport.Step) bool) {
		var steps []transport.Step
		for clocks > 0 {
			s := f.Held
			s.Clocks = uint8(min(clocks, many))
			clocks -= int(s.Clocks)
			if steps = append(steps, s); clocks == 0 || len(steps) == most {
				if !yield(steps) {
					return
				}
				steps = steps[:0]
			}
		}
	}
}
