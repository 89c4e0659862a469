// Package minimise finds a shortest sequence of steps that still shows a failure, on the device itself.
//
// # Words
//
//   - A device fails a sequence if, after a reset, one of its steps differs from the model.
//   - A candidate is a sequence that is tried. It starts with a reset of its own, so that what ran before does not
//     count, and passes the driver's lint, so that bench and chip never both drive the bus.
//   - A sequence is minimal if the device no longer fails when any one of its steps is removed or made simpler.
//
// # The walk
//
// What comes after the first divergence is removed at once; then the shortest end that still fails is looked for, by
// doubling; then delta debugging leaves out parts, by halving (Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", IEEE TSE 28, 2002); then each step is made simpler: fewer clocks, idle levels, data 00.
//
// Candidates go to the device many in a batch, since a round trip costs as much as dozens of steps.
package minimise

import (
	"context"
	"errors"
	"math"
	"slices"

	"utfbench/cause/flaky"
	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A Search minimises on one device. Fill in the fields and call Run.
type Search struct {
	Transport transport.Transport
	Tile      tile.Tile
	Progress  func(steps, applied int) // called if there is something shorter; may be nil

	best    []transport.Step
	applied int
	tries   int // of a candidate, until it is said not to fail
	needed  int // failures among them
	steps   []transport.Step
	got     []transport.Sample
	// a good chip's samples for a candidate
	expected []transport.Sample
}

// A Result is the remaining sequence.
type Result struct {
	Steps   []transport.Step // after a reset; the last one diverges
	Got     transport.Sample // what the device showed there
	Want    transport.Sample
	Rate    flaky.Rate // failures among repetitions of these steps, counted as Steps; Got is known when there was one
	Applied int        // steps that the device took for it
	Minimal bool       // the search was not interrupted
}

// A device that fails now and then is treated so: candidates that fail at least a quarter as often as the sequence did
// at first are kept: they are tried until six failures, or until six would have come with 95 % at that rate. One that
// fails at a twentieth of the sequence's rate is kept by mistake four times in a thousand.
const (
	probing = 20                // if not all of so many repetitions fail, the device is flaky
	mostTry = 4000              // repetitions of a sequence to find out how often it fails
	enough  = 6                 // failures of a candidate
	expect  = 10.51             // average number of failures at which six or more come with 95 % (Poisson)
	share   = 0.25              // of the rate at first
	batch   = driver.BatchSteps // steps at a time
)

// ErrPasses means that the device does not fail the sequence.
var ErrPasses = errors.New("the device does not fail these steps")

// Run minimises steps. If ctx is done or the transport fails, it gives the shortest so far with the error, or nil if no
// failure was seen yet.
func (s *Search) Run(ctx context.Context, steps []transport.Step) (*Result, error) {
	s.best, s.applied, s.tries, s.needed = slices.Clone(steps), 0, 1, 1
	if err := s.estimate(ctx); err != nil {
		return nil, err
	}
	err := s.shrink(ctx)
	r := &Result{Steps: s.best, Want: s.want(s.best), Minimal: err == nil}
	if err == nil || ctx.Err() != nil { // a transport that failed would not answer this either
		err = errors.Join(err, s.confirm(context.WithoutCancel(ctx), r))
	}
	r.Applied = s.applied
	return r, err
}

// shrink repeats until nothing helps.
func (s *Search) shrink(ctx context.Context) error {
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

// estimate finds out whether the device always fails the steps, and else how long a candidate has to be tried.
func (s *Search) estimate(ctx context.Context) error {
	var r flaky.Rate
	for r.Steps < probing || r.Wrong < probing/2 && r.Wrong != r.Steps && r.Steps < mostTry {
		first, err := s.runOnce(ctx, s.best)
		if err != nil {
			return err
		}
		if r.Steps++; first >= 0 {
			r.Wrong++
		}
	}
	switch {
	case r.Wrong == 0:
		return ErrPasses
	case r.Wrong < r.Steps:
		s.needed = enough
		s.tries = int(math.Ceil(expect / (share * r.Value())))
		return nil
	}
	first, err := s.runOnce(ctx, s.best)
	if err == nil && first >= 0 {
		s.best = s.best[:first+1]
	}
	return err
}

// confirm repeats the remaining sequence.
func (s *Search) confirm(ctx context.Context, r *Result) error {
	for r.Rate.Steps < probing || s.needed > 1 && r.Rate.Wrong < probing/2 && r.Rate.Steps < mostTry {
		first, err := s.runOnce(ctx, s.best)
		if err != nil {
			return err
		}
		r.Rate.Steps++
		if first >= 0 {
			r.Rate.Wrong++
			r.Got = s.got[1+first]
		}
	}
	return nil
}

// want returns the model's sample at the last step, unknown if the reference fails.
func (s *Search) want(steps []transport.Step) transport.Sample {
	steps = append([]transport.Step{tile.Reset(s.Tile)}, steps...)
	all := make([]transport.Sample, len(steps))
	if tile.Expect(s.Tile, steps, all) != nil {
		return transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}
	return all[len(all)-1]
}
