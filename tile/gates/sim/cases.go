package sim

import (
	"math/bits"
)

// Cases deduce the state of one chip from its samples. Each vector of a ternary machine is a case, an assumption about
// the chip's state, and together the cases cover every state that a good chip may be in; the first case assumes
// nothing. A case that contradicts a sample is dropped. When all are dropped, no good chip could return these samples.
//
// If all cases agree on a level, a good chip must show it, although it depends on the power-up state.
//
// Only flip-flops and latches that rest between events are assumed to hold a level, so nothing is concluded about
// oscillators and anything behind floating nets. State machines that synthesis may re-encode are left out too: before a
// reset, a chip with a flip-flop for each state may be in none of them, or in two. There are at most 64 cases, and the
// work is limited: beyond these limits fewer levels are deduced.
type Cases struct {
	m, probe *Machine
	alive    uint64
	room     uint64 // vectors that may be cases
	outs     []int32
	quiet    []bool
	cone     []op     // computes outs from state
	leaves   []int32  // nets that the cone reads and does not compute
	support  []uint64 // by bit of state: outs that depend on it
	lines    uint64   // outs on which dropped cases differ from the samples
	spent    int      // evaluations of operations
	short    bool     // work or cases did not suffice
	found    []int32  // state that may be assumed
}

// NewCases returns the cases of a chip with up to 64 visible nets, on a machine after power-up. The caller must not
// change the machine except by events.
func NewCases(m *Machine, outs []Net) *Cases {
	p := m.p
	c := &Cases{m: m, quiet: p.quiet(), probe: &Machine{p: p, v: make([]Set, p.size)}, alive: 1, room: ^uint64(0),
		support: make([]uint64, len(m.state))}
	for _, n := range outs {
		c.outs = append(c.outs, p.of[n])
	}
	c.uncode()
	c.look()
	return c
}

// uncode prevents assumptions about state machines that synthesis may encode differently, and about removed state.
func (c *Cases) uncode() {
	p, other := c.m.p, map[int32]bool{}
	if !p.circuit.FromRTL {
		return
	}
	for _, n := range p.circuit.RecodableNets {
		other[p.of[n]] = true
	}
	held := p.held()
	for i, b := range c.m.state {
		c.quiet[i] = c.quiet[i] && !other[b.q] && !held[i]
	}
}

// look finds the state that the outs depend on.
func (c *Cases) look() {
	p := c.m.p
	wanted := make([]uint64, p.size)
	for i, n := range c.outs {
		if n >= 0 {
			wanted[n] |= 1 << i
		}
	}
	for i := len(p.ops) - 1; i >= 0; i-- {
		o := &p.ops[i]
		reads(o, p.shared, func(n *int32) { wanted[*n] |= wanted[o.out] })
	}
	computed := make([]bool, p.size)
	for _, o := range p.behindState {
		if wanted[o.out] != 0 {
			c.cone = append(c.cone, o)
			computed[o.out] = true
		}
	}
	for n := range computed {
		if wanted[n] != 0 && !computed[n] {
			c.leaves = append(c.leaves, int32(n))
		}
	}
	for i, b := range c.m.state {
		c.support[i] = wanted[b.q]
	}
}

// AssumableOutputs returns the outs that depend on state which may be assumed.
func (c *Cases) AssumableOutputs() (outs uint64) {
	for i, some := range c.support {
		if c.quiet[i] {
			outs |= some
		}
	}
	return outs
}

// Start starts again with one case: a copy of a machine after power-up. The budget of work grows with steps.
func (c *Cases) Start(fresh *Machine, steps int) {
	c.m.CopyFrom(fresh)
	c.alive, c.short, c.spent = 1, false, spendShare*c.m.work-spendFirst-spendStep*steps
}

// CutShort reports whether cases or work ran out since Start, so that some levels may be missing.
func (c *Cases) CutShort() bool { return c.short }

// AgreedLevels returns the outs for which all cases know the same level, and these levels.
func (c *Cases) AgreedLevels() (known, level uint64) {
	for i, n := range c.outs {
		if n < 0 {
			continue
		}
		switch s := c.m.v[n]; {
		case s.Lo&c.alive == 0:
			known, level = known|1<<i, level|1<<i
		case s.Hi&c.alive == 0:
			known |= 1 << i
		}
	}
	return known, level
}

// Observe drops cases that contradict the known levels of outs, and makes the assumptions that follow from these
// levels. If all cases are dropped, it returns the outs on which they contradicted these levels.
func (c *Cases) Observe(known, level uint64) (wrong uint64) {
	c.lines = 0
	for todo := c.alive; todo != 0; {
		lane := bits.TrailingZeros64(todo)
		before := c.alive
		c.refine(lane, known, level)
		todo = todo&^(1<<lane)&c.alive | c.alive&^before
	}
	if c.alive == 0 {
		return c.lines
	}
	return 0
}

// wrong returns the outs that differ from the samples in a vector of a machine, and the outs that are unknown there.
func (c *Cases) wrong(m *Machine, lane int, known, level uint64) (wrong, open uint64) {
	for i, n := range c.outs {
		if n < 0 || known>>i&1 == 0 {
			continue
		}
		s := m.v[n]
		switch hi, lo := s.Hi>>lane&1, s.Lo>>lane&1; {
		case hi&lo != 0:
			open |= 1 << i
		case hi != level>>i&1:
			wrong |= 1 << i
		}
	}
	return wrong, open
}
