package sim

// A Set holds the values that a net may have in 64 vectors: Hi where it may be 1, Lo where it may be 0.
type Set struct{ Hi, Lo uint64 }

// X is an unknown level.
var X = Set{^uint64(0), ^uint64(0)}

// Level returns a known level, 1 in the vectors in ones and 0 in the others.
func Level(ones uint64) Set { return Set{ones, ^ones} }

// KnownVectors returns the vectors in which the level is known.
func (s Set) KnownVectors() uint64 { return s.Hi ^ s.Lo }

func (s Set) or(t Set) Set { return Set{s.Hi | t.Hi, s.Lo | t.Lo} }

// WithUnknown returns the set with both levels in the given vectors.
func (s Set) WithUnknown(unknown uint64) Set { return Set{s.Hi | unknown, s.Lo | unknown} }

// both returns the vectors in which the level is unknown.
func (s Set) both() uint64 { return s.Hi & s.Lo }

// override returns the values of a bit after set and reset. If these may be active, so may their levels.
func (s Set) override(set, reset Set) Set {
	s = Set{s.Hi&set.Lo | set.Hi, s.Lo & set.Lo}
	return Set{s.Hi & reset.Lo, s.Lo&reset.Lo | reset.Hi}
}

// resolve returns a shared net's level: its enabled drivers', unknown if they disagree, floating if none is enabled.
func (m *Machine) resolve(o *op) Set {
	off, r := ^uint64(0), Set{}
	for _, by := range m.p.shared[o.a].drivers {
		on, d := m.v[by.enable], m.v[by.data]
		off &= on.Lo
		r.Hi |= on.Hi & d.Hi
		r.Lo |= on.Hi & d.Lo
	}
	if m.lanes == nil {
		return r.WithUnknown(off)
	}
	level := m.lanes.float(m.v[o.out].Hi, o.out)
	r = Set{r.Hi | off&level, r.Lo | off&^level}
	return m.lanes.pick(r, o.out)
}
