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

// The budget for assumptions: a share of the machine's work, plus a constant.
const (
	spendShare = 4
	spendFirst = 20_000_000
)

// mostBlind is how many bits of state may be open for one of them to be assumed although it tells nothing by itself, as
// those behind an XOR.
const mostBlind = 6

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

// exhausted reports whether the budget is spent.
func (c *Cases) exhausted() bool {
	if c.spent > spendShare*c.m.work {
		c.short = true
		return true
	}
	return false
}

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

// refine assumes in a case all that follows from the samples. If nothing follows, it splits the case.
func (c *Cases) refine(lane int, known, level uint64) {
	for {
		wrong, open := c.wrong(c.m, lane, known, level)
		if wrong != 0 {
			c.drop(lane, wrong)
			return
		}
		if open == 0 || c.exhausted() {
			return
		}
		best, follows, contradicts := c.try(lane, open, known, level)
		switch {
		case contradicts != 0:
			c.drop(lane, contradicts)
			return
		case follows:
			c.rest()
			continue
		}
		if best < 0 || !c.split(lane, best) {
			return
		}
	}
}

// split makes two cases of one, in which a bit of state is 0 and 1. It reports whether there is room for them.
func (c *Cases) split(lane int, i int32) bool {
	other := c.free()
	if other < 0 || c.alive>>lane&1 == 0 {
		return false
	}
	c.alive |= 1 << other
	c.m.CopyVector(c.m, lane, other)
	c.assume(lane, i, 0)
	c.assume(other, i, 1)
	c.rest()
	return true
}

// drop ends a case.
func (c *Cases) drop(lane int, wrong uint64) {
	c.lines |= wrong
	c.alive &^= 1 << lane
	if c.alive != 0 { // else it might take time over what no chip does
		c.m.CopyVector(c.m, bits.TrailingZeros64(c.alive), lane)
	}
}

// try assumes each level of each bit of state that unknown outs depend on, one at a time, in 64 vectors side by side.
// What contradicts is assumed to be the other way round in the case itself. Best is the bit that tells most otherwise,
// -1 if none tells anything. If neither level is possible, contradicts has the outs.
func (c *Cases) try(lane int, open, known, level uint64) (best int32, follows bool, contradicts uint64) {
	c.found = c.found[:0]
	for i, b := range c.m.state {
		if c.support[i]&open != 0 && c.quiet[i] && c.m.v[b.q].both()>>lane&1 != 0 {
			c.found = append(c.found, int32(i))
		}
	}
	best = -1
	most := 0
	for at := 0; at < len(c.found) && !c.exhausted(); at += 32 {
		some := c.found[at:min(at+32, len(c.found))]
		c.evaluate(lane, some)
		for j, i := range some {
			wrong0, open0 := c.wrong(c.probe, 2*j, known, level)
			wrong1, open1 := c.wrong(c.probe, 2*j+1, known, level)
			switch {
			case wrong0 != 0 && wrong1 != 0:
				return -1, false, wrong0
			case wrong0 != 0:
				c.assume(lane, i, 1)
				follows = true
			case wrong1 != 0:
				c.assume(lane, i, 0)
				follows = true
			}
			if told := 2*bits.OnesCount64(open) - bits.OnesCount64(open0) - bits.OnesCount64(open1); told > most {
				best, most = i, told
			}
		}
	}
	switch {
	case best >= 0 || len(c.found) == 0:
	case len(c.found) <= mostBlind:
		best = c.found[0]
	default:
		c.short = true
	}
	return best, follows, 0
}

// evaluate computes the outs of a case with one assumption in each vector: for each bit of state 0 and then 1.
func (c *Cases) evaluate(lane int, some []int32) {
	for _, n := range c.leaves {
		s := c.m.v[n]
		c.probe.v[n] = Set{-(s.Hi >> lane & 1), -(s.Lo >> lane & 1)}
	}
	for j, i := range some {
		q := &c.probe.v[c.m.state[i].q]
		q.Hi &^= 1 << (2 * j)
		q.Lo &^= 2 << (2 * j)
	}
	c.probe.evaluate(c.cone)
	c.spent += len(c.cone) + len(c.leaves)
}

// assume narrows a bit of state in a case. Rest follows.
func (c *Cases) assume(lane int, i int32, level uint64) {
	q := &c.m.v[c.m.state[i].q]
	q.Hi &^= (level ^ 1) << lane
	q.Lo &^= level << lane
}

// rest evaluates the gates behind state that was assumed. A machine is at rest between events, so that the levels of
// now are those before as well.
func (c *Cases) rest() {
	work := c.m.work
	c.m.evaluate(c.m.p.behindState)
	c.m.work = work
	c.m.atRest()
	c.spent += len(c.m.p.behindState) + len(c.m.v)
}

// free returns a vector without a case, or -1. If all are in use, it first merges equal cases.
func (c *Cases) free() int {
	if c.alive == c.room && !c.exhausted() {
		c.spent += 64 * len(c.m.v)
		for lane := range 64 {
			if c.alive>>lane&1 != 0 {
				c.alive &^= c.m.sameAs(lane) &^ (1 << lane)
			}
		}
	}
	if c.alive == c.room {
		c.short = true
		return -1
	}
	return bits.TrailingZeros64(c.room &^ c.alive)
}
