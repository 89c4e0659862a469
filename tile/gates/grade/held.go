package grade

import "utfbench/tile/gates/sim"

// A hold is a class of faults that stop the clock of one flip-flop, with the classes of its output stuck at 0 and at 1.
// The flip-flop keeps its power-up level, and a run never turns the power off. So vectors that show both classes also
// show the hold.
type hold struct{ clock, low, high int32 }

// keeps reports whether a flip-flop without set and reset keeps the level of an output while its clock is stopped: the
// output is its own, or behind a buffer or inverter.
func (l *List) keeps(flop int32, output int) bool {
	q := &l.Design.Circuit.Cells[flop]
	by := &l.Design.Circuit.Cells[l.Sites[output].uses[0].cell]
	return q.In[2] == sim.Zero && q.In[3] == sim.Zero &&
		(by == q || (by.Kind == sim.Buf || by.Kind == sim.Not) && by.In[0] == q.Out)
}

// showHolds finds the open classes of flip-flops that are found stuck at both levels.
func (g *Grader) showHolds() {
	for _, h := range g.List.holds {
		f, low, high := &g.findings[h.clock], g.findings[h.low], g.findings[h.high]
		if !f.Outcome.open() || low.Outcome != Found || high.Outcome != Found {
			continue
		}
		if *f = low; high.Vector > low.Vector || high.Vector == low.Vector && high.Step > low.Step {
			*f = high
		}
	}
}
