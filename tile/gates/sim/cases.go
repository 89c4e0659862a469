package sim

import (
	"math/bits"

	"utfbench/tile/gates/circuit"
)

// Cases follow one chip by what it shows. Each vector of a ternary machine is a case, an assumption about the state of
// the chip, and together the cases cover every state that a right chip may be in: at first there is one, in which
// nothing is known. A case that contradicts what the chip shows is dropped. When none is left, no right chip shows
// that.
//
// A level that all cases agree on, a right chip must show, although it depends on its state at power-up.
//
// Only flip-flops and latches that rest between events are assumed to hold a level, so nothing is claimed of
// oscillators, and of what hangs on floating nets. Nor are those of state machines that synthesis may encode
// differently: before a reset, a chip with a flip-flop for each state may be in none of them, or in two. There are 64
// cases at most, and a limit on the work: beyond it cases only know less.
type Cases struct {
	m, probe *Machine
	alive    uint64
	room     uint64 // the vectors that may be cases
	outs     []int32
	quiet    []bool
	cone     []op     // that compute outs from state
	leaves   []int32  // the nets that these read and do not compute
	support  []uint64 // of each bit of state: the outs that depend on it
	lines    uint64   // the outs on which the cases that were dropped differ
	spent    int      // evaluations of operations
	short    bool     // whether work or cases were too few to tell all
	found    []int32  // state that may be assumed
}

// NewCases returns the cases of a chip, of which up to 64 nets are seen, on a machine after power-up. The machine is
// for its events; nothing else may change it.
func NewCases(m *Machine, outs []circuit.Net) *Cases {
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

// uncode prevents assumptions that a state machine is in one of the circuit's states, or that state exists which
// synthesis omits.
func (c *Cases) uncode() {
	p, other := c.m.p, map[int32]bool{}
	if !p.circuit.RTL {
		return
	}
	for _, n := range p.circuit.Coded {
		other[p.of[n]] = true
	}
	held := p.held()
	for i, b := range c.m.state {
		c.quiet[i] = c.quiet[i] && !other[b.q] && !held[i]
	}
}

// look finds the dependencies of the outs.
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

// Possible returns the outs that depend on state which may be assumed.
func (c *Cases) Possible() (outs uint64) {
	for i, some := range c.support {
		if c.quiet[i] {
			outs |= some
		}
	}
	return outs
}

// Start restarts with one case: a machine after power-up.
func (c *Cases) Start(fresh *Machine) {
	c.m.CopyFrom(fresh)
	c.alive, c.short, c.spent = 1, false, spendShare*c.m.work-spendFirst
}

// Short reports whether cases or work were too few since Start, so that more might be known.
func (c *Cases) Short() bool { return c.short }

// Agreed returns the outs of which all cases know the same level, and the levels.
func (c *Cases) Agreed() (known, level uint64) {
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

// Observe drops cases that contradict the levels of some outs, and assumes what these tell of the state. If no case is
// left, it returns the outs on which some differ.
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

// wrong returns the outs that differ from the samples in a vector of a machine, and the unknown ones.
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
