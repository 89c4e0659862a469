package grade

import (
	"slices"

	"utfbench/tile/gates/sim"
)

// joinNets joins the faults at both ends of each net with one driver and one reader, both of them sites.
func (l *List) joinNets() {
	c := l.Design.Circuit
	drivers, readers, other := c.Drivers(), make([]uint8, len(c.Nets)), l.otherReaders()
	reader := make([]int, len(c.Nets))
	for i := range l.Sites {
		if s := &l.Sites[i]; !s.Out {
			readers[s.Net], reader[s.Net] = min(readers[s.Net]+1, 2), i
		}
	}
	for i := range l.Sites {
		s := &l.Sites[i]
		n := s.Net
		if s.Out && len(drivers.Of[n]) == 1 && readers[n] == 1 && !other[n] && c.Cells[s.uses[0].cell].Kind != sim.Tri {
			l.join(fault(i, false), fault(reader[n], false))
			l.join(fault(i, true), fault(reader[n], true))
		}
	}
}

// otherReaders returns the nets with a reader other than sites: a port, or a primitive of no library cell.
func (l *List) otherReaders() []bool {
	c := l.Design.Circuit
	other, used := make([]bool, len(c.Nets)), make([]uint8, len(c.Cells))
	for _, s := range l.Sites {
		for _, u := range s.uses {
			if !s.Out {
				used[u.cell] |= 1 << u.operand
			}
		}
	}
	for _, p := range c.Ports {
		for _, n := range p.Nets {
			other[n] = true
		}
	}
	for i := range c.Cells {
		cell := &c.Cells[i]
		for k, n := range cell.In[:cell.Kind.Inputs()] {
			if n > sim.One && used[i]>>k&1 == 0 && c.Inverse(n) != cell.Out {
				other[n] = true
			}
		}
	}
	for n := range other {
		if inverse := c.Inverse(sim.Net(n)); inverse > sim.One && other[inverse] {
			other[n] = true
		}
	}
	return other
}

// joinCells joins the faults within each cell.
func (l *List) joinCells() {
	for first := 0; first < len(l.Sites); {
		last := first + 1
		for last < len(l.Sites) && l.Sites[last].Part == l.Sites[first].Part {
			last++
		}
		l.joinClocks(first, last)
		if f := l.function(first, last); f != nil {
			f.join()
		}
		first = last
	}
}

// joinClocks joins the two faults of a pin that only clocks flip-flops: with either they hold.
func (l *List) joinClocks(first, last int) {
	c := l.Design.Circuit
	for i := first; i < last; i++ {
		s := &l.Sites[i]
		other := slices.ContainsFunc(s.uses, func(u use) bool {
			return c.Cells[u.cell].Kind != sim.Flop || u.operand != 1
		})
		if !s.Out && !other {
			l.join(fault(i, false), fault(i, true))
		}
	}
}

// A function is a stateless cell with one output and few inputs, for its truth table. The output may be an input, too.
type function struct {
	l           *List
	first, last int // its sites
	out         int
	cells       []sim.Cell
	nets        []sim.Net // with their values: those of the inputs first, each with its inverse
	values      []uint64
}

// mostInputs is the number of inputs in a truth table of 64 rows.
const mostInputs = 6

// rows holds the values of six inputs in the rows of a truth table.
var rows = [mostInputs]uint64{0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
	0xFFFF0000FFFF0000, 0xFFFFFFFF00000000}

// function returns the function of the cell with these sites, or nil if it is of another kind.
func (l *List) function(first, last int) *function {
	f := &function{l: l, first: first, last: last, out: -1}
	for i := first; i < last; i++ {
		switch {
		case l.Sites[i].Out && f.out >= 0, l.Sites[i].Net <= sim.One:
			return nil
		case l.Sites[i].Out:
			f.out = i
		}
	}
	if f.out < 0 || last-first > mostInputs+1 {
		return nil
	}
	c := l.Design.Circuit
	at, _ := slices.BinarySearchFunc(c.Cells, l.Sites[first].Part, func(c sim.Cell, part int32) int {
		return int(c.Of - part)
	})
	for ; at < len(c.Cells) && c.Cells[at].Of == l.Sites[first].Part; at++ {
		if k := c.Cells[at].Kind; k.Holds() || k == sim.Tri || k == sim.Unknown {
			return nil
		}
		f.cells = append(f.cells, c.Cells[at])
	}
	return f
}

// join joins the faults that give the cell the same function. A fault without an effect is untestable.
func (f *function) join() {
	right, computed := f.value(-1, 0)
	if !computed {
		return
	}
	of := map[uint64]int32{}
	for i := f.first; i < f.last; i++ {
		for _, level := range []bool{false, true} {
			is := uint64(0)
			if level {
				is = ^is
			}
			number := fault(i, level)
			value := is
			if i != f.out {
				value, _ = f.value(i, is)
			}
			if value == right {
				f.l.never[number] = "the cell has the same function with it"
			}
			if same, known := of[value]; known {
				f.l.join(same, number)
			}
			of[value] = number
		}
	}
}

// value returns the output's truth table with a site at a level; site -1 is none. It fails if the cell reads anything
// but its pins.
func (f *function) value(site int, level uint64) (value uint64, computed bool) {
	f.nets, f.values = append(f.nets[:0], sim.Zero, sim.One), append(f.values[:0], 0, ^uint64(0))
	for i := f.first; i < f.last; i++ {
		if i == f.out {
			continue
		}
		v := rows[i-f.first-min(1, max(0, i-f.out))]
		if i == site {
			v = level
		}
		net := f.l.Sites[i].Net
		f.put(net, v)
		if inverse := f.l.Design.Circuit.Inverse(net); inverse != sim.Open {
			f.put(inverse, ^v)
		}
	}
	for i := range f.cells {
		if !f.evaluate(&f.cells[i]) {
			return 0, false
		}
	}
	slices.Reverse(f.nets) // the last value is the output's
	slices.Reverse(f.values)
	return f.get(f.l.Sites[f.out].Net)
}

func (f *function) put(n sim.Net, v uint64) {
	f.nets, f.values = append(f.nets, n), append(f.values, v)
}

// get returns the first value given to a net; for a pin's net and its inverse that is the pin's.
func (f *function) get(n sim.Net) (v uint64, known bool) {
	at := slices.Index(f.nets, n)
	if at < 0 {
		return 0, false
	}
	return f.values[at], true
}

// evaluate computes a primitive.
func (f *function) evaluate(c *sim.Cell) bool {
	var in [3]uint64
	for i := range c.Kind.Inputs() {
		var known bool
		if in[i], known = f.get(c.In[i]); !known {
			return false
		}
	}
	a, b := in[0], in[1]
	f.put(c.Out, [...]uint64{sim.Buf: a, sim.Not: ^a, sim.And: a & b, sim.Or: a | b,
		sim.Xor: a ^ b, sim.Nand: ^(a & b), sim.Nor: ^(a | b), sim.Xnor: ^(a ^ b), sim.Mux: a&b | ^a&in[2]}[c.Kind])
	return true
}
