package grade

import "utfbench/tile"

// Coverage counts the fault classes by outcome.
func (g *Grading) Coverage() *tile.FaultCoverage {
	testable := len(g.Classes) - g.Count(Untestable)
	return &tile.FaultCoverage{Faults: testable - g.Count(Ungraded), Testable: testable,
		Untestable: g.Count(Untestable), Found: g.Count(Found), Inactive: g.Count(Inactive),
		Unknown: g.Count(Unclear), Unseen: g.Count(Unseen), Unsettled: g.Unsettled(), Unproved: g.Unproved}
}
