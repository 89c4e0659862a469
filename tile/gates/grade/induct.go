package grade

import (
	"maps"
	"math"
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
)

// A Prover proves that faults never show, by induction over one clock: if good and faulty chip agree in some of their
// state, their outputs agree, and they agree in that state again after the clock. Inputs and the rest of the state may
// have any levels. So no vector shows the fault, since the two chips may agree at power-up.
//
// A Prover is not safe for concurrent use.
type Prover struct {
	l      *gates.FaultList
	o      *order
	f      *frames
	begins int           // gates of the good copy
	spent  int           // work of earlier frames
	limit  int           // effort for each question
	end    int           // work at which it gives up
	reach  *reachability // excludes states that do not follow a reset; nil for a proof from any state
	shown  bool          // the last assignment shows the fault, or no further cell differs
}

const (
	proofEffort = 10_000_000
	stateEffort = 2_000_000 // for each state that may follow a reset
	maxGates    = 1500      // gates that earlier proofs may add, since these slow down later proofs
)

// A freeState holds the state in phase 0, whose levels the solver chooses.
type freeState struct {
	good, bad map[int32]rail // by cell
}

func (f *frames) freeStates() *freeState {
	s := &freeState{good: map[int32]rail{}, bad: map[int32]rail{}}
	for i := range f.o.design.Circuit.Cells {
		if k := int32(i); f.o.design.Circuit.Cells[i].Kind.HoldsBit() {
			s.good[k], s.bad[k] = exactly(f.Input()), exactly(f.Input())
		}
	}
	return s
}

// level returns the state of a cell in the good copy or a faulty one.
func (s *freeState) level(k int32, d *defect) rail {
	if d != nil && d.apart[k] {
		return s.bad[k]
	}
	return s.good[k]
}

// The phases of an induction: clk is high, which holds the state, then low, when outputs are sampled, then high again.
const (
	held = iota
	sampled
	clocked
)

// NewProver returns a prover for the faults of a list.
func NewProver(l *gates.FaultList) *Prover { return newProver(l, newOrder(l.Design)) }

func newProver(l *gates.FaultList, o *order) *Prover {
	p := &Prover{l: l, o: o, limit: proofEffort, end: math.MaxInt}
	p.renew()
	return p
}

// renew discards all faulty copies so far.
func (p *Prover) renew() {
	f := newFrames(p.o, make([]rail, len(p.o.drivers)))
	f.free = f.freeStates()
	f.add(true, f.open(), nil)
	in := f.open()
	f.add(false, in, nil)
	f.add(true, in, nil)
	p.f, p.begins = f, f.GateCount()
}

// choose replaces the unknown levels of a loop's nets with free variables, since the loop may hold either level.
func (f *frames) choose(l *loop, now []rail) {
	for _, n := range l.nets {
		if !now[n].known() {
			now[n] = exactly(f.Input())
		}
	}
}

func (p *Prover) work() int { return p.spent + p.f.work() }

// ProveUntestable reports whether it proves that no vector shows a fault of the list. False proves nothing.
func (p *Prover) ProveUntestable(fault gates.StuckAt) bool { return p.never(fault) == sat.Impossible }

// never returns Impossible if it proves that no vector shows a fault, and Unknown if it took too much effort. With
// reach, the vector begins with a reset.
func (p *Prover) never(fault gates.StuckAt) sat.Result {
	if p.f.GateCount() > 2*p.begins+maxGates {
		p.spent = p.work()
		p.renew()
	}
	d := &defect{l: p.l, StuckAt: fault, apart: map[int32]bool{}}
	for {
		shows, parts, known := p.compare(d)
		if !known {
			return sat.Possible
		}
		if r := p.spread(d, shows, parts); r != sat.Possible || p.shown {
			return r
		}
	}
}

// compare evaluates the faulty copy. It returns a literal that is true if the fault shows, and by cell one that is true
// if its state differs after the clock.
func (p *Prover) compare(d *defect) (shows sat.Lit, parts map[int32]sat.Lit, known bool) {
	f := p.f
	f.bad[0].clear()
	f.bad[1].clear()
	f.next(held, d)
	f.next(sampled, d)
	shows, parts = f.shows(sampled, d), map[int32]sat.Lit{}
	if d.loose {
		return shows, nil, false
	}
	f.next(clocked, d)
	for _, n := range f.bad[0].nets {
		for _, k := range f.o.drivers[n] {
			if !f.o.design.Circuit.Cells[k].Kind.HoldsBit() || d.apart[k] {
				continue
			}
			if len(f.o.drivers[n]) > 1 {
				return shows, nil, false
			}
			parts[k] = p.changed(n, k, d)
		}
	}
	return shows, parts, !d.loose
}

// spread adds to a defect's cells all other cells that may differ in their state. It returns Impossible if the fault
// provably neither shows nor changes any other cell.
func (p *Prover) spread(d *defect, shows sat.Lit, parts map[int32]sat.Lit) sat.Result {
	differ := shows
	for _, k := range slices.Sorted(maps.Keys(parts)) {
		differ = p.f.Or(differ, parts[k])
	}
	reach, always := p.reach, sat.True
	if reach != nil && !p.f.synchronous(d) {
		reach = nil
	}
	if reach != nil {
		reach.watch(p.f, d)
	}
	for differ != sat.False {
		if p.work() > p.end {
			return sat.Unknown
		}
		if reach != nil {
			always = reach.always
		}
		if r := p.f.Solve(p.limit, always, differ); r != sat.Possible {
			return r
		}
		apart := maps.Clone(d.apart)
		for k, is := range parts {
			if p.f.Level(is) {
				apart[k] = true
			}
		}
		goal := differ
		if p.shown = p.f.Level(shows); p.shown {
			goal = shows
		}
		if reach == nil || !reach.excludes(goal, min(stateEffort, p.limit)) {
			p.shown = p.shown || len(apart) == len(d.apart)
			d.apart = apart
			return sat.Possible
		}
	}
	return sat.Impossible
}

// synchronous reports whether nothing but clk and rst_n changes the state, in the faulty copy's last two phases.
func (f *frames) synchronous(d *defect) bool {
	rst := exactly(f.phases[clocked].rst)
	for k := range f.free.good {
		pin := func(i, ago int) rail { return f.operand(k, i, clocked, ago, d) }
		for i, r := range []rail{pin(1, now), pin(1, last), pin(2, last), pin(3, last)} {
			if r != rail0 && r != rail1 && (i < 2 || r != rst && r != rst.not()) {
				return false
			}
		}
		if f.o.design.Circuit.Cells[k].Kind != sim.Flop {
			return false
		}
	}
	return true
}

// changed returns a literal that is true if a cell's state differs after the clock.
func (p *Prover) changed(n sim.Net, k int32, d *defect) sat.Lit {
	if d.drives(k) {
		return sat.False // its state is not visible anywhere
	}
	return p.f.differs(p.f.good[clocked][n], p.f.is(n, clocked, d))
}
