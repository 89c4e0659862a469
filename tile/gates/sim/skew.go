package sim

// A late input of an event may still have its earlier level, in some vectors, and may have changed more than once.
type late struct {
	net            int32
	from           Set
	where, wanders uint64
}

// skew lets the inputs of an event change at different times in the vectors in which that matters: if one input
// controls state, another may change after that state does. If several changing inputs control state, all changing
// inputs first have either level until the machine settles.
func (m *Machine) skew(behind *Cone) {
	if !m.p.restless || m.lanes != nil {
		return
	}
	any, several, control, crossed := uint64(0), uint64(0), uint64(0), uint64(0)
	for _, c := range m.pending {
		d := differ(m.v[c.net], c.to)
		any, several = any|d, several|any&d
		if m.p.controls[c.net] {
			control, crossed = control|d, crossed|control&d
		}
	}
	if several &= control; several == 0 {
		return
	}
	for _, c := range m.pending {
		m.late = append(m.late, late{net: c.net, from: m.v[c.net], where: several &^ crossed})
	}
	if crossed != 0 {
		m.wander(crossed, behind)
	}
}

// wander settles some vectors while late inputs may have either level.
func (m *Machine) wander(vectors uint64, behind *Cone) {
	for i, c := range m.pending {
		l := &m.late[i]
		l.wanders = vectors & differ(l.from, c.to)
		m.v[l.net] = l.from.WithUnknown(l.wanders)
		m.touch(l.net)
	}
	m.run(behind.ops)
	m.settle()
	for i := range m.late {
		m.late[i].wanders = 0
	}
	clear(m.moved)
}

// delay lets late inputs change again in this round.
func (m *Machine) delay() {
	for _, l := range m.late {
		b := &m.before[l.net]
		*b = Set{b.Hi&^l.where | l.from.Hi&l.where, b.Lo&^l.where | l.from.Lo&l.where}
		m.moves[l.net] |= l.wanders
		m.pulse[l.net] |= l.wanders
	}
}
