package sim

// Clone returns a copy of the machine, in the same state, that will make the same random choices.
func (m *Machine) Clone() *Machine {
	c := blank(m.p, m.state)
	if m.lanes != nil {
		c.lanes = m.lanes.clone()
	}
	c.dirty = newDirty(m.p, c.lanes)
	c.CopyFrom(m)
	return c
}

// CopyFrom copies the state of another machine. One of the two must be a clone of the other.
func (m *Machine) CopyFrom(o *Machine) {
	copy(m.v, o.v)
	copy(m.groups, o.groups)
	copy(m.latches, o.latches)
	copy(m.before, o.before)
	copy(m.wild, o.wild)
	copy(m.around, o.around)
	m.limit, m.oscillates = o.limit, o.oscillates
	m.pending = append(m.pending[:0], o.pending...)
	if m.lanes != nil {
		m.lanes.copyFrom(o.lanes)
	}
}

// SetUnknownState sets unknown state to levels in the given vectors, and settles.
func (m *Machine) SetUnknownState(vectors, levels uint64) {
	for _, b := range m.state {
		q := &m.v[b.q]
		x := q.both() & vectors
		q.Hi, q.Lo = q.Hi&^(x&^levels), q.Lo&^(x&levels)
	}
	m.wake()
}

// CopyVector copies the levels of a vector from this or another machine of the program. Both must be between events.
func (m *Machine) CopyVector(o *Machine, from, to int) {
	for i := range m.v {
		m.v[i].copy(o.v[i], from, to)
	}
	m.atRest()
}

// CopyLanesFrom copies some vectors' levels from another machine of the program. Both must be between events.
func (m *Machine) CopyLanesFrom(o *Machine, vectors uint64) {
	for i, s := range o.v {
		at := &m.v[i]
		at.Hi, at.Lo = at.Hi&^vectors|s.Hi&vectors, at.Lo&^vectors|s.Lo&vectors
	}
	m.atRest()
}

// Join adds to each net the levels that it has in another machine of the program, and settles. Both must be between
// events. It reports whether any level is new.
func (m *Machine) Join(o *Machine) (more bool) {
	for i, s := range o.v {
		joined := m.v[i].or(s)
		more = more || joined != m.v[i]
		m.v[i] = joined
	}
	m.wake()
	return more
}

// HasOnlyDirectControls reports whether only a clock, set or reset that comes straight from an input can change state.
func (p *Program) HasOnlyDirectControls() bool { return !p.restless }

// HasSeparateVectors reports whether the vectors of a ternary machine never affect each other, since nothing oscillates
// or floats. Each may then have its own events.
func (p *Program) HasSeparateVectors() bool {
	return !p.restless || len(p.stirring) == 0 && len(p.floats) == 0
}

// copy copies the value of a vector from another set.
func (s *Set) copy(o Set, from, to int) {
	s.Hi = s.Hi&^(1<<to) | o.Hi>>from&1<<to
	s.Lo = s.Lo&^(1<<to) | o.Lo>>from&1<<to
}

// sameAs returns the vectors in which all nets have the same levels as in the given one. It is valid between events.
func (m *Machine) sameAs(vector int) (same uint64) {
	same = ^uint64(0)
	for _, s := range m.v {
		same &^= (s.Hi ^ -(s.Hi >> vector & 1)) | (s.Lo ^ -(s.Lo >> vector & 1))
	}
	return same
}

// Preview evaluates the gates behind changing inputs, without state. The levels are then valid, but the machine must
// copy another's state before its next event.
func (m *Machine) Preview(behind *Cone) {
	if len(m.pending) == 0 {
		return
	}
	m.change()
	m.run(behind.ops)
}

// PossibleLevels returns a function that gives the levels that a net may ever have, for any inputs and state.
func (p *Program) PossibleLevels() func(n Net) Set {
	m := p.open()
	m.evaluate(p.ops)
	return m.Level
}

// open returns a machine in which each net may have any level. Only evaluate may be called.
func (p *Program) open() *Machine {
	m := &Machine{p: p, v: make([]Set, p.size)}
	for i := range m.v {
		m.v[i] = X
	}
	m.v[Zero], m.v[One] = Level(0), Level(^uint64(0))
	return m
}
