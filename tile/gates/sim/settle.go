package sim

// begin records the state at the start of an event.
func (m *Machine) begin() {
	if m.lanes != nil {
		m.lanes.toss()
	}
	if !m.p.restless {
		return
	}
	m.late = m.late[:0]
	k := 0
	for i := range m.p.groups {
		g := &m.p.groups[i]
		m.groups[i].loose = 0
		if !g.steady {
			for j, b := range g.bits {
				m.window[k+j] = m.v[b.d]
			}
		}
		k += len(g.bits)
	}
	for i, l := range m.p.latches {
		m.window[k+i] = m.v[l.d]
		m.loose[i] = 0
	}
	for i, b := range m.state {
		m.start[i], m.moved[i], m.stuck[i] = m.v[b.q], motion{}, 0
	}
	for _, n := range m.p.sources {
		m.moves[n], m.pulse[n] = 0, 0
	}
	for _, c := range m.p.cuts {
		m.moves[c.q], m.pulse[c.q] = 0, 0
	}
	if m.lanes == nil { // oscillators that are unknown may have oscillated since power-up
		for _, n := range m.p.stirring {
			m.moves[n], m.pulse[n] = m.v[n].both(), m.v[n].both()
		}
	}
	clear(m.vague)
	m.swept = 0
}

// Numbers of rounds after which changing state counts as unsettled, unless a period is found earlier. firstLimit
// applies until state is first given up.
const (
	firstLimit = 200
	nextLimit  = 64
	lastRounds = 32  // rounds before the limit in which changes are recorded
	maxSweeps  = 32  // half the number of sweeps after which a chip's loops that still change count as oscillating
	maxSwept   = 128 // maximum number of sweeps in an event
	maxCalms   = 4   // number of times that only the changing state is given up
)

// allow restarts the count of rounds after which state is given up.
func (m *Machine) allow() {
	m.last = m.round + m.limit
	m.noting = m.last - lastRounds
	m.trail.restart(m.round)
}

// look ends a periodic event early, since everything that can change has changed within a period.
func (m *Machine) look() {
	if !m.p.restless || m.round > m.noting {
		return
	}
	if period := m.trail.period(m); period > 0 && m.round+period < m.last {
		m.noting, m.last = m.round, m.round+period
	}
}

// settle runs until nothing changes.
func (m *Machine) settle() {
	if len(m.state) == 0 {
		return
	}
	m.gaveUp, m.uneasy, m.lost = 0, 0, 0
	calms := 0
	m.round = 0
	m.allow()
	for m.round = 1; ; m.round++ {
		again := m.step()
		if !again && (calms > 0 || m.gaveUp == 0) {
			return
		}
		m.run(m.p.behindState)
		if !again || m.round == m.last {
			if calms++; calms > maxCalms {
				m.surrender()
			}
			m.calm()
			m.allow()
		} else {
			m.look()
		}
	}
}

// step makes one round and reports whether another is needed.
func (m *Machine) step() (changed bool) {
	if !m.p.restless {
		m.update()
		return m.commit()
	}
	m.watch()
	m.outside = 0
	if m.lanes != nil {
		for _, n := range m.p.sources {
			m.outside |= m.moves[n]
		}
	}
	looped := m.loops()
	m.update()
	m.forget()
	changed = m.commit() || looped
	for i, b := range m.state[:len(m.state)-len(m.p.cuts)] {
		to := &m.coming[i]
		more := m.moved[i].add(*to) &^ m.lost
		if more != 0 {
			m.stir(more)
			changed = true
		}
		if m.lanes != nil { // in lanes, a pulse is decided at random, and watch finds changed levels
			to.moves, to.pulse = to.moves&more, to.pulse&more
		}
		m.moves[b.q], m.pulse[b.q] = to.moves|to.pulse, to.pulse
		*to = motion{}
	}
	return changed
}

// surrender gives up all state of the vectors in which anything still changes. That bounds the time of an event.
func (m *Machine) surrender() {
	m.lost |= m.uneasy
	for i := range m.stuck {
		m.stuck[i] |= m.lost
	}
}

// calm makes state that still changes unknown until the next event. Other state of the same vectors may have kept its
// value in this event, or taken any data if its clock may have moved. Settled vectors keep their levels.
func (m *Machine) calm() {
	m.limit = nextLimit
	for i, b := range m.state {
		if m.lanes == nil {
			s := m.start[i]
			m.v[b.q] = m.v[b.q].or(Set{s.Hi & m.uneasy, s.Lo & m.uneasy})
		}
		m.v[b.q] = m.disturb(i, m.v[b.q])
	}
	if m.lanes == nil {
		for i := range m.groups {
			if !m.p.groups[i].steady {
				m.groups[i].loose |= m.uneasy
			}
		}
		for i := range m.loose {
			m.loose[i] |= m.uneasy
		}
	}
	m.runAll()
}

// disturb returns the level of a bit of state, unknown in the vectors in which the bit does not settle.
func (m *Machine) disturb(i int, n Set) Set {
	s := m.stuck[i]
	if s == 0 || m.lanes == nil {
		return n.WithUnknown(s)
	}
	r := m.lanes.random(int32(i))
	return Set{n.Hi&^s | r&s, n.Lo&^s | ^r&s}
}

// put sets a bit of state to its next value, and reports whether that differs; a recorded bit is then unsettled.
func (m *Machine) put(i int, n Set) (changed bool) {
	q := m.state[i].q
	old := m.v[q]
	if old == n && m.stuck[i] == 0 && m.lanes == nil {
		return false
	}
	if n = m.disturb(i, n); m.lanes != nil {
		changed = n.both()&m.outside&^m.lost != 0 // a level picked for a pulse may change back without it
		n = m.lanes.pick(n, q)
	}
	if old == n {
		return changed
	}
	m.v[q] = n
	m.touch(q)
	m.seen.add(q, n)
	m.giveUp(i, differ(old, n))
	return true
}

// giveUp records the vectors in which a bit of state still changes just before changing state is given up.
func (m *Machine) giveUp(i int, vectors uint64) {
	if vectors != 0 && m.round > m.noting {
		m.stuck[i], m.gaveUp, m.uneasy = m.stuck[i]|vectors, m.gaveUp|vectors, m.uneasy|vectors
	}
}

// stir records the vectors in which something other than a level is new in this round.
func (m *Machine) stir(vectors uint64) {
	if m.round > m.noting {
		m.uneasy |= vectors
	}
}
