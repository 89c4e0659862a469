package netlist

// compile turns gates into operations. Gates share none, so that a fault at a gate's pin changes that gate's operations
// only.
func (n *Netlist) compile() {
	n.Lits = make([]Lit, len(n.Nets))
	for i := range n.Lits {
		n.Lits[i] = Lit(i << 1)
	}
	n.Nodes = len(n.Nets)
	for i := range n.Gates {
		g := &n.Gates[i]
		e := emitter{node: func() uint32 {
			n.Nodes++
			g.nodes = append(g.nodes, uint32(n.Nodes-1))
			return uint32(n.Nodes - 1)
		}}
		g.Ops.From = len(n.Ops)
		e.gate(g, n.literals(g.In))
		for k, net := range g.Out {
			n.Lits[net] = e.results[k]
		}
		n.Ops = append(n.Ops, e.ops...)
		g.Ops.To = len(n.Ops)
	}
}

func (n *Netlist) literals(nets []int) []Lit {
	lits := make([]Lit, len(nets))
	for i, net := range nets {
		lits[i] = n.Lits[net]
	}
	return lits
}

// Stuck returns a gate's operations with one input stuck at a level: as many, with the same results.
func (n *Netlist) Stuck(gate, pin int, level bool) []Op {
	if level {
		return n.Reading(gate, pin, True)
	}
	return n.Reading(gate, pin, False)
}

// Reading gives the operations of a gate that reads something else at an input, in place of its own: as many, with the
// same results.
func (n *Netlist) Reading(gate, pin int, l Lit) []Op {
	g := &n.Gates[gate]
	lits := n.literals(g.In)
	lits[pin] = l
	at := 0
	e := emitter{node: func() uint32 { at++; return g.nodes[at-1] }}
	e.gate(g, lits)
	return e.ops
}

// Fixed returns a gate's operations with one output stuck at a level: as many, with the other results unchanged.
func (n *Netlist) Fixed(gate, out int, level bool) []Op {
	g := &n.Gates[gate]
	ops := append([]Op(nil), n.Ops[g.Ops.From:g.Ops.To]...)
	l := n.Lits[g.Out[out]]
	constant := False
	if level != l.Inverted() {
		constant = True
	}
	for i := range ops {
		if ops[i].To == l.Node() {
			ops[i].A, ops[i].B = constant, constant
		}
	}
	return ops
}

// Table returns the truth table of a gate with one output, with a pin stuck at a level; pin -1 is none.
func (g *Gate) Table(pin int, level bool) (t uint64) {
	for levels := range uint(1) << len(g.In) {
		seen := levels
		if pin >= 0 {
			seen &^= 1 << pin
			if level {
				seen |= 1 << pin
			}
		}
		if g.functions[0].eval(seen, false) {
			t |= 1 << levels
		}
	}
	return t
}

// An emitter turns expressions into operations. Their number depends only on the expressions, so a faulty gate has as
// many.
type emitter struct {
	node    func() uint32 // a new one
	ops     []Op
	results []Lit
}

// gate emits a gate's operations with these literals at its pins. An output's node is its net's.
func (e *emitter) gate(g *Gate, pins []Lit) {
	for k, f := range g.functions {
		l := e.expr(f, pins)
		node := uint32(g.Out[k])
		if last := len(e.ops) - 1; isGate(f) && last >= 0 { // the last operation is the output's
			e.ops[last].To = node
			e.results = append(e.results, Lit(node<<1)|l&1)
			continue
		}
		e.ops = append(e.ops, Op{l, l, node})
		e.results = append(e.results, Lit(node<<1))
	}
}

// isGate reports whether an expression ends in an operation.
func isGate(f *expr) bool {
	for f.op == not {
		f = f.a
	}
	return f.op == and || f.op == or || f.op == xor
}

func (e *emitter) and(a, b Lit) Lit {
	to := e.node()
	e.ops = append(e.ops, Op{a, b, to})
	return Lit(to << 1)
}

func (e *emitter) expr(f *expr, pins []Lit) Lit {
	switch f.op {
	case constant1:
		return True
	case pinLevel:
		return pins[f.pin]
	case not:
		return e.expr(f.a, pins) ^ 1
	case and:
		return e.and(e.expr(f.a, pins), e.expr(f.b, pins))
	case or:
		return e.and(e.expr(f.a, pins)^1, e.expr(f.b, pins)^1) ^ 1
	case xor:
		a, b := e.expr(f.a, pins), e.expr(f.b, pins)
		return e.and(e.and(a, b^1)^1, e.and(a^1, b)^1) ^ 1
	}
	return False
}
