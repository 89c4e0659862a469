package sim

// update computes the next value of all state. All of it looks at the same levels.
func (m *Machine) update() {
	k := 0
	for i := range m.p.groups {
		g := &m.p.groups[i]
		m.clock(g, &m.groups[i], k)
		k += len(g.bits)
	}
	for i := range m.p.latches {
		m.latch(i, k+i)
	}
	k += len(m.p.latches)
	for i, c := range m.p.cuts {
		n := m.v[c.d].with(m.pulse[c.d])
		m.next[k+i] = n
		m.coming[k+i] = motion{m.moves[c.d] & n.both(), m.pulse[c.d]}
	}
}

// commit puts the next state.
func (m *Machine) commit() (changed bool) {
	k := 0
	for i := range m.p.groups {
		n := len(m.p.groups[i].bits)
		if m.groups[i].active {
			for j := k; j < k+n; j++ {
				if m.put(j, m.next[j]) {
					changed = true
				}
			}
		}
		k += n
	}
	for ; k < len(m.state); k++ {
		if m.put(k, m.next[k]) {
			changed = true
		}
	}
	return changed
}

// clock computes the next state of a group of flip-flops, whose first bit of state is k.
func (m *Machine) clock(g *group, s *groupState, k int) {
	old, now, set, reset := s.clock, m.v[g.clock], m.v[g.set], m.v[g.reset]
	s.clock = now
	if g.steady && old == now && set.Hi|reset.Hi == 0 && s.set.Hi|s.reset.Hi == 0 {
		s.active = false
		return
	}
	sure, may := old.Lo&^old.Hi&now.Hi&^now.Lo, old.Lo&now.Hi
	pulseSet, pulseReset := uint64(0), uint64(0)
	if m.p.restless {
		if !g.steady {
			may = may&m.moves[g.clock] | m.pulse[g.clock] | s.loose
			sure &^= m.pulse[g.clock] | s.loose
			if m.lanes == nil {
				s.loose |= may &^ sure
			}
			m.widen(g, k)
		}
		pulseSet, pulseReset = m.pulse[g.set], m.pulse[g.reset]|s.reset.Hi&may
		pulseSet |= s.set.Hi & may
	}
	s.set, s.reset = set, reset
	touched := may | set.Hi | reset.Hi | pulseSet | pulseReset
	if s.active = touched != 0; !s.active {
		return
	}
	pulseReset &= set.Lo
	for j, b := range g.bits {
		q, d := m.v[b.q], m.v[b.d]
		if !g.steady {
			d = m.window[k+j]
		}
		n := Set{d.Hi&may | q.Hi&^sure, d.Lo&may | q.Lo&^sure}
		n = Set{n.Hi | pulseSet, n.Lo | pulseReset}
		m.next[k+j] = n.override(set, reset)
		if m.p.restless {
			m.coming[k+j].moves = (n.both() | q.both()) & touched
		}
	}
}

// widen adds the data of this round to those that a clock in this event may take.
func (m *Machine) widen(g *group, k int) {
	for j, b := range g.bits {
		m.window[k+j] = m.window[k+j].or(m.v[b.d]).with(m.pulse[b.d])
	}
}

// latch computes the next state of a latch, whose bit of state is k.
func (m *Machine) latch(i, k int) {
	l := &m.p.latches[i]
	old, now, q, d := m.enables[i], m.v[l.enable], m.v[l.q], m.v[l.d]
	m.enables[i] = now
	m.window[k] = m.window[k].or(d).with(m.pulse[l.d])
	unsure := m.pulse[l.enable] | m.loose[i]
	opened := unsure | (old.Hi & (m.moves[l.enable] | now.Hi)) // at a time in this round
	if m.lanes == nil {
		m.loose[i] |= m.pulse[l.enable]
	}
	w := m.window[k]
	n := Set{now.Hi&d.Hi | now.Lo&(q.Hi|opened&w.Hi), now.Hi&d.Lo | now.Lo&(q.Lo|opened&w.Lo)}
	set, reset := m.v[l.set], m.v[l.reset]
	n = Set{n.Hi | m.pulse[l.set], n.Lo | m.pulse[l.reset]&set.Lo}.override(set, reset)
	m.next[k] = n
	through := now.Hi | opened
	m.coming[k] = motion{through & m.moves[l.d] & n.both(), through & m.pulse[l.d]}
}
