package grade

import "utfbench/tile/gates/sim"

// A hold is a class of faults that stop the clock of one flip-flop, with the classes of its output stuck at 0 and at 1.
// The flip-flop keeps its level at power-up, and a run keeps the power on. So vectors show the class if they show both.
type hold struct {
	class int32
	stuck [2]int32
}

// holds returns the holds of a design: of flip-flops without set and reset.
func (l *List) holds() (all []hold) {
	class := map[Fault]int32{}
	for i := range l.Classes {
		for _, f := range l.Classes[i].Faults {
			class[f] = int32(i)
		}
	}
	for i, first := 0, 0; i < len(l.Sites); i++ {
		s := &l.Sites[i]
		for l.Sites[first].Part != s.Part {
			first++
		}
		cell := &l.Design.Circuit.Cells[s.uses[0].cell]
		if s.Out || len(s.uses) > 1 || s.uses[0].operand != 1 || cell.Kind != sim.Flop || cell.In[2] != sim.Zero ||
			cell.In[3] != sim.Zero {
			continue
		}
		var out []int
		for k := first; k < len(l.Sites) && l.Sites[k].Part == s.Part; k++ {
			if l.Sites[k].Out {
				out = append(out, k)
			}
		}
		if len(out) == 1 && l.follows(&l.Sites[out[0]], cell.Out) {
			all = append(all, hold{class[Fault{int32(i), false}],
				[2]int32{class[Fault{int32(out[0]), false}], class[Fault{int32(out[0]), true}]}})
		}
	}
	return all
}

// follows reports whether a site is the output of a flip-flop, or behind its only buffer or inverter.
func (l *List) follows(q *Site, flop sim.Net) bool {
	cell := &l.Design.Circuit.Cells[q.uses[0].cell]
	return q.Net == flop || (cell.Kind == sim.Buf || cell.Kind == sim.Not) && cell.In[0] == flop
}

// showHolds finds the open classes of flip-flops that are found stuck at both levels.
func (g *Grader) showHolds() {
	for _, h := range g.List.holds() {
		f, low, high := &g.findings[h.class], g.findings[h.stuck[0]], g.findings[h.stuck[1]]
		if !f.Outcome.open() || low.Outcome != Found || high.Outcome != Found {
			continue
		}
		if *f = low; high.Vector > low.Vector || high.Vector == low.Vector && high.Step > low.Step {
			*f = high
		}
	}
}
