package sim

// order sorts the operations so that each follows its inputs. In a loop, an operation that must precede its input reads
// a copy of that net instead; the copy is a bit of state.
func (b *builder) order() {
	driver := make([]int32, b.size) // operation+1
	for i, o := range b.ops {
		driver[o.out] = int32(i) + 1
	}
	s := sorter{b: b, driver: driver, mark: make([]byte, len(b.ops)), copies: map[int32]int32{},
		done: make([]op, 0, len(b.ops))}
	stems := b.stems()
	for i := range b.ops {
		if stem, forced := stems[b.ops[i].out]; forced && s.mark[stem] == 0 {
			s.visit(stem)
		}
		if s.mark[i] == 0 {
			s.visit(int32(i))
		}
	}
	b.ops = s.done
}

// stems returns, by net, the forces that are the only readers of an operation's output. Such a force is visited first,
// so that it does not change where loops are cut.
func (b *builder) stems() map[int32]int32 {
	if len(b.forces) == 0 {
		return nil
	}
	readers, stems := make([]int32, b.size), map[int32]int32{}
	b.each(func(n *int32) { readers[*n]++ })
	for i, o := range b.ops {
		if o.kind == opForce && readers[o.a] == 1 {
			stems[o.a] = int32(i)
		}
	}
	return stems
}

type sorter struct {
	b      *builder
	driver []int32
	mark   []byte
	copies map[int32]int32 // copies of nets at which loops are cut
	done   []op
	stack  []visit
}

// Marks of operations.
const (
	begun = 1 + iota
	finished
)

// A visit is an operation to be placed, with the nets that it reads. It has begun on the drivers of the first nets.
type visit struct {
	at    int32
	nets  []*int32
	begun int
}

// visit places an operation after its inputs. It is not recursive, since a path may be as long as the circuit.
func (s *sorter) visit(i int32) {
	s.push(i)
	for len(s.stack) > 0 {
		top := &s.stack[len(s.stack)-1]
		if top.begun == len(top.nets) {
			s.mark[top.at] = finished
			s.done = append(s.done, s.b.ops[top.at])
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		n := top.nets[top.begun]
		top.begun++
		switch from := s.driver[*n] - 1; {
		case from < 0 || s.mark[from] == finished:
		case s.mark[from] == begun:
			s.cut(n)
		default:
			s.push(from)
		}
	}
}

func (s *sorter) push(i int32) {
	s.mark[i] = begun
	v := visit{at: i}
	if n := len(s.stack); n < cap(s.stack) {
		v.nets = s.stack[:n+1][n].nets[:0]
	}
	reads(&s.b.ops[i], s.b.shared, func(n *int32) { v.nets = append(v.nets, n) })
	s.stack = append(s.stack, v)
}

// cut redirects a reader of a net to the net's copy.
func (s *sorter) cut(n *int32) {
	q, made := s.copies[*n]
	if !made {
		q = s.b.fresh()
		s.driver = append(s.driver, 0)
		s.copies[*n] = q
		s.b.cuts = append(s.b.cuts, bit{*n, q})
	}
	*n = q
}

// number makes the program, with nets numbered in the order of their computation.
func (b *builder) number(inputs []Net) *Program {
	p := &Program{circuit: b.c, groups: b.groups, latches: b.latches, cuts: b.cuts, ops: b.ops, shared: b.shared,
		forces: b.forces}
	n := numberer{p: p, to: make([]int32, b.size)}
	for i := range n.to {
		n.to[i] = -1
	}
	n.take(int32(Zero))
	n.take(int32(One))
	for _, in := range inputs {
		p.inputs = append(p.inputs, n.take(int32(in)))
	}
	for i := range p.groups {
		for k := range p.groups[i].bits {
			n.replace(&p.groups[i].bits[k].q)
		}
	}
	for i := range p.latches {
		n.replace(&p.latches[i].q)
	}
	for i := range p.cuts {
		n.replace(&p.cuts[i].q)
	}
	for i := range p.ops {
		n.replace(&p.ops[i].out)
	}
	for i := range p.shared {
		n.replace(&p.shared[i].net)
	}
	b.each(func(net *int32) {
		if n.to[*net] < 0 {
			p.floats = append(p.floats, n.take(*net))
		}
		*net = n.to[*net]
	})
	for _, port := range b.c.Ports {
		for _, net := range port.Nets {
			if at := b.root(int32(net)); n.to[at] < 0 { // an undriven output
				p.floats = append(p.floats, n.take(at))
			}
		}
	}
	p.of = make([]int32, len(b.c.Nets))
	for i := range p.of {
		p.of[i] = n.to[b.root(int32(i))]
	}
	return p
}

// A numberer gives nets their final numbers.
type numberer struct {
	p  *Program
	to []int32
}

func (n *numberer) take(net int32) int32 {
	if n.to[net] < 0 {
		n.to[net] = n.p.size
		n.p.size++
	}
	return n.to[net]
}

func (n *numberer) replace(net *int32) { *net = n.take(*net) }
