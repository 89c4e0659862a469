package wiring

import (
	"utfbench/transport"
)

// shownByChip is the part of a sample that the chip alone drives.
func (e *exam) shownByChip(s transport.Step, got transport.Sample) transport.Sample {
	drives := e.tile.Drives(s)
	got.IO, got.IOX = got.IO&drives, got.IOX&drives
	return got
}

// holdsAlways says whether see is true for every step of every execution. begin is called before each execution, since
// they have different pulls.
func (e *exam) holdsAlways(begin func(), see func(s transport.Step, got transport.Sample) bool) bool {
	for _, p := range e.executions {
		begin()
		for i, s := range p.Steps {
			if !see(s, e.shownByChip(s, p.Got[i])) {
				return false
			}
		}
	}
	return true
}

// unknown says whether no line of uo ever has a level, as in a simulation.
func (e *exam) unknown() bool {
	return e.holdsAlways(func() {}, func(_ transport.Step, got transport.Sample) bool { return got.OutX == 0xFF })
}

// silent says whether uo is always the same.
func (e *exam) silent() bool {
	var first *transport.Sample
	return e.holdsAlways(func() { first = nil }, func(_ transport.Step, got transport.Sample) bool {
		if first == nil {
			first = &got
		}
		return got.Out == first.Out && got.OutX == first.OutX
	})
}

// frozen says whether the same ui always shows the same.
func (e *exam) frozen() bool {
	var before map[uint8]transport.Sample
	return e.holdsAlways(func() { before = map[uint8]transport.Sample{} },
		func(s transport.Step, got transport.Sample) bool {
			old, ok := before[s.In]
			before[s.In] = got
			return !ok || old == got
		})
}

// unreset says whether resets end in different states.
func (e *exam) unreset() bool {
	var first *transport.Sample
	return !e.holdsAlways(func() { first = nil }, func(s transport.Step, got transport.Sample) bool {
		if !s.Reset || s.Clocks == 0 || s.In != e.tile.Idle() {
			return true
		}
		if first == nil {
			first = &got
		}
		return first.Out == got.Out
	})
}
