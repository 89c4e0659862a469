package stuckat

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/netlist"
)

// A Short says what two bridged nets show where their drivers disagree.
type Short int

// Shorts.
const (
	WiredAND Short = iota // both are low
	WiredOR               // both are high
	Dominant              // the first has the level of the second, whose driver is stronger
	shorts
)

// A Bridge is two nets that are joined.
type Bridge struct {
	A, B  int
	Short Short

	names  [2]string
	gates  [2]int // that drive them
	before []bool // gates that what drives them depends on, these as well
}

// Bridge returns the bridge, or nil for another fault.
func (f *Fault) Bridge() *Bridge { return f.bridge }

// Other returns the second net and the pin of a cell that drives it.
func (b *Bridge) Other(n *netlist.Netlist) (net, cell, kind, pin string) {
	g := &n.Gates[b.gates[1]]
	return b.names[1], g.Cell, g.Type, g.OutPins[slices.Index(g.Out, b.B)]
}

func (b *Bridge) String() string {
	switch b.Short {
	case WiredAND:
		return fmt.Sprintf("bridged with %s, wired AND", b.names[1])
	case WiredOR:
		return fmt.Sprintf("bridged with %s, wired OR", b.names[1])
	}
	return fmt.Sprintf("bridged with %s, which dominates", b.names[1])
}

// A Bridger makes bridges of a netlist's nets.
type Bridger struct {
	n       *netlist.Netlist
	driver  []int // of a net: the gate of the cell that drives it, or none
	behind  map[int][]bool
	feeding []int // of a net: any gate that drives it
}

// NewBridger prepares for bridges of a netlist.
func NewBridger(n *netlist.Netlist) *Bridger {
	b := &Bridger{n: n, driver: make([]int, len(n.Nets)), feeding: make([]int, len(n.Nets)),
		behind: map[int][]bool{}}
	for i := range b.driver {
		b.driver[i], b.feeding[i] = none, none
	}
	for i := range n.Gates {
		g := &n.Gates[i]
		for k, net := range g.Out {
			b.feeding[net] = i
			if g.Cell != "" && g.OutPins[k] != "" {
				b.driver[net] = i
			}
		}
	}
	return b
}

// Driven reports whether a cell drives a net, rather than the clock or a pin of the tile.
func (b *Bridger) Driven(net int) bool { return b.driver[net] != none }

// Bridge returns the fault that joins two nets driven by cells. ok is false if a net would then depend on itself
// without a flip-flop between.
func (b *Bridger) Bridge(a, c int, short Short) (f Fault, ok bool) {
	if a == c || !b.Driven(a) || !b.Driven(c) || b.cone(c)[b.driver[a]] ||
		short != Dominant && b.cone(a)[b.driver[c]] {
		return f, false
	}
	before := append([]bool(nil), b.cone(a)...)
	for i, is := range b.cone(c) {
		before[i] = before[i] || is
	}
	g := &b.n.Gates[b.driver[a]]
	name := func(net int) string { return strings.TrimPrefix(b.n.Nets[net], `\`) }
	return Fault{Cell: g.Cell, Type: g.Type, Pin: g.OutPins[slices.Index(g.Out, a)], bridge: &Bridge{A: a, B: c,
			Short: short, names: [2]string{name(a), name(c)}, gates: [2]int{b.driver[a], b.driver[c]}, before: before}},
		true
}

// cone returns the gates that a net depends on.
func (b *Bridger) cone(net int) []bool {
	if is := b.behind[net]; is != nil {
		return is
	}
	is := make([]bool, len(b.n.Gates))
	is[b.driver[net]] = true
	for i := b.driver[net]; i >= 0; i-- {
		if !is[i] {
			continue
		}
		for _, in := range b.n.Gates[i].In {
			if d := b.feeding[in]; d != none {
				is[d] = true
			}
		}
	}
	b.behind[net] = is
	return is
}

// join inserts a bridge into the program: first its drivers, then the nets, then their readers.
func (p *program) join(b *Bridge) {
	for r := range roles {
		if p.at[r][b.gates[0]] == none && p.at[r][b.gates[1]] == none {
			continue // nothing of it is needed
		}
		ops := make([]netlist.Op, 0, len(p.n.Ops)+slowNodes)
		for i, is := range b.before {
			if g := &p.n.Gates[i]; is {
				ops = append(ops, p.n.Ops[g.Ops.From:g.Ops.To]...)
			}
		}
		ops = append(ops, b.ops(p.n)...)
		for i, is := range b.before {
			if g := &p.n.Gates[i]; !is && p.at[r][i] != none {
				ops = append(ops, p.n.Ops[g.Ops.From:g.Ops.To]...)
			}
		}
		p.ops[r] = ops
	}
}

// ops returns the operations that compute the nets, with a node of their own.
func (b *Bridge) ops(n *netlist.Netlist) []netlist.Op {
	la, lb := n.Lits[b.A], n.Lits[b.B]
	node := uint32(n.Nodes)
	wired := netlist.Lit(node << 1)
	show := func(net netlist.Lit) netlist.Op {
		return netlist.Op{A: wired ^ net&1, B: wired ^ net&1, To: net.Node()}
	}
	switch b.Short {
	case WiredAND:
		return []netlist.Op{{A: la, B: lb, To: node}, show(la), show(lb)}
	case WiredOR:
		op := netlist.Op{A: la ^ 1, B: lb ^ 1, To: node}
		wired ^= 1
		return []netlist.Op{op, show(la), show(lb)}
	}
	return []netlist.Op{{A: lb, B: lb, To: node}, show(la)}
}

// bridged computes the two nets of a bridge in a block of frames in which their drivers are right.
func (e *events) bridged(b *Bridge, good []word) {
	n := e.w.n
	level := func(net int) word {
		w := good[net]
		for k := range w {
			w[k] ^= -uint64(n.Lits[net] & 1)
		}
		return w
	}
	x, y := level(b.A), level(b.B)
	for k := range x {
		switch b.Short {
		case WiredAND:
			x[k] &= y[k]
		case WiredOR:
			x[k] |= y[k]
		case Dominant:
			x[k] = y[k]
		}
	}
	for _, net := range []int{b.A, b.B} {
		shown := x
		for k := range shown {
			shown[k] ^= -uint64(n.Lits[net] & 1)
		}
		e.faulty[net] = shown
		e.settled(net, good)
	}
}
