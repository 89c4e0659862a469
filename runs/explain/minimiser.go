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

// A minimiser finds a shortest sequence of steps that still shows a failure, on the device itself. Fill in the exported
// fields and call runWithin.
//
// A device fails a sequence if, after a reset, one of its steps differs from the model. A candidate is a sequence to
// try. It starts with its own reset, so that earlier steps have no effect, and passes the driver's lint, so that bench
// and chip never both drive the bus. A sequence is minimal if the device no longer fails after any one of its steps is
// removed or simplified.
//
// Steps after the first divergence are removed at once. Doubling then finds a short failing suffix, and delta
// debugging removes parts of it, from halves to single steps (Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", IEEE TSE 28, 2002). Finally each step is simplified: fewer clocks, idle levels, data 00.
// A batch carries many candidates, since a round trip costs as much as dozens of steps.
type minimiser struct {
	Transport transport.Transport
	Tile      tile.Tile
	Progress  func(steps, applied int) // called after each improvement; may be nil

	best    []transport.Step
	applied int
	tries   int // of a candidate, before it counts as passing
	needed  int // failures among the tries
	steps   []transport.Step
	got     []transport.Sample
	// samples of a good chip for a candidate
	expected []transport.Sample
}

// A MinimisedSequence is the remaining sequence of a minimisation.
type MinimisedSequence struct {
	Steps        []transport.Step  // after a reset; the last one diverges
	Got          *transport.Sample // the device's sample at the last step; nil if no repetition differed there
	Want         transport.Sample  // a good chip's, also by the levels deduced from earlier samples; see tile.Deducer
	Rate         driver.Rate       // failures among repetitions; Steps counts repetitions
	AppliedSteps int               // steps applied during the search
	Minimal      bool              // the search completed
}

// On an intermittent device a candidate is kept if it fails at least a quarter as often as the original sequence did.
// It is tried until six failures, or until six would have occurred with 95 % probability at that rate. A candidate at
// a twentieth of the original rate is kept by mistake in 0.4 % of the cases. On any other device it has to fail each of
// several times, since a line may be noisy besides.
const (
	probing = 20                // the device is intermittent if not all of these repetitions fail
	again   = 5                 // repetitions of a candidate that fails, on a device that is not
	mostTry = 4000              // repetitions of a sequence to estimate its failure rate
	enough  = 6                 // failures that accept a candidate
	expect  = 10.51             // mean number of failures for which six or more occur with 95 % probability (Poisson)
	share   = 0.25              // of the original rate
	batch   = driver.BatchSteps // steps in a batch
)

// errPasses means that the device does not fail the sequence.
var errPasses = errors.New("the device does not fail these steps")

// errIntermittent means that the remaining sequence did not differ again when it was repeated.
var errIntermittent = errors.New("it fails by chance")

// run minimises steps. If ctx is done or the transport fails, it returns the shortest sequence so far with the error,
// or nil if that sequence has not failed, or not again.
func (s *minimiser) run(ctx context.Context, steps []transport.Step) (*MinimisedSequence, error) {
	s.best, s.applied, s.tries, s.needed = slices.Clone(steps), 0, 1, 1
	if err := s.estimate(ctx); err != nil {
		return nil, err
	}
	err := s.shrink(ctx)
	r := &MinimisedSequence{Steps: s.best, Want: want(s.Tile, s.best), Minimal: err == nil}
	if err == nil || ctx.Err() != nil { // a failed transport could not repeat the result either
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

// shrink repeats the reductions until none helps.
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

// estimate determines whether the device always fails the steps, and otherwise how often to try a candidate.
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

// confirm repeats the remaining sequence to measure its failure rate.
func (s *minimiser) confirm(ctx context.Context, r *MinimisedSequence) error {
	for r.Rate.Steps < probing || s.needed > 1 && r.Rate.Wrong < probing/2 && r.Rate.Steps < mostTry {
		first, err := s.runOnce(ctx, s.best)
		if err != nil {
			return err
		}
		r.Rate.Steps++
		if first >= 0 {
			r.Rate.Wrong++
		}
		if first == len(s.best)-1 { // an intermittent device may differ at an earlier step
			got := s.got[1+first]
			r.Got, r.Want = &got, s.expected[1+first]
		}
	}
	return nil
}

// want returns the model's sample at the last step, or an unknown one if the reference fails.
func want(t tile.Tile, steps []transport.Step) transport.Sample {
	steps = append([]transport.Step{tile.ResetStep(t)}, steps...)
	all := make([]transport.Sample, len(steps))
	if tile.Expect(t, steps, all) != nil {
		return transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}
	return all[len(all)-1]
}
