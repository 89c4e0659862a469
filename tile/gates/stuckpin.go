package gates

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// FindStuckPin implements tile.CellSearcher. It simulates 64 faults at a time, each until a sample contradicts it.
func (t *Tile) FindStuckPin(ctx context.Context, steps []transport.Step, got []transport.Sample,
	wrong []transport.Outputs) (string, error) {
	l := NewFaultList(t.Design)
	var all []StuckAt
	for _, c := range l.Classes {
		if c.Untestable == "" {
			all = append(all, c.Faults[0])
		}
	}
	var found []string
	var mu sync.Mutex
	err := failure.RunInGroups(ctx, all, lanes, func(some []StuckAt) error {
		d, err := l.Inject(some)
		if err != nil {
			return err
		}
		open, chip := ^uint64(0)>>(lanes-len(some)), d.NewChip(nil)
		for i := 0; i < len(steps) && open != 0; i++ {
			chip.frame.Set(&steps[i])
			chip.Step(&chip.frame)
			open &= chip.lanesShowing(got[i], wrong[i])
		}
		if open != 0 {
			mu.Lock()
			defer mu.Unlock()
			found = append(found, l.Describe(some[bits.TrailingZeros64(open)]))
		}
		return nil
	})
	if err != nil || found == nil {
		return "", err
	}
	return slices.Min(found), nil
}

// lanesShowing returns the lanes in which no level contradicts a sample and the lines in exact are known.
func (c *Chip) lanesShowing(got transport.Sample, exact transport.Outputs) uint64 {
	show := ^uint64(0)
	for i := range 16 {
		if got.Unknown()>>i&1 != 0 {
			continue
		}
		s, clash := c.OutputLevel(i&7), uint64(0)
		if i >= 8 {
			s, clash = c.UIOLevel(i-8), c.Contention[i-8]
		}
		if got.Levels()>>i&1 == 0 {
			s.Hi, s.Lo = s.Lo, s.Hi
		}
		if exact>>i&1 != 0 {
			show &= s.Hi &^ s.Lo &^ clash
		} else {
			show &= s.Hi | clash
		}
	}
	return show
}
