package grade

import "utfbench/tile/gates/circuit"

// A held is a class of faults with which a flip-flop keeps its power-up level: its clock is stuck, and it has neither
// set nor reset. The level is unknown but constant, so the class is found if the stuck-at-0 and the stuck-at-1 fault
// of the output are both found.
type held struct{ class, zero, one int32 }

// held returns those classes.
func (l *List) held() (all []held) {
	of := make([]int32, len(l.parent))
	for i := range l.Classes {
		for _, f := range l.Classes[i].Faults {
			of[fault(int(f.Site), f.Level)] = int32(i)
		}
	}
	for i := range l.Sites {
		s := &l.Sites[i]
		if s.Out || len(s.uses) != 1 || s.uses[0].operand != 1 {
			continue
		}
		c := l.Design.Circuit
		cell := &c.Cells[s.uses[0].cell]
		if cell.Kind != circuit.Flop || cell.In[2] != circuit.Zero || cell.In[3] != circuit.Zero {
			continue
		}
		if q := l.output(i, cell.Out); q >= 0 {
			all = append(all, held{of[fault(i, false)], of[fault(q, false)], of[fault(q, true)]})
		}
	}
	return all
}

// output returns the only site at which a flip-flop's output, or its inverse, leaves its cell, or -1.
func (l *List) output(clock int, out circuit.Net) (site int) {
	c, site := l.Design.Circuit, -1
	for i := clock - 1; i >= 0 && l.Sites[i].Part == l.Sites[clock].Part; i-- {
		clock = i
	}
	for i := clock; i < len(l.Sites) && l.Sites[i].Part == l.Sites[clock].Part; i++ {
		if !l.Sites[i].Out {
			continue
		}
		driver := &c.Cells[l.Sites[i].uses[0].cell]
		passes := (driver.Kind == circuit.Buf || driver.Kind == circuit.Not) &&
			(driver.In[0] == out || driver.In[0] == c.Inverse(out))
		if site >= 0 || driver.Out != out && !passes {
			return -1
		}
		site = i
	}
	return site
}

// settle grades the held classes.
func (g *Grader) settle() {
	for _, h := range g.held {
		f, zero, one := &g.findings[h.class], g.findings[h.zero], g.findings[h.one]
		switch {
		case zero.Outcome == Found && one.Outcome == Found:
			later := zero
			if one.Vector > zero.Vector || one.Vector == zero.Vector && one.Step > zero.Step {
				later = one
			}
			*f = later
		case zero.Outcome == Ungraded || one.Outcome == Ungraded:
			f.Outcome = Ungraded
		default:
			f.Outcome = Unclear
		}
	}
}
