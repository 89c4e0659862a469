package sim

// WatchedLevels records which levels a machine's nets may have had, and which they have certainly had, by vector.
type WatchedLevels struct {
	p     *Program
	may   []Set
	known []Set // Hi where the net was 1, Lo where it was 0
}

// Watch starts to record the levels of all nets, including transient ones, and returns the record, which begins with
// the current levels. A second call restarts the same record.
func (m *Machine) Watch() *WatchedLevels {
	if m.seen == nil {
		m.seen = &WatchedLevels{m.p, make([]Set, len(m.v)), make([]Set, len(m.v))}
	}
	clear(m.seen.may)
	clear(m.seen.known)
	m.record()
	return m.seen
}

// record adds the current levels of all nets to the record, if there is one.
func (m *Machine) record() {
	if m.seen != nil {
		for i := range m.v {
			m.seen.add(int32(i), m.v[i])
		}
	}
}

// recordOps adds the current levels of the nets that operations compute.
func (m *Machine) recordOps(ops []op) {
	if m.seen != nil {
		for i := range ops {
			m.seen.add(ops[i].out, m.v[ops[i].out])
		}
	}
}

func (s *WatchedLevels) add(net int32, level Set) {
	if s != nil {
		s.may[net] = s.may[net].or(level)
		s.known[net] = s.known[net].or(Set{level.Hi &^ level.Lo, level.Lo &^ level.Hi})
	}
}

// PossibleLevels returns the levels that a net may have had.
func (s *WatchedLevels) PossibleLevels(n Net) Set {
	if at := s.p.of[n]; at >= 0 {
		return s.may[at]
	}
	return X
}

// KnownLevels returns the vectors in which a net was certainly 1 (Hi), and those in which it was certainly 0 (Lo).
func (s *WatchedLevels) KnownLevels(n Net) Set {
	if at := s.p.of[n]; at >= 0 {
		return s.known[at]
	}
	return Set{}
}
