package search

import (
	"time"

	"utfbench/tile"
)

// UsualBudget suffices for all pairs of faults of a small tile.
const UsualBudget = 20 * time.Second

// A Budget limits the search for several faults at a time. It is the usual time of one core for the simulated steps,
// not time itself, so that a search has the same result on every machine. Single faults are searched for in any case.
type Budget struct {
	step time.Duration // a simulated step's usual time
	left time.Duration
	cut  bool
}

// NewBudget returns a budget for a tile; 0 is UsualBudget.
func NewBudget(t tile.Tile, all time.Duration) *Budget {
	b := &Budget{step: time.Microsecond, left: UsualBudget}
	if c, is := t.(tile.Crowded); is {
		b.step *= time.Duration(c.Work())
	}
	if all > 0 {
		b.left = all
	}
	return b
}

// steps returns how many steps of each of n hypotheses a share of the budget pays for, one of share.
func (b *Budget) steps(n, share int) int {
	if b == nil {
		return 1 << 30
	}
	return int(b.left / time.Duration(max(1, share*n)) / b.step)
}

// afford returns the first hypotheses, as many as one share of the budget pays for on the evidence.
func (b *Budget) afford(hs []Hypothesis, e *Evidence, share int) []Hypothesis {
	if b == nil || len(hs) == 0 {
		return hs
	}
	steps := 0
	for _, p := range e.Executions {
		steps += max(1, len(p.Steps))
	}
	if n := b.steps(1, share) / max(1, steps); n < len(hs) {
		hs, b.cut = hs[:n], true
	}
	b.spend(len(hs) * steps)
	return hs
}

// spend takes simulated steps from the budget.
func (b *Budget) spend(steps int) {
	if b != nil {
		b.left -= time.Duration(steps) * b.step
	}
}

// Cut reports whether hypotheses were left out.
func (b *Budget) Cut() bool { return b != nil && b.cut }
