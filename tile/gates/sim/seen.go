package sim

import "utfbench/tile/gates/circuit"

// Seen is the levels that the nets of a machine had, by vector: those that they may have had, and those that they are
// known to have had.
type Seen struct {
	p     *Program
	may   []Set
	known []Set // Hi where the net was 1, Lo where it was 0
}

// Watch returns a record of the levels of all nets from now on, transient ones between two events included. It is
// empty at first.
func (m *Machine) Watch() *Seen {
	m.seen = &Seen{m.p, make([]Set, len(m.v)), make([]Set, len(m.v))}
	m.record()
	return m.seen
}

// record adds the present levels to the record, if there is one.
func (m *Machine) record() {
	if m.seen == nil {
		return
	}
	for i, s := range m.v {
		m.seen.may[i] = m.seen.may[i].or(s)
		m.seen.known[i] = m.seen.known[i].or(Set{s.Hi &^ s.Lo, s.Lo &^ s.Hi})
	}
}

// May returns the levels that a net may have had; Known those that it is known to have had, Hi for 1 and Lo for 0.
func (s *Seen) May(n circuit.Net) Set {
	if at := s.p.of[n]; at >= 0 {
		return s.may[at]
	}
	return X
}

// Known returns the vectors in which a net was 1 (Hi), and those in which it was 0 (Lo), for certain.
func (s *Seen) Known(n circuit.Net) Set {
	if at := s.p.of[n]; at >= 0 {
		return s.known[at]
	}
	return Set{}
}
