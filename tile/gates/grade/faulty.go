package grade

import (
	"math/bits"
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
)

// A shadow holds the rails of the faulty copy that differ from the good copy's.
type shadow struct {
	at   []rail
	is   []bool
	nets []sim.Net
}

func newShadow(nets int) shadow { return shadow{at: make([]rail, nets), is: make([]bool, nets)} }

func (s *shadow) put(n sim.Net, r rail) {
	if !s.is[n] {
		s.is[n], s.nets = true, append(s.nets, n)
	}
	s.at[n] = r
}

func (s *shadow) clear() {
	for _, n := range s.nets {
		s.is[n] = false
	}
	s.nets = s.nets[:0]
}

// A defect is the fault of the faulty copy. The good copy has a nil defect.
type defect struct {
	l *gates.FaultList
	gates.StuckAt
	loose bool           // an affected loop has levels that stayed unknown, though they may be determined
	apart map[int32]bool // cells whose free state may differ from the good copy's
}

func (d *defect) drives(k int32) bool {
	s := &d.l.Sites[d.Site]
	return s.Out && slices.ContainsFunc(s.Uses, func(u gates.SiteUse) bool { return u.Cell == k })
}

// operand returns the level at which the fault holds an input of a cell, and whether it holds the input.
func (d *defect) operand(k int32, i int) (level, stuck bool) {
	if d == nil || d.l.Sites[d.Site].Out {
		return false, false
	}
	for _, u := range d.l.Sites[d.Site].Uses {
		if u.Cell == k && int(u.Operand) == i {
			return d.Level != u.Inverted, true
		}
	}
	return false, false
}

func defectOf(l *gates.FaultList, f gates.StuckAt) *defect { return &defect{l: l, StuckAt: f} }

// begin starts the faulty copy from the state that a faulty chip has in one of its 64 vectors.
func (f *frames) begin(chip *gates.Chip, vector int) {
	f.bad[0].clear()
	f.bad[1].clear()
	for n := range f.first {
		s := chip.Level(sim.Net(n))
		r := rail{sat.Constant(s.Hi>>vector&1 != 0), sat.Constant(s.Lo>>vector&1 != 0)}
		if r != f.first[n] {
			f.bad[0].put(sim.Net(n), r)
		}
	}
}

// next evaluates the faulty copy's next phase, only where it may differ from the good one.
func (f *frames) next(p int, d *defect) {
	f.bad[0], f.bad[1] = f.bad[1], f.bad[0]
	f.bad[0].clear()
	f.begins(p, d)
	for g := f.todo.pop(); g >= 0; g = f.todo.pop() {
		l := &f.o.groups[g]
		f.evaluated += len(l.nets)
		if f.settle(l, p, d, f.bad[0].put) {
			d.loose = true
		}
		for _, n := range l.nets {
			if f.bad[0].at[n] == f.good[p][n] {
				f.bad[0].is[n] = false
				continue
			}
			for _, k := range f.o.readers[n] {
				if at := f.o.group[f.o.design.Circuit.Cells[k].Out]; at > g {
					f.todo.add(at)
				}
			}
		}
	}
	f.bad[0].nets = slices.DeleteFunc(f.bad[0].nets, func(n sim.Net) bool { return !f.bad[0].is[n] })
}

// begins queues the groups that may differ because of the fault or of the previous phase.
func (f *frames) begins(p int, d *defect) {
	cells := f.o.design.Circuit.Cells
	for _, u := range d.l.Sites[d.Site].Uses {
		f.todo.add(f.o.group[cells[u.Cell].Out])
	}
	if p == 0 {
		for k := range d.apart {
			f.todo.add(f.o.group[cells[k].Out])
		}
	}
	for _, n := range f.bad[1].nets {
		for _, k := range f.o.drivers[n] {
			if cells[k].Kind.HoldsBit() {
				f.todo.add(f.o.group[n])
			}
		}
		for _, k := range f.o.readers[n] {
			if cells[k].Kind == sim.Flop {
				f.todo.add(f.o.group[cells[k].Out])
			}
		}
	}
}

// A queue holds groups, and returns them in order.
type queue struct {
	words []uint64 // a bit for each group
	at    int      // all words before this one are 0
}

func (q *queue) add(g int32) {
	q.words[g/64] |= 1 << (g % 64)
	q.at = min(q.at, int(g/64))
}

// pop removes and returns the first group, or returns -1 if there is none.
func (q *queue) pop() int32 {
	for ; q.at < len(q.words); q.at++ {
		if w := q.words[q.at]; w != 0 {
			q.words[q.at] = w & (w - 1)
			return int32(q.at*64 + bits.TrailingZeros64(w))
		}
	}
	return -1
}

// differs returns a literal that is true if a level differs from the known good one. In an induction an unknown level
// counts as different, since it may show the fault; in a search only a known level does.
func (f *frames) differs(good, r rail) sat.Lit {
	if good == r {
		return sat.False
	}
	is0, is1 := r.lo, r.hi
	if f.free == nil {
		is0, is1 = f.And(r.lo, r.hi.Not()), f.And(r.hi, r.lo.Not())
	}
	return f.Or(f.And(f.And(good.hi, good.lo.Not()), is0), f.And(f.And(good.lo, good.hi.Not()), is1))
}

// shows returns a literal: whether an output differs in a phase. A line of uio counts if the good design drives it.
func (f *frames) shows(p int, d *defect) sat.Lit {
	any := sat.False
	for _, n := range f.o.uo {
		any = f.Or(any, f.differs(f.good[p][n], f.is(n, p, d)))
	}
	for i, n := range f.o.uio {
		oe := f.good[p][f.o.oe[i]]
		any = f.Or(any, f.And(oe.lo.Not(), f.differs(f.good[p][n], f.is(n, p, d))))
		if f.free != nil { // contention may show the fault
			any = f.Or(any, f.And(oe.hi.Not(), f.is(f.o.oe[i], p, d).hi))
		}
	}
	return any
}
