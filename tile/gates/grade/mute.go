package grade

import (
	"slices"

	"utfbench/tile/gates/sim"
)

// mute finds faults that no vectors can find: those without a path to an output, and pins that always have the level.
func (l *List) mute() {
	reach, possible := l.reach(), l.Design.Program().Possible()
	c := l.Design.Circuit
	for i := range l.Sites {
		s := &l.Sites[i]
		leads := s.Out && reach[s.Net]
		for _, u := range s.uses {
			leads = leads || reach[c.Cells[u.cell].Out]
		}
		levels := possible(s.Net)
		for _, level := range []bool{false, true} {
			never := &l.never[fault(i, level)]
			switch {
			case !leads:
				*never = "no path leads from it to an output"
			case !level && levels.Hi == 0, level && levels.Lo == 0:
				*never = "the pin always has this level"
			}
		}
	}
}

// reach returns the nets with a path to an output.
func (l *List) reach() []bool {
	c := l.Design.Circuit
	drivers := make([][]int32, len(c.Nets))
	for i := range c.Cells {
		drivers[c.Cells[i].Out] = append(drivers[c.Cells[i].Out], int32(i))
	}
	reach := make([]bool, len(c.Nets))
	var next []sim.Net
	visit := func(n sim.Net) {
		if n > sim.One && !reach[n] {
			reach[n] = true
			next = append(next, n)
		}
	}
	possible, enable := l.Design.Program().Possible(), c.Port("uio_oe")
	for _, n := range slices.Concat(c.Port("uo_out"), enable) {
		visit(n)
	}
	for i, n := range c.Port("uio_out") {
		if possible(enable[i]).Hi != 0 { // else the line never shows it
			visit(n)
		}
	}
	for len(next) > 0 {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		for _, k := range drivers[n] {
			for _, in := range c.Cells[k].In {
				visit(in)
			}
		}
	}
	return reach
}
