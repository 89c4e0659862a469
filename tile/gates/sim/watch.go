package sim

import "math/bits"

// watchCosts is the cost of watching an operation, in evaluations of an operation.
const watchCosts = 4

// watch finds the vectors in which watched nets may have changed since the previous round (moves), and those in which
// they may have changed more than once (pulse, a subset of moves): gates have any delays, so either of two inputs may
// be first.
func (m *Machine) watch() {
	m.delay()
	for _, n := range m.p.sources {
		m.moves[n] |= differ(m.before[n], m.v[n])
	}
	if m.p.watchers.first != nil {
		m.watchMoves()
		return
	}
	for _, n := range m.p.floats {
		m.moves[n], m.pulse[n] = ^uint64(0), ^uint64(0)
		if m.lanes != nil {
			m.moves[n], m.pulse[n] = differ(m.before[n], m.v[n]), 0
		}
	}
	m.work += watchCosts * len(m.p.watched)
	for i := range m.p.watched {
		o := &m.p.watched[i]
		if o.kind < opForce && m.moves[o.a]|m.moves[o.b]|m.moves[o.c] == 0 { // b and c are 0 if unused
			m.moves[o.out], m.pulse[o.out] = 0, 0
			continue
		}
		m.watchOp(o)
	}
}

// watchMoves watches only the operations behind nets that may have moved.
func (m *Machine) watchMoves() {
	mark := func(net int32) {
		for _, i := range m.p.watchers.of(net) {
			m.marks[i/64] |= 1 << (i % 64)
		}
	}
	for _, n := range m.p.sources {
		if m.moves[n] != 0 {
			mark(n)
		}
	}
	for w := range m.marks {
		for m.marks[w] != 0 {
			i := w*64 + bits.TrailingZeros64(m.marks[w])
			m.marks[w] &= m.marks[w] - 1
			o := &m.p.watched[i]
			m.marked = append(m.marked, o.out)
			if m.watchOp(o); m.moves[o.out] != 0 {
				mark(o.out)
			}
		}
	}
	m.work += watchCosts * len(m.marked)
}

// forget ends a round by making the current levels the previous ones.
func (m *Machine) forget() {
	for _, n := range m.p.sources {
		m.before[n], m.moves[n], m.pulse[n] = m.v[n], 0, 0
	}
	if m.p.watchers.first != nil {
		for _, n := range m.marked {
			m.before[n], m.moves[n], m.pulse[n] = m.v[n], 0, 0
		}
		m.marked = m.marked[:0]
		return
	}
	for _, c := range m.p.cuts {
		m.before[c.q], m.moves[c.q], m.pulse[c.q] = m.v[c.q], 0, 0
	}
	for i := range m.p.watched {
		n := m.p.watched[i].out
		m.before[n] = m.v[n]
	}
}

func differ(a, b Set) uint64 { return (a.Hi ^ b.Hi) | (a.Lo ^ b.Lo) }

// can returns the levels that a net may have at some time in this round.
func (m *Machine) can(n int32) Set { return m.before[n].or(m.v[n]).WithUnknown(m.pulse[n]) }

// watchOp computes moves and pulse of one operation.
func (m *Machine) watchOp(o *op) {
	var moves, pulse uint64
	switch o.kind {
	case opNot:
		moves, pulse = m.moves[o.a], m.pulse[o.a]
	case opForce:
		f := &m.p.forces[o.b]
		moves, pulse = m.moves[o.a]&^(f.Low|f.High), m.pulse[o.a]&^(f.Low|f.High)
	case opAnd, opNand:
		moves, pulse = m.gate(o, m.can(o.a).Hi, m.can(o.b).Hi)
	case opOr, opNor:
		moves, pulse = m.gate(o, m.can(o.a).Lo, m.can(o.b).Lo)
	case opXor, opXnor:
		moves = m.moves[o.a] | m.moves[o.b]
		pulse = m.pulse[o.a] | m.pulse[o.b] | m.moves[o.a]&m.moves[o.b]
	case opMux:
		moves, pulse = m.mux(o)
	default:
		moves, pulse = m.sharedMoves(o)
	}
	old, now := m.before[o.out], m.v[o.out]
	same := old.KnownVectors() & now.KnownVectors() &^ differ(old, now) &^ pulse
	m.moves[o.out], m.pulse[o.out] = moves&^same|pulse, pulse
}

// gate handles AND and OR. A change of one input passes unless the other determines the output; opposite changes make a
// pulse.
func (m *Machine) gate(o *op, passA, passB uint64) (moves, pulse uint64) {
	ma, mb := m.moves[o.a], m.moves[o.b]
	riseA, riseB := m.before[o.a].Lo&m.v[o.a].Hi&ma, m.before[o.b].Lo&m.v[o.b].Hi&mb
	fallA, fallB := m.before[o.a].Hi&m.v[o.a].Lo&ma, m.before[o.b].Hi&m.v[o.b].Lo&mb
	pulse = m.pulse[o.a]&passB | m.pulse[o.b]&passA | riseA&fallB | fallA&riseB
	return ma | mb, pulse
}

// mux handles a multiplexer. A change of an input passes while that input may be selected.
func (m *Machine) mux(o *op) (moves, pulse uint64) {
	s, one, zero := m.can(o.a), m.can(o.b), m.can(o.c)
	ms, m1, m0 := m.moves[o.a], m.moves[o.b], m.moves[o.c]
	apart := one.Hi&zero.Lo | one.Lo&zero.Hi
	pulse = m.pulse[o.b]&s.Hi | m.pulse[o.c]&s.Lo | m.pulse[o.a]&apart | ms&(m1|m0)
	return ms | m1&s.Hi | m0&s.Lo, pulse
}

// sharedMoves handles a shared net, which may change at any time while it floats or drivers disagree.
func (m *Machine) sharedMoves(o *op) (moves, pulse uint64) {
	off, may, fight := ^uint64(0), Set{}, uint64(0)
	drivers := m.p.shared[o.a].drivers
	for i, by := range drivers {
		on, d := m.can(by.enable), m.can(by.data)
		for _, other := range drivers[:i] {
			if other.data != by.data {
				e := m.can(other.data)
				fight |= on.Hi & m.can(other.enable).Hi & (d.Hi&e.Lo | d.Lo&e.Hi)
			}
		}
		may = may.or(Set{on.Hi & d.Hi, on.Hi & d.Lo})
		off &= on.Lo
		now := m.moves[by.data] & on.Hi
		pulse |= m.pulse[by.enable] | m.pulse[by.data]&on.Hi | moves&(m.moves[by.enable]|now) | m.moves[by.enable]&now
		moves |= m.moves[by.enable] | now
	}
	both := may.WithUnknown(off).both()
	moves, pulse = moves&both, pulse&both
	if m.lanes != nil {
		return moves | differ(m.before[o.out], m.v[o.out]), pulse
	}
	return moves | off | fight, pulse | off | fight
}
