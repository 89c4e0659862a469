package gates

import (
	"iter"
	"math/bits"
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
)

// bare is a design without pads; its uio_in is an input, set by the wires.
type bare struct {
	prog           *sim.Program
	onInput, onClk *sim.Cone
	power, unknown *sim.Machine // after power-up, with inputs that are low or unknown

	net         [fault.Rst + 1]sim.Net // nets of the lines that the chip reads
	uo, out, oe [8]sim.Net
}

// padCells is the number of primitives that Compile appends for the pads.
const padCells = 16

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
		b := &bare{prog: p, onClk: p.Cone(1, false), onInput: p.Cone(p.Inputs()&^1, false),
			power: sim.NewMachine(p, nil), unknown: sim.NewMachine(p, nil, inputs[1:]...),
			uo: d.uo, out: d.out, oe: d.oe}
		copy(b.net[fault.UI:], d.ui[:])
		copy(b.net[fault.UIO:], d.uio[:])
		b.net[fault.Clk], b.net[fault.Rst] = d.clk, d.rst
		d.bare = b
	})
	return d.bare
}

// A crowd holds chips behind wires. The chips share one machine, in separate lanes.
type crowd struct {
	bare  *bare
	m     *sim.Machine
	view  *sim.Machine // for levels that are not final
	chips []*wired
}

// wired is a chip behind wires, in some lanes of a machine.
type wired struct {
	*crowd
	lanes uint64

	in, seen fault.Levels // inputs of the machine and of the view, except clk
	stale    bool         // the view has an old state

	told struct { // result of the latest Drives; invalid once the machine changes
		valid bool
		in    fault.Levels
		out   fault.Levels
		lines uint32
	}

	wants request
	asked fault.Levels
	wait  func()      // waits until the crowd has served the chip's request; nil for a single chip
	goOn  func() bool // runs the chip up to its next request, if any
}

// A request is a change of the machine that a chip waits for.
type request int

// Requests, in the order in which a crowd serves them. This order soon makes all chips wait for the same request.
const (
	preview request = iota
	powerUp
	settle
	edge
)

// inputs are the lines that a chip reads, except clk.
const inputs = fault.MaskUI | fault.MaskUIO | fault.MaskRst

// unset holds the inputs' levels at power-up. They are unknown, since they may set state that no reset clears.
var unset = fault.Levels{X: inputs}

// unclocked returns the levels of the inputs, except clk.
func unclocked(l fault.Levels) fault.Levels { return fault.Levels{V: l.V & inputs, X: l.X & inputs} }

var _ fault.AsynchronousChip = (*wired)(nil)

// single returns a chip after power-up that does not share its machine.
func (b *bare) single(m *sim.Machine) *wired {
	w := &wired{crowd: &crowd{bare: b, m: m, view: m.Clone()}, lanes: ^uint64(0), in: unset, seen: unset}
	w.chips = []*wired{w}
	return w
}

// FaultChip implements tile.WiredReference. The chip is in its power-up state, whatever r's state.
func (r *reference) FaultChip() fault.Chip { return r.tile.chip() }

// chip returns a chip behind wires, after power-up.
func (t *Tile) chip() *wired {
	b := t.Design.wired()
	return b.single(b.power.Clone())
}

// NewPoweredChip returns a chip to connect to wires. Its power-up state and floating lines are random, as in silicon.
func (d *Design) NewPoweredChip(chance *sim.RandomChoices) fault.AsynchronousChip {
	b := d.wired()
	return b.single(sim.NewMachine(b.prog, chance))
}

// StepCost implements tile.BatchSimulator. It estimates the cost of a chip's share of the machine and of its wires.
func (t *Tile) StepCost() int { return 20 + t.Design.Program().OpCount()/100 }

// RunConcurrently implements tile.BatchSimulator. Each chip has a lane and a coroutine that runs its worker.
func (t *Tile) RunConcurrently(next func() tile.Worker) {
	b := t.Design.wired()
	if !b.prog.HasSeparateVectors() {
		for work := next(); work != nil; work = next() {
			work(func() fault.Chip { return b.single(b.unknown.Clone()) })
		}
		return
	}
	c := &crowd{bare: b, m: b.unknown.Clone(), view: b.unknown.Clone()}
	for lane := range 64 {
		w := &wired{crowd: c, lanes: 1 << lane}
		resume, _ := iter.Pull(func(yield func(bool) bool) {
			w.wait = func() { yield(true) }
			for work := next(); work != nil; work = next() {
				work(func() fault.Chip { w.request(powerUp, unset); return w })
			}
		})
		w.goOn = func() bool { more, _ := resume(); return more }
		c.chips = append(c.chips, w)
	}
	c.run()
}

// run resumes the chips and serves their requests until all have ended.
func (c *crowd) run() {
	for ready := slices.Clone(c.chips); len(ready) > 0; {
		for _, w := range ready {
			if !w.goOn() {
				c.chips = slices.DeleteFunc(c.chips, func(o *wired) bool { return o == w })
			}
		}
		ready = ready[:0]
		for _, w := range c.chips {
			if len(ready) > 0 && w.wants < ready[0].wants {
				ready = ready[:0]
			}
			if len(ready) == 0 || w.wants == ready[0].wants {
				ready = append(ready, w)
			}
		}
		if len(ready) > 0 {
			c.serve(ready)
		}
	}
}

// request makes a request of the chip, and waits until it is served.
func (w *wired) request(wants request, asked fault.Levels) {
	w.wants, w.asked = wants, asked
	if w.wait == nil {
		w.serve(w.chips)
	} else {
		w.wait()
	}
}

// serve carries out the request that all these chips wait for, on the machine or on the view.
func (c *crowd) serve(chips []*wired) {
	var lanes, low, unknown uint64
	for _, w := range chips {
		lanes |= w.lanes
		if (w.asked.V|w.asked.X)&fault.MaskClk == 0 {
			low |= w.lanes
		}
		if w.asked.X&fault.MaskClk != 0 {
			unknown |= w.lanes
		}
	}
	switch chips[0].wants {
	case preview:
		c.preview(chips)
		return
	case powerUp:
		c.m.CopyLanesFrom(c.bare.unknown, lanes)
	case settle: // clk is low again, so its falling edge has passed
		c.clock(low, sim.Level(0))
		c.put(c.m, chips)
		c.m.Event(c.bare.onInput)
	case edge:
		c.put(c.m, chips)
		c.m.Event(c.bare.onInput)
		c.clock(lanes, sim.Level(0))
		c.clock(lanes, sim.Level(^uint64(0)).WithUnknown(unknown))
	}
	for _, w := range chips {
		w.in, w.stale, w.told.valid = unclocked(w.asked), true, false
	}
}

func (c *crowd) preview(chips []*wired) {
	if slices.ContainsFunc(chips, func(w *wired) bool { return w.stale }) {
		c.view.CopyFrom(c.m)
		for _, w := range c.chips {
			w.seen, w.stale = w.in, false
		}
	}
	c.put(c.view, chips)
	c.view.Preview(c.bare.onInput)
	for _, w := range chips {
		w.seen = w.asked
	}
}

func (c *crowd) clock(lanes uint64, to sim.Set) {
	clk := c.bare.net[fault.Clk]
	s := c.m.Level(clk)
	c.m.Set(clk, sim.Set{Hi: s.Hi&^lanes | to.Hi&lanes, Lo: s.Lo&^lanes | to.Lo&lanes})
	c.m.Event(c.bare.onClk)
}

// put sets the inputs of a machine, except clk, to the levels that the chips requested.
func (c *crowd) put(m *sim.Machine, chips []*wired) {
	for lines := uint32(inputs); lines != 0; lines &= lines - 1 {
		line := bits.TrailingZeros32(lines)
		s := m.Level(c.bare.net[line])
		for _, w := range chips {
			high, unknown := -uint64(w.asked.V>>line&1), -uint64(w.asked.X>>line&1)
			s.Hi = s.Hi&^w.lanes | (high|unknown)&w.lanes
			s.Lo = s.Lo&^w.lanes | (^high|unknown)&w.lanes
		}
		m.Set(c.bare.net[line], s)
	}
}

// Drives implements fault.Chip. It returns the outputs for these inputs in the current state.
func (w *wired) Drives(in fault.Levels) (out fault.Levels, lines uint32) {
	m, asked := w.m, unclocked(in)
	if w.told.valid && w.told.in == asked {
		return w.told.out, w.told.lines
	}
	if asked != w.in {
		if m = w.view; w.stale || w.seen != asked {
			w.request(preview, asked)
		}
	}
	lane := bits.TrailingZeros64(w.lanes)
	lines = fault.MaskUO
	show := func(n sim.Net, line int) {
		s := m.Level(n)
		out.V |= uint32(s.Hi&^s.Lo>>lane&1) << line
		out.X |= uint32(s.Hi&s.Lo>>lane&1) << line
	}
	for i := range 8 {
		show(w.bare.uo[i], fault.UO+i)
		oe := m.Level(w.bare.oe[i])
		if oe.Hi>>lane&1 == 0 {
			continue
		}
		lines |= 1 << (fault.UIO + i)
		if show(w.bare.out[i], fault.UIO+i); oe.Lo>>lane&1 != 0 {
			out.X |= 1 << (fault.UIO + i)
		}
	}
	out.V &^= out.X
	w.told.valid, w.told.in, w.told.out, w.told.lines = true, asked, out, lines
	return out, lines
}

func (w *wired) Settle(in fault.Levels) {
	falls := (in.V|in.X)&fault.MaskClk == 0 && w.m.Level(w.bare.net[fault.Clk]).Hi&w.lanes != 0
	if falls || unclocked(in) != w.in {
		w.request(settle, in)
	}
}

func (w *wired) ClockEdge(in fault.Levels) { w.request(edge, in) }
