package gates

import (
	"slices"

	"utfbench/tile/gates/sim"
)

// A reading counts the readers (inputs of primitives, and ports) of a net and its inverse; it names the last primitive.
type reading struct {
	inputs int
	last   int32
}

func readings(c *sim.Circuit) []reading {
	all, of := make([]reading, len(c.Nets)), make([]sim.Net, len(c.Nets))
	for n := range of {
		of[n] = sim.Net(n)
	}
	for n := range of {
		if inverse := c.Inverse(sim.Net(n)); inverse > sim.One {
			of[inverse] = sim.Net(n)
		}
	}
	for i := range c.Cells {
		cell := &c.Cells[i]
		for _, n := range cell.In[:cell.Kind.Inputs()] {
			if n > sim.One && c.Inverse(n) != cell.Out {
				all[of[n]] = reading{all[of[n]].inputs + 1, int32(i)}
			}
		}
	}
	for _, p := range c.Ports {
		for _, n := range p.Nets {
			all[of[n]].inputs++
		}
	}
	return all
}

// joinNets joins the faults at both ends of each net that has one driver and one reader, if both are sites.
func (l *FaultList) joinNets(all []reading) {
	c := l.Design.Circuit
	drivers, reader := c.Drivers(), map[sim.Net]int{}
	for i := range l.Sites {
		if s := &l.Sites[i]; !s.Out {
			reader[s.Net] = i
		}
	}
	for i := range l.Sites {
		s := &l.Sites[i]
		to, is := reader[s.Net]
		if s.Out && is && all[s.Net].inputs == len(l.Sites[to].Uses) && len(drivers.ByNet[s.Net]) == 1 &&
			c.Cells[s.Uses[0].Cell].Kind != sim.Tri {
			l.join(faultIndex(i, false), faultIndex(to, false))
			l.join(faultIndex(i, true), faultIndex(to, true))
		}
	}
}

// joinCells joins equivalent faults within each cell: faults of inputs that fix the output of the same primitive at the
// same level, and both faults of a pin that only clocks flip-flops, since either stops the clock.
func (l *FaultList) joinCells(all []reading) {
	c := l.Design.Circuit
	of := map[int32]int32{} // by faultIndex of a primitive's output and level: an equivalent fault
	outputs := map[int32][]int{}
	for i := range l.Sites {
		if s := &l.Sites[i]; s.Out {
			outputs[s.Part] = append(outputs[s.Part], i)
			of[faultIndex(int(s.Uses[0].Cell), false)] = faultIndex(i, false)
			of[faultIndex(int(s.Uses[0].Cell), true)] = faultIndex(i, true)
		}
	}
	for i := range l.Sites {
		s := &l.Sites[i]
		other := slices.ContainsFunc(s.Uses, func(u SiteUse) bool {
			return c.Cells[u.Cell].Kind != sim.Flop || u.Operand != 1
		})
		switch {
		case s.Out:
		case !other:
			l.join(faultIndex(i, false), faultIndex(i, true))
			if q := outputs[s.Part]; len(q) == 1 && len(s.Uses) == 1 && l.keeps(s.Uses[0].Cell, q[0]) {
				l.Holds = append(l.Holds, Hold{faultIndex(i, false), faultIndex(q[0], false), faultIndex(q[0], true)})
			}
		case len(s.Uses) == 1 && s.Net > sim.One:
			l.joinDecided(i, false, of, all)
			l.joinDecided(i, true, of, all)
		}
	}
}

// joinDecided joins an input's fault with other faults that fix the same primitive's output at the same level. Within
// the cell it continues along nets with one reader.
func (l *FaultList) joinDecided(site int, level bool, of map[int32]int32, all []reading) {
	c, at := l.Design.Circuit, l.Sites[site].Uses[0]
	f := faultIndex(site, level)
	level = level != at.Inverted
	for k := at.Cell; c.Cells[k].Part == l.Sites[site].Part; k = all[c.Cells[k].Out].last {
		out, decided := decides(c.Cells[k].Kind, level)
		if !decided {
			return
		}
		same, known := of[faultIndex(int(k), out)]
		if known {
			l.join(same, f)
			return
		}
		of[faultIndex(int(k), out)], level = f, out
		if n := c.Cells[k].Out; all[n].inputs != 1 || !slices.Contains(c.Cells[all[n].last].In[:], n) {
			return
		}
	}
}

// decides returns the level of a primitive's output if one input at the given level determines it.
func decides(k sim.Kind, in bool) (out, decided bool) {
	switch k {
	case sim.Buf:
		return in, true
	case sim.Not:
		return !in, true
	case sim.And, sim.Or:
		return in, in == (k == sim.Or)
	case sim.Nand, sim.Nor:
		return !in, in == (k == sim.Nor)
	}
	return false, false
}

// A Hold relates a class of faults that stop the clock of one flip-flop to the classes of its output stuck at 0 and at
// 1. The flip-flop keeps its power-up level, and a run never turns the power off. So vectors that show both output
// classes also show the stopped clock.
type Hold struct{ Clock, Low, High int32 }

// keeps reports whether a flip-flop without set and reset keeps the level of an output while its clock is stopped: the
// output is the flip-flop's own, or behind a buffer or inverter.
func (l *FaultList) keeps(flop int32, output int) bool {
	q := &l.Design.Circuit.Cells[flop]
	by := &l.Design.Circuit.Cells[l.Sites[output].Uses[0].Cell]
	return q.In[2] == sim.Zero && q.In[3] == sim.Zero &&
		(by == q || (by.Kind == sim.Buf || by.Kind == sim.Not) && by.In[0] == q.Out)
}
