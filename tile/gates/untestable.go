package gates

import "slices"

// markUntestable marks the faults that no vector can find: without a path to an output, or with the pin's only level.
func (l *FaultList) markUntestable() {
	reach, possible := l.reach(), l.Design.Program().PossibleLevels()
	c := l.Design.Circuit
	for i := range l.Sites {
		s := &l.Sites[i]
		leads := s.Out && reach[s.Net]
		for _, u := range s.Uses {
			leads = leads || reach[c.Cells[u.Cell].Out]
		}
		levels := possible(s.Net)
		for _, level := range []bool{false, true} {
			never := &l.never[faultIndex(i, level)]
			switch {
			case !leads:
				*never = "no path leads from it to an output"
			case !level && levels.Hi == 0, level && levels.Lo == 0:
				*never = "the pin always has this level"
			}
		}
	}
}

func (l *FaultList) reach() []bool {
	c, possible := l.Design.Circuit, l.Design.Program().PossibleLevels()
	enable := c.Port("uio_oe")
	outputs := slices.Concat(c.Port("uo_out"), enable)
	for i, n := range c.Port("uio_out") {
		if possible(enable[i]).Hi != 0 { // else the net is never visible on the line
			outputs = append(outputs, n)
		}
	}
	return c.Drivers().FanIn(true, outputs...)
}
