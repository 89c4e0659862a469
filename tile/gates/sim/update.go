package sim

// update computes the next values of all state from the current levels.
func (m *Machine) update() {
	const flopsPerOp, latchCosts = 4, 6
	m.work += m.p.flops/flopsPerOp + latchCosts*len(m.p.latches)
	m.due = m.due[:0]
	k := 0
	for i := range m.p.groups {
		g := &m.p.groups[i]
		m.clock(g, &m.groups[i], k)
		k += len(g.bits)
	}
	for i := range m.p.latches {
		m.latch(i, k+i)
	}
}

// loops settles the loops of gates, and reports whether they need another round. Within a round the copies at which
// loops are cut are as fast as any gate: a copy that changes twice has a pulse, and is unknown until the next round.
func (m *Machine) loops() (changed bool) {
	clear(m.flips)
	for again := len(m.p.cuts) > 0; again; {
		again = false
		for i, c := range m.p.cuts {
			m.fresh[c.q] = m.copyLoop(i, c)
			again = again || m.fresh[c.q]
		}
		if again {
			m.follow()
		}
	}
	if m.lanes != nil && m.swept < maxSwept {
		m.rest()
	}
	for i, c := range m.p.cuts {
		seen := &m.moved[len(m.state)-len(m.p.cuts)+i]
		now := motion{moves: m.moves[c.q], pulse: m.pulse[c.q]}
		more := differ(m.before[c.q], m.v[c.q]) | seen.add(now)
		if more &^= m.lost; more != 0 {
			m.stir(more)
			changed = true
		}
	}
	return changed
}

// rest lets the loops of chips settle from the random levels that pulses left in them. The loops' copies change in
// random order, since gates have arbitrary delays. Loops that still change count as oscillating, and keep random levels
// until a net around the loops changes.
func (m *Machine) rest() {
	if m.ringing() {
		return
	}
	first := len(m.state) - len(m.p.cuts)
	for i, c := range m.p.cuts {
		m.next[first+i] = m.v[c.q]
	}
	sweeps := min(4*len(m.p.cuts)-3, maxSweeps) // a single copy needs only one
	for n := range 2 * sweeps {
		m.swept++
		if n%sweeps == 0 {
			clear(m.picked)
		}
		open := uint64(0)
		for i, c := range m.p.cuts {
			to := m.v[c.d]
			change := differ(m.v[c.q], to) &^ m.stuck[first+i]
			open |= change
			if sweeps > 1 {
				change &= m.lanes.random(c.q + int32(n)*m.p.size)
			}
			m.turn(i, c, to, change)
		}
		if open == 0 {
			clear(m.picked)
			return
		}
		m.follow()
	}
	moving := uint64(0)
	for i, c := range m.p.cuts {
		d := differ(m.v[c.q], m.v[c.d]) &^ m.stuck[first+i]
		m.picked[i] |= d
		moving |= d
	}
	for i, c := range m.p.cuts {
		m.picked[i] &= moving
		m.turn(i, c, m.next[first+i], m.picked[i])
	}
	m.follow()
	copy(m.wild, m.picked)
	m.oscillates = moving
	for i, n := range m.p.around {
		m.around[i] = m.v[n]
	}
}

// ringing reports whether only loops that oscillate after the last sweeps still change, and if so continues them.
func (m *Machine) ringing() bool {
	for i, n := range m.p.around {
		m.oscillates &^= differ(m.around[i], m.v[n])
	}
	open := uint64(0)
	for i, c := range m.p.cuts {
		d := differ(m.v[c.q], m.v[c.d]) &^ m.stuck[len(m.state)-len(m.p.cuts)+i]
		if open |= d; d&^(m.oscillates&m.wild[i]) != 0 {
			return false
		}
	}
	if open == 0 {
		return false
	}
	for i, c := range m.p.cuts {
		m.picked[i] = m.wild[i] & open
		m.turn(i, c, m.v[c.q], m.picked[i])
	}
	m.follow()
	return true
}

// turn sets a copy to a level in some lanes, and marks these as picked.
func (m *Machine) turn(i int, c bit, to Set, lanes uint64) {
	d := differ(m.v[c.q], to) & lanes
	m.picked[i] |= lanes
	m.fresh[c.q] = d != 0
	m.v[c.q] = Set{m.v[c.q].Hi ^ d, m.v[c.q].Lo ^ d}
	m.moves[c.q], m.pulse[c.q] = m.moves[c.q]|d, m.pulse[c.q]|d
	m.seen.add(c.q, m.v[c.q])
}

// follow evaluates the operations behind copies with a new level, move or pulse, and leaves nothing for run.
func (m *Machine) follow() {
	for i := range m.p.behindCuts {
		o := &m.p.behindCuts[i]
		m.fresh[o.out] = m.reached(o) && m.again(i)
	}
}

// reached reports whether anything about an operation's inputs is new.
func (m *Machine) reached(o *op) bool {
	switch o.kind {
	case opShared:
		for _, by := range m.p.shared[o.a].drivers {
			if m.fresh[by.enable] || m.fresh[by.data] {
				return true
			}
		}
		return false
	case opForce:
		return m.fresh[o.a]
	}
	return m.fresh[o.a] || m.fresh[o.b] || m.fresh[o.c] // b and c are 0 if unused
}

// again evaluates an operation behind cuts, and reports whether anything about its output is new.
func (m *Machine) again(i int) bool {
	o := &m.p.behindCuts[i]
	old, moves, pulse := m.v[o.out], m.moves[o.out], m.pulse[o.out]
	m.evaluate(m.p.behindCuts[i : i+1])
	m.seen.add(o.out, m.v[o.out])
	if m.p.watchedCuts[i] {
		m.work += watchCosts
		m.watchOp(o)
	}
	return old != m.v[o.out] || moves != m.moves[o.out] || pulse != m.pulse[o.out]
}

// copyLoop gives a copy the level of its net, and reports whether anything about it is new. A level that was unknown
// because of a pulse and is known again has not moved: the chip may have had it all the time.
func (m *Machine) copyLoop(i int, c bit) (changed bool) {
	k := len(m.state) - len(m.p.cuts) + i
	old, moves, pulse := m.v[c.q], m.moves[c.d], m.pulse[c.d]|m.pulse[c.q]
	to := m.v[c.d].WithUnknown(pulse)
	d, open := differ(old, to), old.both()
	if m.lanes != nil {
		open = m.picked[i]
	}
	d &^= m.vague[i] & open & to.KnownVectors()
	pulse |= d & m.flips[i]
	m.flips[i] |= d
	to = to.WithUnknown(pulse | m.stuck[k])
	m.vague[i] |= pulse
	if m.lanes != nil {
		m.picked[i] = to.both()
		to = m.lanes.pick(to, c.q)
	}
	m.giveUp(k, differ(old, to))
	moves = moves&to.both() | d | pulse
	changed = old != to || moves&^m.moves[c.q]|pulse&^m.pulse[c.q] != 0
	if old != to {
		m.v[c.q] = to
		m.seen.add(c.q, to)
	}
	m.moves[c.q] |= moves
	m.pulse[c.q] |= pulse
	return changed
}

func (m *Machine) commit() (changed bool) {
	for _, i := range m.due {
		changed = m.put(int(i), m.next[i]) || changed
	}
	for i := m.p.flops; i < len(m.state)-len(m.p.cuts); i++ {
		changed = m.put(i, m.next[i]) || changed
	}
	return changed
}

// clock computes the next state of a group of flip-flops, whose first bit is bit k of the state.
func (m *Machine) clock(g *group, s *groupState, k int) {
	old, now, set, reset := s.clock, m.v[g.clock], m.v[g.set], m.v[g.reset]
	s.clock = now
	busy := set.Hi | reset.Hi | s.set.Hi | s.reset.Hi
	if m.p.restless {
		busy |= m.pulse[g.set] | m.pulse[g.reset]
	}
	if g.steady && old == now && busy == 0 {
		return
	}
	sure, may := old.Lo&^old.Hi&now.Hi&^now.Lo, old.Lo&now.Hi
	if g.steady { // an unknown clock has no further edge if only another vector changed
		may &= differ(old, now) | busy
	}
	if g.steady && busy == 0 && sure == may && !m.p.restless {
		m.take(g, k, sure)
		return
	}
	pulseSet, pulseReset, rings := uint64(0), uint64(0), [2]uint64{}
	if m.p.restless {
		rings = [2]uint64{m.pulse[g.set], m.pulse[g.reset]}
		if !g.steady {
			may = may&m.moves[g.clock] | m.pulse[g.clock] | s.loose
			sure &^= m.pulse[g.clock] | s.loose
			if m.lanes == nil {
				s.loose |= may &^ sure
			}
			m.widen(g, k)
		}
		pulseSet = m.pulse[g.set] | s.set.Hi&(may|m.moves[g.reset])
		pulseReset = m.pulse[g.reset] | s.reset.Hi&(may|m.moves[g.set])
	}
	a := agents{set: set.Hi | s.set.Hi | pulseSet, reset: reset.Hi | s.reset.Hi | pulseReset, data: may,
		alone: ^(reset.Lo | s.reset.Lo | rings[1])}
	a.alone |= ^(set.Lo | s.set.Lo | rings[0]) &^ a.reset
	s.set, s.reset = set, reset
	touched := may | set.Hi | reset.Hi | pulseSet | pulseReset
	if touched == 0 {
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
		n = n.override(set, reset)
		m.next[k+j] = n
		m.due = append(m.due, int32(k+j))
		if m.p.restless {
			m.coming[k+j] = motion{moves: (n.both() | q.both()) & touched, pulse: a.pulse(q, n, d)}
		}
	}
}

// take loads a group's data in the vectors in which its clock rises while set and reset are inactive.
func (m *Machine) take(g *group, k int, vectors uint64) {
	if vectors == 0 {
		return
	}
	for j, b := range g.bits {
		q, d := m.v[b.q], m.v[b.d]
		if q == d {
			continue
		}
		m.next[k+j] = Set{d.Hi&vectors | q.Hi&^vectors, d.Lo&vectors | q.Lo&^vectors}
		m.due = append(m.due, int32(k+j))
	}
}

// widen adds this round's data to the data that a clock in this event may capture.
func (m *Machine) widen(g *group, k int) {
	for j, b := range g.bits {
		m.window[k+j] = m.window[k+j].or(m.v[b.d]).WithUnknown(m.pulse[b.d])
	}
}

// latch computes the next state of a latch, which is bit k of the state.
func (m *Machine) latch(i, k int) {
	l := &m.p.latches[i]
	was := m.latches[i]
	old, now, q, d := was.enable, m.v[l.enable], m.v[l.q], m.v[l.d]
	m.latches[i] = latchState{now, m.v[l.set], m.v[l.reset]}
	m.window[k] = m.window[k].or(d).WithUnknown(m.pulse[l.d])
	unsure := m.pulse[l.enable] | m.loose[i]
	opened := unsure | (old.Hi & (m.moves[l.enable] | now.Hi)) // at some time in this round
	if m.lanes == nil {
		m.loose[i] |= m.pulse[l.enable]
	}
	w := m.window[k]
	n := Set{now.Hi&d.Hi | now.Lo&(q.Hi|opened&w.Hi), now.Hi&d.Lo | now.Lo&(q.Lo|opened&w.Lo)}
	set, reset := m.v[l.set], m.v[l.reset]
	pulseSet := m.pulse[l.set] | was.set.Hi&m.moves[l.reset]
	pulseReset := m.pulse[l.reset] | was.reset.Hi&m.moves[l.set]
	n = Set{n.Hi | pulseSet, n.Lo | pulseReset&set.Lo}.override(set, reset)
	m.next[k] = n
	through := now.Hi | opened
	a := agents{set: set.Hi | was.set.Hi | pulseSet, reset: reset.Hi | was.reset.Hi | pulseReset, data: through,
		alone: ^(reset.Lo | was.reset.Lo | m.pulse[l.reset])}
	a.alone |= ^(set.Lo | was.set.Lo | m.pulse[l.set]) &^ a.reset
	opens := (unsure | m.moves[l.enable]) & q.or(w).both() // and may output different data than before
	acts := pulseSet | pulseReset | m.moves[l.set] | m.moves[l.reset]
	m.coming[k] = motion{moves: (through&^a.alone&(m.moves[l.d]|opens) | acts) & n.both(),
		pulse: through&^a.alone&(m.pulse[l.d]|opens&m.moves[l.d]) | a.pulse(q, n, w)}
}

// agents holds the vectors in which set, reset and data may have affected a bit during a round. In the vectors of
// alone, set or reset was active throughout and overrode everything.
type agents struct{ set, reset, data, alone uint64 }

// pulse returns the vectors in which a bit may have changed more than once, because two agents affected it in turn.
func (a *agents) pulse(old, now, d Set) uint64 {
	two := (a.set&a.reset | a.set&a.data | a.reset&a.data) &^ a.alone
	if two == 0 {
		return 0
	}
	may := Set{old.Hi | now.Hi | a.set | a.data&d.Hi, old.Lo | now.Lo | a.reset | a.data&d.Lo}
	return two & may.both()
}
