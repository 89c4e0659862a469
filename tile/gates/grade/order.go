package grade

import (
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
)

// An order holds the driven nets of a design, each after the nets on which its level depends within a phase.
type order struct {
	design  *gates.Design
	drivers [][]int32 // by net: cells
	readers [][]int32 // by net: cells
	groups  []loop
	group   []int32 // by net: index into groups, or -1

	ui, uo, uio, out, oe []sim.Net
	rst, clk             sim.Net
	level, drive         [8]sim.Net // the bench's sides of the pads
	line                 []int8     // by net: the line of uio whose pad drives it, or -1
}

// A loop is a group of nets that depend on each other within a phase. Most groups are a single net without a loop.
type loop struct {
	nets   []sim.Net
	closed bool
}

// maxPasses limits the evaluations of a loop, after which unknown levels stay unknown.
const maxPasses = 4

func newOrder(d *gates.Design) *order {
	c := d.Circuit
	o := &order{design: d, drivers: c.Drivers().ByNet, readers: make([][]int32, len(c.Nets)),
		group: make([]int32, len(c.Nets)), line: make([]int8, len(c.Nets)), ui: c.Port("ui_in"), uo: c.Port("uo_out"),
		uio: c.Port("uio_in"), out: c.Port("uio_out"), oe: c.Port("uio_oe"), rst: c.Port("rst_n")[0],
		clk: c.Port("clk")[0]}
	for i := range c.Cells {
		for _, n := range c.Cells[i].In[:c.Cells[i].Kind.Inputs()] {
			if n > sim.One && !slices.Contains(o.readers[n], int32(i)) {
				o.readers[n] = append(o.readers[n], int32(i))
			}
		}
	}
	for i := range o.group {
		o.group[i], o.line[i] = -1, -1
	}
	for i, n := range o.uio {
		o.line[n] = int8(i)
		bench := c.Cells[o.drivers[n][len(o.drivers[n])-1]]
		o.level[i], o.drive[i] = bench.In[0], bench.In[1]
	}
	w := walk{o: o, index: make([]int32, len(c.Nets)), low: make([]int32, len(c.Nets))}
	for n := range c.Nets {
		if w.index[n] == 0 && len(o.drivers[n]) > 0 {
			w.visit(sim.Net(n))
		}
	}
	return o
}

// before returns the nets that a net depends on within a phase. The output of a flip-flop depends on none, since it
// took its data in the previous phase.
func (o *order) before(n sim.Net) (nets []sim.Net) {
	for _, k := range o.drivers[n] {
		cell := &o.design.Circuit.Cells[k]
		in := cell.In[:cell.Kind.Inputs()]
		if cell.Kind == sim.Flop {
			in = in[1:]
		}
		nets = append(nets, in...)
	}
	if i := o.line[n]; i >= 0 { // the bench drives where the design does not
		nets = append(nets, o.oe[i])
	}
	return nets
}

// A walk finds loops with Tarjan's algorithm.
type walk struct {
	o          *order
	index, low []int32 // by net
	next       int32
	open       []sim.Net
}

// visit visits a net after the nets that it depends on, and completes its loop if the net is the loop's first.
func (w *walk) visit(n sim.Net) {
	w.next++
	w.index[n], w.low[n] = w.next, w.next
	w.open = append(w.open, n)
	before := w.o.before(n)
	for _, m := range before {
		switch {
		case m <= sim.One || len(w.o.drivers[m]) == 0:
		case w.index[m] == 0:
			w.visit(m)
			w.low[n] = min(w.low[n], w.low[m])
		case w.o.group[m] < 0:
			w.low[n] = min(w.low[n], w.index[m])
		}
	}
	if w.low[n] < w.index[n] {
		return
	}
	at := slices.Index(w.open, n)
	nets := slices.Clone(w.open[at:])
	w.open = w.open[:at]
	slices.Reverse(nets)
	for _, m := range nets {
		w.o.group[m] = int32(len(w.o.groups))
	}
	w.o.groups = append(w.o.groups, loop{nets, len(nets) > 1 || slices.Contains(before, n)})
}
