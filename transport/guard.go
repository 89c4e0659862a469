package transport

import (
	"context"
	"fmt"
)

// A Guard marks steps of a batch that may run only if all samples before them are correct: the direction of a bus
// depends on the chip's state, which is unknown after a wrong sample.
type Guard struct {
	Want    []Sample // expected samples, one per step
	Indices []int    // indices of the guarded steps, increasing; the first is above 0
}

// ApplyGuarded applies the parts between guards separately, and stops before the first guarded step that follows a
// sample different from Want. It then returns the number of steps applied and no error.
func ApplyGuarded(ctx context.Context, tr Transport, steps []Step, samples []Sample, g Guard) (good int, err error) {
	if err := g.Check(steps); err != nil {
		return 0, err
	}
	for _, to := range g.Indices {
		n, err := Apply(ctx, tr, steps[good:to], samples[good:to])
		if err != nil || Differ(samples[good:to], g.Want[good:to]) != 0 {
			return good + n, err
		}
		good = to
	}
	n, err := Apply(ctx, tr, steps[good:], samples[good:])
	return good + n, err
}

// Check validates a guard for the given steps. ApplyGuarded calls it first.
func (g *Guard) Check(steps []Step) error {
	last := 0
	for _, i := range g.Indices {
		if i <= last || i >= len(steps) {
			return fmt.Errorf("a guard before step %d of %d, after one before step %d", i, len(steps), last)
		}
		last = i
	}
	if len(g.Want) < len(steps) {
		return fmt.Errorf("a guard has %d samples for %d steps", len(g.Want), len(steps))
	}
	return nil
}
