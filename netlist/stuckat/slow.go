package stuckat

import "utfbench/netlist"

// Nodes after the netlist's, for a slow pin.
const (
	before    = iota // what the pin would have shown at the last clock
	late             // what it shows
	prompt           // of an output: what it would show
	slowNodes        // how many there are
)

// delay puts a slow pin into the program: it shows a level that it is late to only if it would have shown it at the
// clock before as well.
func (p *program) delay(f *Fault) {
	node := func(i int) uint32 { return uint32(p.n.Nodes + i) }
	lit := func(i int) netlist.Lit { return netlist.Lit(node(i) << 1) }
	slow := func(l netlist.Lit, to uint32) netlist.Op { // AND is slow to rise, OR is slow to fall
		if f.Level {
			return netlist.Op{A: l ^ 1, B: lit(before) ^ 1, To: to}
		}
		return netlist.Op{A: l, B: lit(before), To: to}
	}
	inverted := netlist.False
	if f.Level { // the operation gives the opposite of OR
		inverted = netlist.True
	}
	ops := map[int][]netlist.Op{}
	for i, c := range f.patches {
		g := &p.n.Gates[c.gate]
		if c.pin >= 0 {
			p.slow = p.n.Lits[g.In[c.pin]]
			ops[c.gate] = p.n.Reading(c.gate, c.pin, lit(late)^inverted)
			if i == 0 {
				ops[c.gate] = append([]netlist.Op{slow(p.slow, node(late))}, ops[c.gate]...)
			}
			continue
		}
		own := p.n.Lits[g.Out[none-c.pin]]
		all := append([]netlist.Op(nil), p.n.Ops[g.Ops.From:g.Ops.To]...)
		for k := range all {
			if all[k].To == own.Node() {
				all[k].To = node(prompt)
			}
		}
		p.slow = lit(prompt) | own&1
		all = append(all, slow(p.slow, node(late)))
		l := lit(late) ^ inverted ^ own&1 // the net's literal may be inverted
		ops[c.gate] = append(all, netlist.Op{A: l, B: l, To: own.Node()})
	}
	whole := false // what the pin would show at a clock is asked, even if no flip-flop depends on it
	for gate := range ops {
		whole = whole || p.at[clock][gate] == none
	}
	p.ops[clock], p.ops[look] = p.splice(clock, whole, ops), p.splice(look, false, ops)
}

// splice returns the operations of a role, or of the whole netlist, with some gates' replaced.
func (p *program) splice(r role, whole bool, ops map[int][]netlist.Op) []netlist.Op {
	all := make([]netlist.Op, 0, len(p.n.Ops)+slowNodes)
	for i := range p.n.Gates {
		g := &p.n.Gates[i]
		switch own, is := ops[i]; {
		case p.at[r][i] == none && !whole:
		case is:
			all = append(all, own...)
		default:
			all = append(all, p.n.Ops[g.Ops.From:g.Ops.To]...)
		}
	}
	return all
}

// remember stores a slow pin's next level at a clock.
func (m *machine) remember(mask *word) {
	if m.slow == 0 {
		return
	}
	now, was := m.literal(m.slow), &m.v[m.n.Nodes+before]
	for k := range was {
		was[k] ^= (was[k] ^ now[k]) & mask[k]
	}
}

// net returns the pin's net.
func (f *Fault) net(n *netlist.Netlist) int {
	c := f.patches[0]
	if c.pin >= 0 {
		return n.Gates[c.gate].In[c.pin]
	}
	return n.Gates[c.gate].Out[none-c.pin]
}

// late reports whether a slow pin is late at an entry of a trace: it would have had to leave its slow level at the
// previous clock. Before the first clock nothing is late.
func (e *events) late(t trace, at int) bool {
	shown, known := e.shownBefore(t, at)
	return known && shown == e.fault.Level
}

// shownBefore returns the level of the fault's pin at the last clock before an entry of a trace.
func (e *events) shownBefore(t trace, at int) (level, known bool) {
	for at--; at >= 0; at-- {
		if t[at].role() == clock {
			id := t[at].id()
			good := e.w.good[clock][id/lanes*len(e.w.n.Nets)+e.net]
			return good.has(id%lanes) != e.w.n.Lits[e.net].Inverted(), true
		}
	}
	return false, false
}
