package grade

import (
	"slices"

	"utfbench/tile/gates/sim"
)

// A reading counts the inputs of primitives that read a net or its inverse, and holds the last one. A port counts as
// one.
type reading struct {
	inputs int
	last   int32
}

// readings returns the reading of each net.
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

// joinNets joins the faults at both ends of each net with one driver and one reader, both of them sites.
func (l *List) joinNets(all []reading) {
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
		if s.Out && is && all[s.Net].inputs == len(l.Sites[to].uses) && len(drivers.Of[s.Net]) == 1 &&
			c.Cells[s.uses[0].cell].Kind != sim.Tri {
			l.join(fault(i, false), fault(to, false))
			l.join(fault(i, true), fault(to, true))
		}
	}
}

// joinCells joins the faults within each cell: of inputs that decide the level of the same primitive, and of a pin that
// only clocks flip-flops, which hold with either.
func (l *List) joinCells(all []reading) {
	c := l.Design.Circuit
	of := map[int32]int32{} // by the level of a primitive's output, as the number of a fault
	outputs := map[int32][]int{}
	for i := range l.Sites {
		if s := &l.Sites[i]; s.Out {
			outputs[s.Part] = append(outputs[s.Part], i)
			of[fault(int(s.uses[0].cell), false)] = fault(i, false)
			of[fault(int(s.uses[0].cell), true)] = fault(i, true)
		}
	}
	for i := range l.Sites {
		s := &l.Sites[i]
		other := slices.ContainsFunc(s.uses, func(u use) bool {
			return c.Cells[u.cell].Kind != sim.Flop || u.operand != 1
		})
		switch {
		case s.Out:
		case !other:
			l.join(fault(i, false), fault(i, true))
			if q := outputs[s.Part]; len(q) == 1 && len(s.uses) == 1 && l.keeps(s.uses[0].cell, q[0]) {
				l.holds = append(l.holds, hold{fault(i, false), fault(q[0], false), fault(q[0], true)})
			}
		case len(s.uses) == 1 && s.Net > sim.One:
			l.joinDecided(i, false, of, all)
			l.joinDecided(i, true, of, all)
		}
	}
}

// joinDecided joins a fault of a site with those that give a primitive's output the same level. Within the cell it
// follows nets with one reader.
func (l *List) joinDecided(site int, level bool, of map[int32]int32, all []reading) {
	c, at := l.Design.Circuit, l.Sites[site].uses[0]
	f := fault(site, level)
	level = level != at.inverted
	for k := at.cell; c.Cells[k].Of == l.Sites[site].Part; k = all[c.Cells[k].Out].last {
		out, decided := decides(c.Cells[k].Kind, level)
		if !decided {
			return
		}
		same, known := of[fault(int(k), out)]
		if known {
			l.join(same, f)
			return
		}
		of[fault(int(k), out)], level = f, out
		if n := c.Cells[k].Out; all[n].inputs != 1 || !slices.Contains(c.Cells[all[n].last].In[:], n) {
			return
		}
	}
}

// decides returns the level of a primitive's output if one input at some level determines it.
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
