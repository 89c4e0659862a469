package sim

// A Machine runs a program. It is not safe for concurrent use.
type Machine struct {
	p *Program
	v []Set // by net

	pending []change // input changes for the next event
	next    []Set    // next values of the state, by index
	due     []int32  // flip-flops with a new state in this round
	state   []bit
	start   []Set    // values of the state before the event
	stuck   []uint64 // by state: vectors in which it does not settle in this event
	lanes   *lanes   // nil for a ternary machine

	groups  []groupState
	latches []latchState
	window  []Set // all values that data of flip-flops and latches have had since the event began
	loose   []uint64

	work   int // evaluations of operations so far
	dirty  dirty
	round  int
	limit  int // maximum number of rounds in an event
	noting int // the round after which changing state counts as unsettled
	last   int // the round after which changing state is given up
	trail  trail
	gaveUp uint64         // vectors in which some state does not settle in this event
	uneasy uint64         // vectors in which anything still changed when state was given up
	lost   uint64         // vectors in which all state is given up
	seen   *WatchedLevels // records the levels of all nets; may be nil

	// For restless programs only. By watched net: its previous value, the vectors in which it may change in this round,
	// and those in which it may change more than once. For state, coming is for the next round, moved for the event.
	before       []Set
	moves, pulse []uint64
	flips, vague []uint64 // vectors in which each loop changed in this round, and had a pulse in this event
	picked       []uint64 // lanes in which a loop has a random level, since it had a pulse
	outside      uint64   // lanes in which anything except a loop moved in this round
	late         []late   // late inputs of this event
	swept        int      // number of sweeps of loops in this event
	oscillates   uint64   // lanes in which loops oscillated after the last sweeps
	wild         []uint64 // by loop: lanes in which it oscillated
	around       []Set    // levels of the nets around loops after the last sweeps
	fresh        []bool   // nets behind cuts with a new level, move or pulse
	coming       []motion
	moved        []motion
	marks        []uint64 // watched operations to evaluate in this round, by index
	marked       []int32  // outputs of the evaluated ones among them
}

// A motion holds the vectors in which a bit of state may change (moves), may change more than once in a round (pulse),
// and may change again in another round of the event (again).
type motion struct{ moves, pulse, again uint64 }

// add adds a round's motion to an event's, and returns the vectors in which the motion is new.
func (m *motion) add(now motion) (more uint64) {
	again := m.moves & now.moves
	more = now.moves&^m.moves | now.pulse&^m.pulse | again&^m.again
	m.moves, m.pulse, m.again = m.moves|now.moves, m.pulse|now.pulse, m.again|again
	return more
}

type change struct {
	net int32
	to  Set
}

// A groupState is a group's history: its previous controls, and the vectors with perhaps several clock edges.
type groupState struct {
	clock, set, reset Set
	loose             uint64
}

// A latchState holds the previous controls of a latch.
type latchState struct{ enable, set, reset Set }

// NewMachine returns a machine after power-up. Inputs are 0, except those in unknown. A nil chance makes it ternary.
func NewMachine(p *Program, chance *RandomChoices, unknown ...Net) *Machine {
	m := blank(p, p.state())
	for i := range m.v {
		m.v[i] = X
	}
	if chance != nil {
		m.lanes = chance.lanes()
		m.powerUp()
	}
	m.limit = firstLimit
	m.dirty = newDirty(p, m.lanes)
	m.v[Zero], m.v[One] = Level(0), Level(^uint64(0))
	for _, n := range p.inputs {
		m.v[n] = Level(0)
	}
	for _, n := range unknown {
		m.v[p.of[n]] = X
	}
	m.wake()
	return m
}

func blank(p *Program, state []bit) *Machine {
	n := len(state)
	m := &Machine{p: p, state: state, v: make([]Set, p.size), groups: make([]groupState, len(p.groups)),
		latches: make([]latchState, len(p.latches)), loose: make([]uint64, len(p.latches)), next: make([]Set, n),
		start: make([]Set, n), window: make([]Set, n), stuck: make([]uint64, n), due: make([]int32, 0, p.flops)}
	if p.restless {
		m.before, m.moves, m.pulse = make([]Set, p.size), make([]uint64, p.size), make([]uint64, p.size)
		m.fresh = make([]bool, p.size)
		cuts := len(p.cuts)
		m.flips, m.vague = make([]uint64, cuts), make([]uint64, cuts)
		m.picked, m.wild, m.around = make([]uint64, cuts), make([]uint64, cuts), make([]Set, len(p.around))
		m.coming, m.moved = make([]motion, n), make([]motion, n)
		m.marks = make([]uint64, (len(p.watched)+63)/64)
	}
	return m
}

// powerUp sets all nets, including state, to random levels in each lane.
func (m *Machine) powerUp() {
	for i := range m.v {
		m.v[i] = Level(m.lanes.same(m.lanes.rnd.Uint64()))
	}
}

// wake settles a machine after its levels were set outside of an event, as at power-up.
func (m *Machine) wake() {
	m.runAll()
	m.atRest()
	m.begin()
	m.settle()
}

// atRest sets the previous levels to the current ones.
func (m *Machine) atRest() {
	for i, g := range m.p.groups {
		s := &m.groups[i]
		s.clock, s.set, s.reset = m.v[g.clock], m.v[g.set], m.v[g.reset]
	}
	for i, l := range m.p.latches {
		m.latches[i] = latchState{m.v[l.enable], m.v[l.set], m.v[l.reset]}
	}
	copy(m.before, m.v)
	m.oscillates = 0
}

// Set sets the level of an input from the next event on.
func (m *Machine) Set(n Net, to Set) {
	at := m.p.of[n]
	if m.v[at] != to {
		m.pending = append(m.pending, change{at, to})
	}
}

// Work returns the number of evaluations of operations so far; evaluating a watched operation adds several.
func (m *Machine) Work() int { return m.work }

// Level returns the level of a net.
func (m *Machine) Level(n Net) Set {
	if at := m.p.of[n]; at >= 0 {
		return m.v[at]
	}
	return X
}

// Event applies the input changes and runs until nothing changes. behind is the cone of all changed inputs.
func (m *Machine) Event(behind *Cone) {
	if len(m.pending) == 0 {
		return
	}
	m.begin()
	m.skew(behind)
	m.change()
	m.run(behind.ops)
	m.settle()
}

// change applies the new levels of inputs.
func (m *Machine) change() {
	for _, c := range m.pending {
		m.v[c.net] = c.to
		m.touch(c.net)
		m.seen.add(c.net, c.to)
	}
	m.pending = m.pending[:0]
}

// UpdateFloatingNets redraws the levels of floating nets in lanes. behind must be or contain the cone of these nets.
func (m *Machine) UpdateFloatingNets(behind *Cone) {
	if m.lanes == nil {
		return
	}
	m.begin()
	for _, n := range m.p.floats {
		m.v[n] = Level(m.lanes.float(m.v[n].Hi, n))
	}
	m.run(behind.ops)
	m.settle()
}

// SetFate sets the fate of floating nets in lanes.
func (m *Machine) SetFate(f Fate) {
	if m.lanes != nil {
		m.lanes.fate(f)
	}
}
