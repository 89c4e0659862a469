package diagnose

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

// Afford returns the first hypotheses, as many as may be simulated on the executions.
func (b *Budget) Afford(hs []Hypothesis, executions []Execution) []Hypothesis {
	if b == nil || len(hs) == 0 {
		return hs
	}
	each := time.Duration(0)
	for _, e := range executions {
		each += b.step * time.Duration(max(1, len(e.Steps)))
	}
	if n := int(b.left / max(1, each)); n < len(hs) {
		hs, b.cut = hs[:n], true
	}
	b.left -= time.Duration(len(hs)) * each
	return hs
}

// Cut reports whether hypotheses were left out.
func (b *Budget) Cut() bool { return b != nil && b.cut }
