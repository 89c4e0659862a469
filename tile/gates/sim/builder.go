package sim

import "fmt"

// A builder makes a program that uses the circuit's net numbers until number replaces them at the end.
type builder struct {
	c       *Circuit
	drivers []int32 // number of drivers, by net
	same    []int32 // the net that a net is joined to, or itself
	size    int32

	ops     []op
	shared  []shared
	at      map[int32]int // index into shared, by net
	groups  []group
	groupAt map[[3]int32]int
	latches []latch
	cuts    []bit
	forces  []Force
}

func newBuilder(c *Circuit) *builder {
	n := len(c.Nets)
	b := &builder{c: c, drivers: make([]int32, n), same: make([]int32, n), size: int32(n), at: map[int32]int{},
		groupAt: map[[3]int32]int{}, ops: make([]op, 0, len(c.Cells))}
	for i := range b.same {
		b.same[i] = int32(i)
	}
	return b
}

func (b *builder) fresh() int32 {
	b.size++
	b.same = append(b.same, b.size-1)
	b.drivers = append(b.drivers, 0)
	return b.size - 1
}

func (b *builder) countDrivers(inputs []Net) error {
	for i := range b.c.Cells {
		if cell := &b.c.Cells[i]; !off(cell) {
			b.drivers[cell.Out]++
		}
	}
	for _, f := range b.forces {
		b.drivers[f.Out]++
	}
	for _, n := range inputs {
		if b.drivers[n] > 0 {
			return fmt.Errorf("%s: %s is an input, and a cell drives it", b.c.Name(), b.c.Nets[n])
		}
		b.drivers[n]++
	}
	return nil
}

// off reports whether a cell never drives a level: an Unknown, or a tristate that is never enabled.
func off(c *Cell) bool {
	return c.Kind == Tri && c.In[1] == Zero || c.Kind == Unknown
}

func isBuf(c *Cell) bool {
	return c.Kind == Buf || c.Kind == Tri && c.In[1] == One
}

// join joins the nets on both sides of buffers, and the outputs of inverters of the same net, as at the resets of
// flip-flops. The output of an inverter of a constant is the other constant.
func (b *builder) join() {
	for again := true; again; {
		again = false
		inverse := map[int32]int32{int32(Zero): int32(One), int32(One): int32(Zero)}
		for i := range b.c.Cells {
			c := &b.c.Cells[i]
			if c.In[0] == Open || b.drivers[c.Out] != 1 || b.joined(c.Out) {
				continue
			}
			to := b.root(int32(c.In[0]))
			switch {
			case c.Kind == Not:
				other, known := inverse[to]
				if !known {
					inverse[to] = int32(c.Out)
					continue
				}
				to = other
			case !isBuf(c) || to == int32(c.Out): // a loop of buffers: floats
				continue
			}
			b.same[c.Out], again = to, true
		}
	}
}

func (b *builder) joined(n Net) bool { return b.same[n] != int32(n) }

// root returns the net that a net is joined to, and shortens the path.
func (b *builder) root(n int32) int32 {
	for b.same[n] != n {
		b.same[n] = b.same[b.same[n]]
		n = b.same[n]
	}
	return n
}

// in returns the net of an input. An open input gets a new floating net.
func (b *builder) in(n Net) int32 {
	if n == Open {
		return b.fresh()
	}
	return int32(n)
}

func (b *builder) cell(c *Cell) {
	if off(c) || b.drivers[c.Out] == 1 && (b.joined(c.Out) || isBuf(c) && c.In[0] != Open) {
		return
	}
	out := int32(c.Out)
	switch {
	case c.Kind == Tri:
		b.drive(out, b.in(c.In[1]), b.in(c.In[0]))
		return
	case b.drivers[out] > 1:
		alone := b.fresh()
		b.drive(out, int32(One), alone)
		out = alone
	}
	switch c.Kind {
	case Buf: // one of several drivers, or with an open input
		b.same[out] = b.in(c.In[0])
	case Flop:
		b.flop(c, out)
	case Latch:
		b.latches = append(b.latches, latch{bit{b.in(c.In[0]), out}, b.in(c.In[1]), b.in(c.In[2]), b.in(c.In[3])})
	default:
		o := op{kind: opOf[c.Kind], out: out}
		for i, to := range []*int32{&o.a, &o.b, &o.c}[:c.Kind.Inputs()] {
			*to = b.in(c.In[i])
		}
		b.ops = append(b.ops, o)
	}
}

func (b *builder) flop(c *Cell, out int32) {
	key := [3]int32{}
	for i := range key {
		key[i] = b.in(c.In[1+i])
		key[i] = b.root(key[i])
	}
	at, known := b.groupAt[key]
	if !known {
		at = len(b.groups)
		b.groupAt[key] = at
		b.groups = append(b.groups, group{clock: key[0], set: key[1], reset: key[2]})
	}
	b.groups[at].bits = append(b.groups[at].bits, bit{b.in(c.In[0]), out})
}

func (b *builder) drive(net, enable, data int32) {
	at, known := b.at[net]
	if !known {
		at = len(b.shared)
		b.at[net] = at
		b.shared = append(b.shared, shared{net: net})
	}
	s := &b.shared[at]
	s.drivers = append(s.drivers, driver{enable, data})
}

func (b *builder) share() {
	for i, s := range b.shared {
		b.ops = append(b.ops, op{kind: opShared, out: s.net, a: int32(i)})
	}
}

// each calls f with each net that the program reads.
func (b *builder) each(f func(*int32)) {
	for i := range b.ops {
		reads(&b.ops[i], b.shared, f)
	}
	for i := range b.groups {
		g := &b.groups[i]
		for _, n := range []*int32{&g.clock, &g.set, &g.reset} {
			f(n)
		}
		for k := range g.bits {
			f(&g.bits[k].d)
		}
	}
	for i := range b.latches {
		l := &b.latches[i]
		for _, n := range []*int32{&l.d, &l.enable, &l.set, &l.reset} {
			f(n)
		}
	}
	for i := range b.cuts {
		f(&b.cuts[i].d)
	}
}

// resolve replaces each net that is read by the net that it is joined to.
func (b *builder) resolve() { b.each(func(n *int32) { *n = b.root(*n) }) }

// reads calls f with each net that an operation reads.
func reads(o *op, all []shared, f func(*int32)) {
	switch o.kind {
	case opShared:
		s := &all[o.a]
		for i := range s.drivers {
			f(&s.drivers[i].enable)
			f(&s.drivers[i].data)
		}
		return
	case opMux:
		f(&o.c)
		fallthrough
	default:
		f(&o.b)
		fallthrough
	case opNot, opForce:
		f(&o.a)
	}
}

// A Force drives Out with 0 in the vectors of Low, with 1 in the vectors of High, and with In's level in all others. It
// represents a fault in some vectors of a machine, and has no delay: in the other vectors In and Out behave as one net.
type Force struct {
	In, Out   Net
	Low, High uint64
}

func (b *builder) force() {
	for i, f := range b.forces {
		out := int32(f.Out)
		if b.drivers[out] > 1 {
			out = b.fresh()
			b.drive(int32(f.Out), int32(One), out)
		}
		b.ops = append(b.ops, op{kind: opForce, out: out, a: b.in(f.In), b: int32(i)})
	}
}
