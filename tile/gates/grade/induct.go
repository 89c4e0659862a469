package grade

import (
	"utfbench/internal/sat"
	"utfbench/tile/gates/sim"
)

// A prover proves that faults never show, by induction over a clock: if good and faulty chip agree in some of their
// state, their outputs agree, and they agree in it again after a clock. The rest of the state may have any levels, and
// inputs too, so that no vector shows the fault: whatever it does, two chips that agreed at power-up are among those it
// may be applied to.
//
// State that the design provably never leaves a level of is constant: see constants.
type prover struct {
	f *frames
	l *List
	*freeState
	limit int // conflicts for each question
}

// A freeState is state with any levels, in phase 0.
type freeState struct {
	good, bad map[int32]rail // by cell
}

// level returns the state of a cell, of the good copy or a faulty one.
func (s *freeState) level(k int32, d *defect) rail {
	if d != nil && d.apart[k] {
		return s.bad[k]
	}
	return s.good[k]
}

// The phases of an induction: clk is high, which holds the state, then low, when outputs are sampled, and high again.
const (
	held = iota
	sampled
	clocked
)

// newProver returns a prover for a design whose cells in always have a level, of those that have it in the vectors so
// far; see constants.
func newProver(l *List, o *order, constants map[int32]bool, limit int) *prover {
	s := &freeState{good: map[int32]rail{}, bad: map[int32]rail{}}
	f := newFrames(o, make([]rail, len(o.drivers)))
	f.free = s
	for i := range o.design.Circuit.Cells {
		if k := int32(i); o.design.Circuit.Cells[i].Kind.Holds() {
			s.good[k], s.bad[k] = exactly(f.Input()), exactly(f.Input())
			if level, never := constants[k]; never {
				s.good[k] = constant(level)
			}
		}
	}
	f.add(true, f.open())
	in := f.open()
	f.add(false, in)
	f.add(true, in)
	return &prover{f: f, l: l, freeState: s, limit: limit}
}

// choose gives the unknown nets of a loop any level: it may hold one.
func (f *frames) choose(l *loop, now []rail) {
	for _, n := range l.nets {
		if !now[n].known() {
			now[n] = exactly(f.Input())
		}
	}
}

// constants returns the cells with state that never leaves its level, of those that vectors have seen at one level only.
// A design that powers up so stays so.
func constants(l *List, o *order, seen map[int32]bool, limit int) map[int32]bool {
	for len(seen) > 0 {
		p := newProver(l, o, seen, limit)
		leaves, all := sat.False, map[int32]sat.Lit{}
		for k, level := range seen {
			n := o.design.Circuit.Cells[k].Out
			r := p.f.good[clocked][n]
			if level {
				r = r.not()
			}
			all[k] = r.lo.Not()
		}
		for i := range o.design.Circuit.Cells { // in order, so that each run asks the same
			if is, ok := all[int32(i)]; ok {
				leaves = p.f.Or(leaves, is)
			}
		}
		switch p.f.Solve(limit, leaves) {
		case sat.Impossible:
			return seen
		case sat.Unknown:
			return nil
		}
		for k, is := range all {
			if is == sat.True || p.f.Level(is) {
				delete(seen, k)
			}
		}
	}
	return nil
}

// never proves that no vector shows a fault.
func (p *prover) never(fault Fault) bool {
	d := &defect{l: p.l, Fault: fault, apart: map[int32]bool{}}
	f := p.f
	for {
		f.bad[0].clear()
		f.bad[1].clear()
		f.next(held, d)
		shows := f.unlike(held, d)
		f.next(sampled, d)
		shows = f.Or(shows, f.Or(f.shows(sampled, d), f.unlike(sampled, d)))
		f.next(clocked, d)
		shows = f.Or(shows, f.unlike(clocked, d))
		if d.loose || shows == sat.True {
			return false
		}
		differ, parts := shows, map[int32]sat.Lit{}
		for _, n := range f.bad[0].nets {
			for _, k := range f.o.drivers[n] {
				if !f.o.design.Circuit.Cells[k].Kind.Holds() || d.apart[k] {
					continue
				}
				if len(f.o.drivers[n]) > 1 {
					return false
				}
				parts[k] = p.changed(n, k, d)
				differ = f.Or(differ, parts[k])
			}
		}
		if differ == sat.False {
			return true
		}
		switch f.Solve(p.limit, differ) {
		case sat.Impossible:
			return true
		case sat.Unknown:
			return false
		}
		if f.Level(shows) {
			return false
		}
		before := len(d.apart)
		for k, is := range parts {
			if f.Level(is) {
				d.apart[k] = true
			}
		}
		if len(d.apart) == before { // a simplified question does not depend on all of them
			return false
		}
	}
}

// changed returns whether a cell's state certainly differs after the clock.
func (p *prover) changed(n sim.Net, k int32, d *defect) sat.Lit {
	r := p.f.is(n, clocked, d)
	if d.drives(k) {
		if !d.flips {
			return sat.False // its state shows nowhere
		}
		r = p.f.broken(r, clocked, p.f.is, d)
	}
	return p.f.differs(p.f.good[clocked][n], r)
}
