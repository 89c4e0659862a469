package diagnose

import (
	"utfbench/fault"
	"utfbench/tile"
)

// RightChip is the hypothesis of a good chip of this revision.
type RightChip struct{ Tile tile.Tile }

func (r RightChip) String() string { return "a " + r.Tile.Revision() + " chip without a fault" }

// Kind implements Hypothesis.
func (r RightChip) Kind() Conclusion { return Revision }

// Suspects implements Hypothesis.
func (r RightChip) Suspects() []Suspect {
	own := r.Tile.Revision()
	return []Suspect{{[]string{"the chip"}, []string{"of the revision " + own + " (try --revision " + own + ")"}}}
}

// Simulate implements Hypothesis. The setting has no effect.
func (r RightChip) Simulate(Setting) Simulation { return r.Tile.New() }

// And returns a chip of the revision with a fault.
func (r RightChip) And(f fault.Fault) (Hypothesis, bool) {
	return Faulty{[]fault.Fault{f}, r.Tile}, true
}
