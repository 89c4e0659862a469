package gates

import (
	"utfbench/fault"
	"utfbench/tile/gates/sim"
)

// A bare design has no pads: uio_in is the level of the wires.
type bare struct {
	d              *Design
	prog           *sim.Program
	onInput, onClk *sim.Cone
	power          *sim.Machine
}

// padCells is the number of primitives that Compile appends for the pads.
const padCells = 16

// wired returns the design without pads.
func (d *Design) wired() *bare {
	d.once.wired.Do(func() {
		c := *d.Circuit
		c.Cells = c.Cells[:len(c.Cells)-padCells]
		inputs := []sim.Net{d.clk, d.rst}
		inputs = append(append(inputs, d.ui[:]...), d.uio[:]...)
		p, err := sim.Compile(&c, inputs, 1)
		if err != nil {
			panic("gates: a design that compiled with pads: " + err.Error())
		}
		d.bare = &bare{d: d, prog: p, onClk: p.Cone(1, false), onInput: p.Cone(p.Inputs()&^1, false),
			power: sim.New(p, nil)}
	})
	return d.bare
}

// A wired is a design behind wires.
type wired struct {
	bare  *bare
	m     *sim.Machine
	view  *sim.Machine // for levels that are not final
	stale bool         // the view has an old state

	in, seen given // inputs of the machine and of the view
}

// A given holds the inputs of a machine, except clk; the zero value is unknown.
type given struct {
	fault.Levels
	known bool
}

// inputs are the lines that a chip reads, except clk.
const inputs = fault.MaskUI | fault.MaskUIO | fault.MaskRst

// givenBy returns the inputs among levels.
func givenBy(in fault.Levels) given {
	return given{fault.Levels{V: in.V & inputs, X: in.X & inputs}, true}
}

var (
	_ fault.Forker  = (*wired)(nil)
	_ fault.Settler = (*wired)(nil)
)

// Wired implements tile.Wired. The chip is in its power-up state, independently of r.
func (r *reference) Wired() fault.Chip {
	b := r.tile.Design.wired()
	return &wired{bare: b, m: b.power.Clone(), view: b.power.Clone()}
}

// Powered returns a chip in silicon behind wires: its state at power-up and its floating lines are random.
func (d *Design) Powered(chance *sim.Chance) fault.Settler {
	b := d.wired()
	m := sim.New(b.prog, chance)
	return &wired{bare: b, m: m, view: m.Clone()}
}

// put sets the inputs of a machine, except clk.
func (w *wired) put(m *sim.Machine, in fault.Levels) {
	d := w.bare.d
	level := func(line int) sim.Set {
		s := sim.Level(-uint64(in.V >> line & 1))
		if in.X>>line&1 != 0 {
			return sim.X
		}
		return s
	}
	for i := range 8 {
		m.Set(d.ui[i], level(fault.UI+i))
		m.Set(d.uio[i], level(fault.UIO+i))
	}
	m.Set(d.rst, level(fault.Rst))
}

// Drives implements fault.Chip: the outputs for these inputs, in the current state.
func (w *wired) Drives(in fault.Levels) (out fault.Levels, lines uint32) {
	m := w.m
	if asked := givenBy(in); asked != w.in {
		m = w.view
		w.preview(in, asked)
	}
	d := w.bare.d
	lines = fault.MaskUO
	show := func(n sim.Net, line int) {
		s := m.Get(n)
		out.V |= uint32(s.Hi&^s.Lo&1) << line
		out.X |= uint32(s.Hi&s.Lo&1) << line
	}
	for i := range 8 {
		show(d.uo[i], fault.UO+i)
		oe := m.Get(d.oe[i])
		if oe.Hi&1 == 0 {
			continue
		}
		lines |= 1 << (fault.UIO + i)
		if show(d.out[i], fault.UIO+i); oe.Lo&1 != 0 {
			out.X |= 1 << (fault.UIO + i)
		}
	}
	out.V &^= out.X
	return out, lines
}

// preview lets the view have these inputs.
func (w *wired) preview(in fault.Levels, asked given) {
	if !w.stale && w.seen == asked {
		return
	}
	if w.stale {
		w.view.CopyFrom(w.m)
		w.stale = false
	}
	w.put(w.view, in)
	w.view.Preview(w.bare.onInput)
	w.seen = asked
}

// Settle implements fault.Settler. A clk that is low again has fallen; Edge handles a rising one.
func (w *wired) Settle(in fault.Levels) {
	if (in.V|in.X)&fault.MaskClk == 0 {
		w.m.Set(w.bare.d.clk, sim.Level(0))
		w.m.Event(w.bare.onClk)
	}
	w.put(w.m, in)
	w.m.Event(w.bare.onInput)
	w.in, w.stale = givenBy(in), true
}

// Edge implements fault.Chip.
func (w *wired) Edge(in fault.Levels) {
	w.put(w.m, in)
	w.m.Event(w.bare.onInput)
	clk, to := w.bare.d.clk, sim.Level(^uint64(0))
	if in.X&fault.MaskClk != 0 {
		to = sim.X
	}
	w.m.Set(clk, sim.Level(0))
	w.m.Event(w.bare.onClk)
	w.m.Set(clk, to)
	w.m.Event(w.bare.onClk)
	w.in, w.stale = givenBy(in), true
}

// Fork implements fault.Forker.
func (w *wired) Fork() fault.Chip {
	return &wired{bare: w.bare, m: w.m.Clone(), view: w.view.Clone(), stale: true, in: w.in}
}

// Same implements fault.Forker.
func (w *wired) Same(fork fault.Chip) bool { return w.m.Same(fork.(*wired).m) }
