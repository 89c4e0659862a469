package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// A minimiser finds a short sequence of steps that still fails on the device itself. Fill in the exported fields and
// call runWithin.
//
// A device fails a sequence if, after a reset, one of its steps differs from the reference. A candidate is a sequence
// to try. It begins with its own reset, so that earlier steps have no effect, and passes the driver's lint, so that the
// bench and the chip never both drive the bus. A sequence is minimal if the device passes it after any one of its steps
// is removed or simplified.
//
// First, steps after the first divergence are removed. Then doubling finds a short failing suffix. Delta debugging
// removes parts of it, from halves down to single steps (Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", IEEE TSE 28, 2002). Finally each step is simplified: fewer clocks, idle levels, data 00. A
// batch holds many candidates, since a round trip takes as long as dozens of steps.
type minimiser struct {
	Transport transport.Transport
	Tile      tile.Tile
	Progress  func(steps, applied int) // called after each improvement; may be nil

	best    []transport.Step
	applied int
	tries   int // maximum tries of a candidate that passes
	needed  int // failures among the tries that accept a candidate
	steps   []transport.Step
	got     []transport.Sample
	// a good chip's samples for a candidate
	expected []transport.Sample
}

// A MinimisedSequence is the sequence that remains after a minimisation.
type MinimisedSequence struct {
	Steps        []transport.Step  // steps after a reset; the last one diverges
	Got          *transport.Sample // the device's sample at the last step; nil if no repetition differed there
	Want         transport.Sample  // a good chip's sample, or the levels deduced from earlier samples; see tile.Deducer
	Rate         driver.Rate       // how often the repetitions failed; Steps counts repetitions
	Lines        transport.Outputs // lines that differed first in a repetition
	AppliedSteps int               // number of steps that the search applied
	Minimal      bool              // the search was completed
}

// On an intermittent device a candidate is kept if it fails at least a quarter as often as the original sequence. It is
// tried until it has failed six times, or until it would have failed six times with 95 % probability at that rate. A
// candidate with a twentieth of the original failure rate is kept by mistake in 0.4 % of the cases. On any other device
// a candidate has to fail each of several times, since another line may be noisy.
const (
	probing = 20                // number of repetitions; unless all fail, the device is intermittent
	again   = 5                 // repetitions of a failing candidate, if the device is not intermittent
	mostTry = 4000              // maximum repetitions that measure the failure rate of a sequence
	enough  = 6                 // failures after which a candidate is accepted
	expect  = 10.51             // mean number of failures for which six or more occur with 95 % probability (Poisson)
	share   = 0.25              // of the original rate
	batch   = driver.BatchSteps // maximum steps in a batch
)

// errPasses means that the device does not fail the sequence.
var errPasses = errors.New("the device does not fail these steps")

// errIntermittent means that the remaining sequence passed whenever it was repeated.
var errIntermittent = errors.New("it fails by chance")

// run minimises steps. If ctx is done or the transport fails, it returns the error and the shortest sequence so far, or
// a nil sequence if that has not failed, or did not fail again.
func (s *minimiser) run(ctx context.Context, steps []transport.Step) (*MinimisedSequence, error) {
	s.best, s.tries, s.needed = slices.Clone(steps), 1, 1
	if err := s.estimate(ctx); err != nil {
		return nil, err
	}
	err := s.shrink(ctx)
	r := &MinimisedSequence{Steps: s.best, Want: want(s.Tile, s.best), Minimal: err == nil}
	if err == nil || ctx.Err() != nil { // after a transport error nothing can be repeated
		cerr := s.confirm(context.WithoutCancel(ctx), r)
		if cerr == nil && r.Rate.Wrong == 0 {
			return nil, cmp.Or(err, fmt.Errorf("cut to %s, did not differ in %d repetitions: %w",
				printable.Count(len(s.best), "step"), r.Rate.Steps, errIntermittent))
		}
		err = errors.Join(err, cerr)
	}
	r.AppliedSteps = s.applied
	return r, err
}

// shrink repeats all reductions until none shortens the sequence.
func (s *minimiser) shrink(ctx context.Context) error {
	if err := s.shortenEnd(ctx); err != nil {
		return err
	}
	for {
		before := slices.Clone(s.best)
		if err := s.leaveOut(ctx); err != nil {
			return err
		}
		if err := s.simplify(ctx); err != nil {
			return err
		}
		if slices.Equal(before, s.best) {
			return nil
		}
	}
}

// estimate measures whether the device always fails the steps, and if not, how often a candidate has to be tried.
func (s *minimiser) estimate(ctx context.Context) error {
	var r driver.Rate
	last := -1
	for r.Steps < probing || r.Wrong < probing/2 && r.Wrong != r.Steps && r.Steps < mostTry {
		first, err := s.runOnce(ctx, s.best)
		if err != nil {
			return err
		}
		if r.Steps++; first >= 0 {
			r.Wrong++
		}
		last = max(last, first)
	}
	switch {
	case r.Wrong == 0:
		return errPasses
	case r.Wrong < r.Steps:
		s.needed = enough
		s.tries = int(math.Ceil(expect / (share * r.Value())))
	default:
		s.best = s.best[:last+1]
	}
	return nil
}

// confirm repeats the remaining sequence, to measure its failure rate.
func (s *minimiser) confirm(ctx context.Context, r *MinimisedSequence) error {
	for r.Rate.Steps < probing || s.needed > 1 && r.Rate.Wrong < probing/2 && r.Rate.Steps < mostTry {
		first, err := s.runOnce(ctx, s.best)
		if err != nil {
			return err
		}
		r.Rate.Steps++
		if first >= 0 {
			r.Rate.Wrong++
			r.Lines |= s.got[1+first].Differ(s.expected[1+first])
		}
		if first == len(s.best)-1 { // an intermittent device may differ at an earlier step
			got := s.got[1+first]
			r.Got, r.Want = &got, s.expected[1+first]
		}
	}
	return nil
}

// want returns the reference's sample at the last step, with all levels unknown if the reference fails.
func want(t tile.Tile, steps []transport.Step) transport.Sample {
	steps = append([]transport.Step{tile.ResetStep(t)}, steps...)
	all := make([]transport.Sample, len(steps))
	if tile.Expect(t, steps, all) != nil {
		return transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}
	return all[len(all)-1]
}
