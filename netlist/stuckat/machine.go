package stuckat

import (
	"utfbench/netlist"
	"utfbench/transport"
)

// words is how many words a node is wide: each of their bits is a chip of its own, or a frame of its own.
const (
	words = 4
	lanes = 64 * words
)

type word [words]uint64

func (w *word) has(lane int) bool { return w[lane/64]>>(lane%64)&1 != 0 }
func (w *word) set(lane int)      { w[lane/64] |= 1 << (lane % 64) }
func (w *word) clear(lane int)    { w[lane/64] &^= 1 << (lane % 64) }

// put sets a lane to a level.
func (w *word) put(lane int, level uint64) {
	w[lane/64] = w[lane/64]&^(1<<(lane%64)) | level<<(lane%64)
}

func (w *word) any() bool { return w[0]|w[1]|w[2]|w[3] != 0 }

// A role is the kind of a frame.
type role uint32

// Roles.
const (
	clock role = iota // what flip-flops take
	look              // what the lines show, and what flip-flops keep
	roles
)

// A program is a netlist's operations for each role, which a fault can change. Each goroutine has its own.
type program struct {
	n    *netlist.Netlist
	ops  [roles][]netlist.Op
	at   [roles][]int // where a gate's operations begin; none if the role does not need the gate
	hold []int        // flip-flops that get no clock

	own  [roles][]netlist.Op // ops of the netlist without a fault
	slow netlist.Lit         // what the slow pin would show, if there is one; else 0
}

func newProgram(n *netlist.Netlist) *program {
	p := &program{n: n}
	var next, shown []int
	for _, f := range n.Flops {
		next = append(next, f.Next)
		shown = append(shown, f.Held)
	}
	shown = append(append(shown, n.Out[:]...), n.OE[:]...)
	for r, roots := range [roles][]int{next, shown} {
		p.ops[r], p.at[r] = cone(n, roots)
		p.own[r] = p.ops[r]
	}
	return p
}

// cone gives the operations of all gates that some nets depend on.
func cone(n *netlist.Netlist, roots []int) (ops []netlist.Op, at []int) {
	need := make([]bool, len(n.Nets))
	for _, net := range roots {
		need[net] = true
	}
	at = make([]int, len(n.Gates))
	for i := len(n.Gates) - 1; i >= 0; i-- {
		g := &n.Gates[i]
		at[i] = none
		for _, net := range g.Out {
			if need[net] {
				at[i] = 0
			}
		}
		if at[i] == none {
			continue
		}
		for _, net := range g.In {
			need[net] = true
		}
	}
	for i := range n.Gates {
		if g := &n.Gates[i]; at[i] != none {
			at[i] = len(ops)
			ops = append(ops, n.Ops[g.Ops.From:g.Ops.To]...)
		}
	}
	return ops, at
}

// put puts a fault into the program.
func (p *program) put(f *Fault) {
	switch {
	case f.Slow:
		p.delay(f)
		return
	case f.bridge != nil:
		p.join(f.bridge)
		return
	}
	for _, c := range f.patches {
		p.replace(c.gate, c.ops)
	}
	p.hold = f.hold
}

// remove takes it out again.
func (p *program) remove(f *Fault) {
	if f.Slow || f.bridge != nil {
		p.ops, p.slow = p.own, 0
		return
	}
	for _, c := range f.patches {
		g := &p.n.Gates[c.gate]
		p.replace(c.gate, p.n.Ops[g.Ops.From:g.Ops.To])
	}
	p.hold = nil
}

func (p *program) replace(gate int, ops []netlist.Op) {
	for r := range p.at {
		if at := p.at[r][gate]; at != none {
			copy(p.ops[r][at:], ops)
		}
	}
}

func eval(ops []netlist.Op, v []word) {
	for i := range ops {
		o := &ops[i]
		a, b, d := &v[o.A>>1], &v[o.B>>1], &v[o.To]
		ma, mb := -uint64(o.A&1), -uint64(o.B&1)
		d[0] = (a[0] ^ ma) & (b[0] ^ mb)
		d[1] = (a[1] ^ ma) & (b[1] ^ mb)
		d[2] = (a[2] ^ ma) & (b[2] ^ mb)
		d[3] = (a[3] ^ ma) & (b[3] ^ mb)
	}
}

// A machine is lanes chips that do steps, each its own.
type machine struct {
	*program
	v      []word
	state  []word // what is taken at a clock, before all of it is
	inputs [64]word
}

func newMachine(n *netlist.Netlist) *machine {
	return &machine{program: newProgram(n), v: make([]word, n.Nodes+slowNodes), state: make([]word, len(n.Flops))}
}

// read returns a net's value.
func (m *machine) read(net int) word { return m.literal(m.n.Lits[net]) }

func (m *machine) literal(l netlist.Lit) word {
	w := m.v[l>>1]
	if l&1 != 0 {
		for k := range w {
			w[k] = ^w[k]
		}
	}
	return w
}

// Where things are in the 64 bits that a lane is given for a step; see pack.
const (
	atUI    = 0
	atDrive = 8
	atWire  = 16
	atRstN  = 24
	atWant  = 25
	atKnown = 41
)

// pack encodes a step with a good chip's sample and its known lines. floating is the level of an undriven line.
func pack(s transport.Step, want transport.Sample, floating bool) uint64 {
	wire := s.IO & s.Drive
	if floating {
		wire |= ^s.Drive
	}
	b := uint64(s.In)<<atUI | uint64(s.Drive)<<atDrive | uint64(wire)<<atWire
	if !s.Reset {
		b |= 1 << atRstN
	}
	known := ^(uint64(want.IOX)<<8 | uint64(want.OutX)) & 0xFFFF
	level := (uint64(want.IO)<<8 | uint64(want.Out)) & known
	return b | level<<atWant | known<<atKnown
}

// frameBits selects the bits of a pack that a frame depends on: for a clock only the inputs.
var frameBits = [roles]uint64{clock: 1<<atWant - 1, look: 1<<57 - 1}

// load gives each lane its step.
func (m *machine) load(packed *[lanes]uint64) {
	var t [64]uint64
	for k := range words {
		copy(t[:], packed[64*k:])
		transpose(&t)
		for i := range t {
			m.inputs[i][k] = t[i]
		}
	}
	in := &m.n.In
	for i := range 8 {
		m.v[in.UI[i]] = m.inputs[atUI+i]
		m.v[in.Drive[i]] = m.inputs[atDrive+i]
		m.v[in.Wire[i]] = m.inputs[atWire+i]
	}
	m.v[in.RstN] = m.inputs[atRstN]
	m.v[in.Ena] = word{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
}

// start puts a lane into a state.
func (m *machine) start(lane int, state []uint64) {
	for i := range m.n.Flops {
		m.v[m.n.Flops[i].State].put(lane, state[i/64]>>(i%64)&1)
	}
}

// clock clocks the flip-flops of the lanes in mask.
func (m *machine) clock(mask *word) {
	eval(m.ops[clock], m.v)
	for i := range m.n.Flops {
		m.state[i] = m.read(m.n.Flops[i].Next)
	}
	for _, i := range m.hold {
		m.state[i] = m.v[m.n.Flops[i].State]
	}
	m.take(mask)
	m.remember(mask)
}

// look computes the lines; flip-flops of the lanes in mask apply clear and preset.
func (m *machine) look(mask *word) {
	eval(m.ops[look], m.v)
	for i := range m.n.Flops {
		m.state[i] = m.read(m.n.Flops[i].Held)
	}
	m.take(mask)
}

func (m *machine) take(mask *word) {
	for i := range m.n.Flops {
		d, s := &m.v[m.n.Flops[i].State], &m.state[i]
		for k := range d {
			d[k] ^= (d[k] ^ s[k]) & mask[k]
		}
	}
}

// differ gives the lanes that show something else than is wanted, after look.
func (m *machine) differ() (any word) {
	for i, net := range m.n.Out {
		w, want, known := m.read(net), &m.inputs[atWant+i], &m.inputs[atKnown+i]
		for k := range any {
			any[k] |= (w[k] ^ want[k]) & known[k]
		}
	}
	return any
}

// contend gives the lanes that drive a line that the bench drives too, after look.
func (m *machine) contend() (any word) {
	for i, net := range m.n.OE {
		w, drive := m.read(net), &m.inputs[atDrive+i]
		for k := range any {
			any[k] |= w[k] & drive[k]
		}
	}
	return any
}

// transpose turns 64 numbers of 64 bits: bit j of number i becomes bit i of number j.
func transpose(t *[64]uint64) {
	mask := uint64(0x00000000FFFFFFFF)
	for j := 32; j != 0; j, mask = j>>1, mask^mask<<(j>>1) {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			x := (t[k]>>j ^ t[k+j]) & mask
			t[k] ^= x << j
			t[k+j] ^= x
		}
	}
}
