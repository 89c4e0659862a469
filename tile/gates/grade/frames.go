package grade

import (
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A rail is a net's set of possible levels: 1 if hi is true, 0 if lo is. If the level is known, lo is hi's inverse.
type rail struct{ hi, lo sat.Lit }

var (
	railX = rail{sat.True, sat.True}
	rail0 = rail{sat.False, sat.True}
	rail1 = rail{sat.True, sat.False}
)

func exactly(l sat.Lit) rail { return rail{l, l.Not()} }

func (r rail) not() rail { return rail{r.lo, r.hi} }

func (r rail) known() bool { return r.hi == r.lo.Not() }

func constant(level bool) rail { return exactly(sat.Constant(level)) }

// frames unrolls a design over phases of clk, for a solver. An unknown level sets both hi and lo, so that no answer
// depends on a choice of the level.
//
// A flip-flop takes the data of the phase before its clock rises, which covers gated and ripple clocks. A latch follows
// its data.
type frames struct {
	*sat.Solver
	o      *order
	first  []rail   // by net: at rest, before phase 0
	good   [][]rail // by phase and net
	phases []phase
	bad    [2]shadow // faulty copy in its current phase, and in the previous one
	todo   queue
	loose  bool // a loop has levels that stayed unknown, though they may be determined
	free   *freeState

	evaluated int // nets
}

// A phase is a level of clk, and the inputs during it.
type phase struct {
	clk bool
	*inputs
}

// inputs are levels that the bench chooses.
type inputs struct {
	ui, uio [8]sat.Lit
	rst     sat.Lit
	step    *transport.Step // step with these levels; nil if they are not constant
}

func newFrames(o *order, first []rail) *frames {
	n := len(o.design.Circuit.Nets)
	return &frames{Solver: sat.New(), o: o, first: first, bad: [2]shadow{newShadow(n), newShadow(n)},
		todo: queue{words: make([]uint64, len(o.groups)/64+1)}}
}

// work returns the work so far, in gate evaluations of a machine.
func (f *frames) work() int {
	return gateWork*f.GateCount() + effortWork*f.Effort + netWork*f.evaluated +
		len(f.good)*len(f.o.drivers)/copiesForWork
}

func railsOf(chip *gates.Chip, nets, vector int) []rail {
	all := make([]rail, nets)
	for n := range all {
		s := chip.Level(sim.Net(n))
		all[n] = rail{sat.Constant(s.Hi>>vector&1 != 0), sat.Constant(s.Lo>>vector&1 != 0)}
	}
	return all
}

// open returns inputs with levels that the solver chooses.
func (f *frames) open() *inputs {
	in := &inputs{rst: f.Input()}
	for i := range 8 {
		in.ui[i], in.uio[i] = f.Input(), f.Input()
	}
	return in
}

func fixed(s *transport.Step) *inputs {
	in := &inputs{rst: sat.Constant(!s.Reset), step: s}
	for i := range 8 {
		in.ui[i], in.uio[i] = sat.Constant(s.In>>i&1 != 0), sat.Constant(s.IO>>i&1 != 0)
	}
	return in
}

// add adds a phase and evaluates the design, with the defect d unless it is nil.
func (f *frames) add(clk bool, in *inputs, d *defect) {
	p, levels := len(f.good), slices.Repeat([]rail{railX}, len(f.o.drivers))
	f.good, f.phases = append(f.good, levels), append(f.phases, phase{clk: clk, inputs: in})
	levels[sim.Zero], levels[sim.One] = rail0, rail1
	levels[f.o.clk], levels[f.o.rst] = constant(clk), exactly(in.rst)
	for i := range f.o.uio {
		levels[f.o.ui[i]], levels[f.o.level[i]] = exactly(in.ui[i]), exactly(in.uio[i])
	}
	for g := range f.o.groups {
		l := &f.o.groups[g]
		f.evaluated += len(l.nets)
		open := f.settle(l, p, d, func(n sim.Net, r rail) { levels[n] = r })
		switch {
		case open && f.free == nil:
			f.loose = true
		case open && d == nil:
			f.choose(l, levels)
		}
	}
}

// settle evaluates the nets of a loop until their levels no longer change, and reports whether some are still unknown.
func (f *frames) settle(l *loop, p int, d *defect, put func(sim.Net, rail)) (open bool) {
	if !l.closed {
		put(l.nets[0], f.net(l.nets[0], p, d))
		return false
	}
	for _, n := range l.nets {
		put(n, railX)
	}
	for again, passes := true, 0; again && passes < maxPasses; passes++ {
		again = false
		for _, n := range l.nets {
			r := f.net(n, p, d)
			again = again || r != f.is(n, p, d)
			put(n, r)
		}
	}
	return slices.ContainsFunc(l.nets, func(n sim.Net) bool { return !f.is(n, p, d).known() })
}

// Values of ago: how many phases before the evaluated phase a net is read.
const (
	now = iota
	last
)

// at returns a net's rail in phase p-ago.
func (f *frames) at(n sim.Net, p, ago int, d *defect) rail {
	switch {
	case n == sim.Open:
		return railX
	case d != nil && f.bad[ago].is[n]:
		return f.bad[ago].at[n]
	case p < ago:
		return f.first[n]
	}
	return f.good[p-ago][n]
}

func (f *frames) is(n sim.Net, p int, d *defect) rail { return f.at(n, p, now, d) }

func (f *frames) net(n sim.Net, p int, d *defect) rail {
	all := f.o.drivers[n]
	if len(all) == 1 && f.o.design.Circuit.Cells[all[0]].Kind != sim.Tri {
		return f.cell(all[0], p, d)
	}
	may, released := rail{sat.False, sat.False}, sat.True
	for _, k := range all {
		data, enable := f.driver(k, p, d)
		may.hi = f.Or(may.hi, f.And(enable.hi, data.hi))
		may.lo = f.Or(may.lo, f.And(enable.hi, data.lo))
		released = f.And(released, enable.lo)
	}
	return rail{f.Or(may.hi, released), f.Or(may.lo, released)}
}

// driver returns the level that a cell drives onto a shared net, and whether it is enabled. The bench drives the lines
// of uio that the good design does not.
func (f *frames) driver(k int32, p int, d *defect) (data, enable rail) {
	cell := &f.o.design.Circuit.Cells[k]
	if cell.Kind != sim.Tri {
		return f.cell(k, p, d), rail1
	}
	if i := f.o.line[cell.Out]; i >= 0 && cell.In[1] == f.o.drive[i] {
		if s := f.phases[p].step; s != nil {
			return f.is(cell.In[0], p, nil), constant(s.Drive>>i&1 != 0)
		}
		return f.is(cell.In[0], p, nil), f.good[p][f.o.oe[i]].not()
	}
	data, enable = f.operand(k, 0, p, now, d), f.operand(k, 1, p, now, d)
	if d != nil && d.drives(k) {
		data, enable = constant(d.Level), rail1
	}
	return data, enable
}

// cell evaluates a cell that always drives its output.
func (f *frames) cell(k int32, p int, d *defect) rail {
	cell := &f.o.design.Circuit.Cells[k]
	in := func(i int) rail { return f.operand(k, i, p, now, d) }
	var r rail
	switch cell.Kind {
	case sim.Buf, sim.Not:
		r = in(0)
	case sim.And, sim.Nand:
		r = f.and(in(0), in(1))
	case sim.Or, sim.Nor:
		r = f.and(in(0).not(), in(1).not()).not()
	case sim.Xor, sim.Xnor:
		r = f.xor(in(0), in(1))
	case sim.Mux:
		r = f.mux(in(0), in(1), in(2))
	case sim.Flop, sim.Latch:
		r = f.state(k, in, p, d)
	default:
		r = railX
	}
	switch cell.Kind {
	case sim.Not, sim.Nand, sim.Nor, sim.Xnor:
		r = r.not()
	}
	if d != nil && d.drives(k) {
		r = constant(d.Level)
	}
	return r
}

// state evaluates a flip-flop or latch.
func (f *frames) state(k int32, in func(int) rail, p int, d *defect) rail {
	cell := &f.o.design.Circuit.Cells[k]
	q := f.at(cell.Out, p, last, d)
	if p == 0 && f.free != nil {
		q = f.free.level(k, d)
	}
	if cell.Kind == sim.Latch {
		q = f.mux(in(1), in(0), q)
	} else if p > 0 || f.free == nil {
		if edge := f.and(in(1), f.operand(k, 1, p, last, d).not()); edge != rail0 {
			q = f.mux(edge, f.operand(k, 0, p, last, d), q)
		}
	}
	if cell.In[2] != sim.Zero {
		q = f.and(q.not(), in(2).not()).not()
	}
	if cell.In[3] != sim.Zero {
		q = f.and(q, in(3).not())
	}
	return q
}

func (f *frames) and(a, b rail) rail {
	if a.known() && b.known() {
		return exactly(f.And(a.hi, b.hi))
	}
	return rail{f.And(a.hi, b.hi), f.Or(a.lo, b.lo)}
}

func (f *frames) xor(a, b rail) rail {
	if a.known() && b.known() {
		return exactly(f.Xor(a.hi, b.hi))
	}
	return rail{f.Or(f.And(a.hi, b.lo), f.And(a.lo, b.hi)), f.Or(f.And(a.hi, b.hi), f.And(a.lo, b.lo))}
}

func (f *frames) mux(s, a, b rail) rail {
	switch {
	case a == b:
		return a
	case s.known():
		hi := f.Mux(s.hi, a.hi, b.hi)
		if a.known() && b.known() {
			return exactly(hi)
		}
		return rail{hi, f.Mux(s.hi, a.lo, b.lo)}
	}
	return rail{f.Or(f.And(s.hi, a.hi), f.And(s.lo, b.hi)), f.Or(f.And(s.hi, a.lo), f.And(s.lo, b.lo))}
}

// operand returns an input of a cell in phase p-ago, with the fault applied.
func (f *frames) operand(k int32, i, p, ago int, d *defect) rail {
	if level, stuck := d.operand(k, i); stuck {
		return constant(level)
	}
	return f.at(f.o.design.Circuit.Cells[k].In[i], p, ago, d)
}

// steps returns steps with the inputs of the solver's last assignment: one for each phase with clk low, and all but the
// last with a clock. The caller must release the lines of uio that the design may drive: see start.apply.
func (f *frames) steps() (steps []transport.Step) {
	for _, p := range f.phases {
		if p.clk {
			continue
		}
		if len(steps) > 0 {
			steps[len(steps)-1].Clocks = 1
		}
		s := transport.Step{Reset: !f.Level(p.rst), Drive: 0xFF}
		for i := range 8 {
			if f.Level(p.ui[i]) {
				s.In |= 1 << i
			}
			if f.Level(p.uio[i]) {
				s.IO |= 1 << i
			}
		}
		steps = append(steps, s)
	}
	return steps
}
