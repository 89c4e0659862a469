package transport

import (
	"context"
	"fmt"
)

// A Guard says where a batch may not go on unless the chip has shown what it should: who drives a bus depends on its
// state, and nobody knows the state of a chip that has differed.
type Guard struct {
	Want []Sample // what each step has to show
	At   []int    // indices of the steps that are guarded, rising; the first is above 0
}

// A Guarder is a transport whose far end compares by itself, so that a guard costs no way there and back.
type Guarder interface {
	// ApplyGuarded is Apply, which ends before the first guarded step with a sample before it that differs from Want.
	// Then too it says how many samples are good, and the error is nil. It may miss a difference with a chance of
	// 2^-24; whoever has to know compares the samples.
	ApplyGuarded(ctx context.Context, steps []Step, samples []Sample, g Guard) (int, error)
}

// ApplyGuarded is that of a Guarder, by parts where tr is none.
func ApplyGuarded(ctx context.Context, tr Transport, steps []Step, samples []Sample, g Guard) (good int, err error) {
	if err := g.Check(steps); err != nil {
		return 0, err
	}
	own, guards := tr.(Guarder)
	switch {
	case len(g.At) == 0:
		return Apply(ctx, tr, steps, samples)
	case guards:
		return own.ApplyGuarded(ctx, steps, samples, g)
	}
	for _, to := range g.At {
		n, err := Apply(ctx, tr, steps[good:to], samples[good:to])
		if err != nil || Differ(samples[good:to], g.Want[good:to]) != 0 {
			return good + n, err
		}
		good = to
	}
	n, err := Apply(ctx, tr, steps[good:], samples[good:])
	return good + n, err
}

// Check says what is wrong with a guard of these steps. ApplyGuarded begins with it.
func (g *Guard) Check(steps []Step) error {
	last := 0
	for _, i := range g.At {
		if i <= last || i >= len(steps) {
			return fmt.Errorf("a guard before step %d of %d, after one before step %d", i, len(steps), last)
		}
		last = i
	}
	if len(g.Want) < len(steps) {
		return fmt.Errorf("a guard knows %d samples, and there are %d steps", len(g.Want), len(steps))
	}
	return nil
}
