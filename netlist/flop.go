package netlist

import (
	"fmt"
	"slices"

	"utfbench/netlist/structural"
)

// flop splits a cell that holds a bit into a gate for its output and one for its input.
func (b *builder) flop(c *cell, i *structural.Instance) error {
	name := shown(i.Name)
	state, next := b.net(name+" holds"), b.net(name+" takes")
	for _, net := range []int{state, next} {
		if err := b.drive(net, name); err != nil {
			return err
		}
	}
	f := Flop{Cell: name, Type: c.name, State: state, Next: next, Held: state}
	ff := c.flop
	data, quick := ff.next.reads(), ff.clear.reads()|ff.preset.reads()
	for _, o := range c.outputs {
		quick |= o.function.reads()
	}
	clock := ff.clock.reads()
	if clock == 0 || clock&(clock-1) != 0 || ff.clock.op != pinLevel || clock&(data|quick) != 0 {
		return refuse("cell %s, of %s in line %d, takes its bit at something else than the rising edge of one pin, "+
			"which is not supported", c.name, name, i.Line)
	}
	f.ClockPin = c.pins[ff.clock.pin]
	b.clockOf = append(b.clockOf, b.net(i.Nets[f.ClockPin]))

	show := Gate{Cell: name, Type: c.name}
	b.pins(&show, c, i, quick)
	show.Pins, show.In = append(show.Pins, ""), append(show.In, state)
	held := &expr{op: heldBit}
	if ff.clear != nil || ff.preset != nil {
		held = settled(held, ff)
		f.Held = b.net(name + " keeps")
		if err := b.drive(f.Held, name); err != nil {
			return err
		}
		show.OutPins, show.Out = append(show.OutPins, ""), append(show.Out, f.Held)
		show.functions = append(show.functions, renumber(held, c, &show))
	}
	of := *c
	of.outputs = nil
	for _, o := range c.outputs { // what is held is what has settled
		of.outputs = append(of.outputs, output{o.pin, replaceState(o.function, held)})
	}
	if err := b.outputs(&show, &of, i); err != nil {
		return err
	}
	take := Gate{Cell: name, Type: c.name, OutPins: []string{""}, Out: []int{next}}
	b.pins(&take, c, i, data|ff.clear.reads()|ff.preset.reads())
	take.Pins, take.In = append(take.Pins, ""), append(take.In, state)
	take.functions = []*expr{renumber(settled(replaceState(ff.next, held), ff), c, &take)}
	b.n.Gates = append(b.n.Gates, take)
	b.n.Flops = append(b.n.Flops, f)
	return nil
}

// settled applies a flip-flop's clear and preset to a bit.
func settled(e *expr, ff *holder) *expr {
	if ff.preset != nil {
		e = &expr{op: or, a: e, b: ff.preset}
	}
	if ff.clear != nil {
		e = &expr{op: and, a: e, b: &expr{op: not, a: ff.clear}}
	}
	return e
}

// replaceState puts an expression where the held bit stands.
func replaceState(e, held *expr) *expr {
	switch {
	case e == nil:
		return nil
	case e.op == heldBit:
		return held
	case e.a == nil:
		return e
	}
	return &expr{op: e.op, a: replaceState(e.a, held), b: replaceState(e.b, held)}
}

// clocks follows the clock of each flip-flop back to the port clk, through cells that only carry it, and sets these
// apart from the gates.
func (b *builder) clocks(*structural.Module) error {
	driver := map[int]int{}
	for i, g := range b.n.Gates {
		for _, net := range g.Out {
			driver[net] = i
		}
	}
	cell := map[int]int{} // by gate: which of Clock
	for i := range b.n.Flops {
		if err := b.follow(i, driver, cell); err != nil {
			return err
		}
	}
	kept := b.n.Gates[:0]
	for i, g := range b.n.Gates {
		if _, is := cell[i]; !is {
			kept = append(kept, g)
		}
	}
	b.n.Gates = kept
	return nil
}

// follow goes back from the clock pin of a flip-flop.
func (b *builder) follow(flop int, driver, cell map[int]int) error {
	f := &b.n.Flops[flop]
	net, inverted := b.clockOf[flop], false
	for range len(b.n.Gates) + 1 {
		if net == b.n.In.Clk {
			break
		}
		i, known := driver[net]
		if from := slices.IndexFunc(b.n.Flops, func(f Flop) bool { return f.State == net }); from >= 0 {
			return refuse("the clock of %s comes from the flip-flop %s: divided clocks are not supported", f.Cell,
				b.n.Flops[from].Cell)
		}
		if !known {
			return refuse("the clock of %s comes from the net %s, and has to come from the port clk", f.Cell,
				b.n.Nets[net])
		}
		g := &b.n.Gates[i]
		if len(g.In) != 1 || len(g.Out) != 1 {
			return refuse("the clock of %s comes through %s (%s), which is no buffer and no inverter: gated and "+
				"divided clocks are not supported", f.Cell, g.Cell, g.Type)
		}
		inverted = inverted != g.functions[0].eval(0, false)
		k, met := cell[i]
		if !met {
			k = len(b.n.Clock)
			cell[i] = k
			b.n.Clock = append(b.n.Clock, ClockCell{Cell: g.Cell, Type: g.Type, In: g.Pins[0], Out: g.OutPins[0]})
		}
		b.n.Clock[k].Flops = append(b.n.Clock[k].Flops, flop)
		net = g.In[0]
	}
	if net != b.n.In.Clk {
		return refuse("the clock of %s goes round in a circle", f.Cell)
	}
	if inverted {
		return refuse("%s (%s) takes its bit at the falling edge of clk, which is not supported", f.Cell, f.Type)
	}
	return nil
}

// driven refuses nets that are read and that nobody drives.
func (b *builder) driven(*structural.Module) error {
	for _, g := range b.n.Gates {
		for k, net := range g.In {
			if b.driver[net] == "" {
				return refuse("the net %s is driven by nothing, and %s reads it", b.n.Nets[net], reader(&g, k))
			}
		}
	}
	for _, net := range b.n.Out {
		if b.driver[net] == "" {
			return refuse("the port %s is driven by nothing", b.n.Nets[net])
		}
	}
	return nil
}

func reader(g *Gate, k int) string {
	if g.Cell == "" {
		return "an assign or a pad"
	}
	return fmt.Sprintf("the pin %s of %s (%s)", g.Pins[k], g.Cell, g.Type)
}
