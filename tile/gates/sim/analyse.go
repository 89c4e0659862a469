package sim

import (
	"slices"
)

// A net's dependencies, except those through state, are a mask: a bit for each input, and the following bits.
const (
	onState uint64 = 1 << 63
	onFloat uint64 = 1 << 62
)

// analyse finds the operations that depend on state, the clocks straight from inputs, and the nets that may pulse.
func (p *Program) analyse() {
	on, straight := p.dependencies()
	for i := range p.ops {
		if on[p.ops[i].out]&onState != 0 {
			p.behindState = append(p.behindState, p.ops[i])
		}
	}
	var watch []int32
	for i := range p.groups {
		g := &p.groups[i]
		clock := on[g.clock]
		g.steady = straight[g.clock] && clock&^p.alone == 0
		for _, b := range g.bits {
			g.steady = g.steady && on[b.d]&clock == 0
		}
		if !g.steady {
			watch = append(watch, g.clock)
			for _, b := range g.bits {
				watch = append(watch, b.d)
			}
		}
		for _, n := range []int32{g.set, g.reset} {
			if !straight[n] || g.set != 0 && g.reset != 0 { // set and reset may be released at the same time
				watch = append(watch, n)
			}
		}
	}
	for _, l := range p.latches {
		watch = append(watch, l.d, l.enable, l.set, l.reset)
	}
	for _, c := range p.cuts {
		watch = append(watch, c.d)
	}
	p.restless = len(watch) > 0
	if p.restless {
		p.control(on)
		p.watch(watch)
		quiet := p.quiet()
		for i, b := range p.state() {
			if !quiet[i] {
				p.stirring = append(p.stirring, b.q)
			}
		}
	}
}

// control finds the inputs that may change state other than as a clock straight from an input.
func (p *Program) control(on []uint64) {
	behind := uint64(0)
	for _, g := range p.groups {
		behind |= on[g.set] | on[g.reset]
		if !g.steady {
			behind |= on[g.clock]
		}
	}
	for _, l := range p.latches {
		behind |= on[l.d] | on[l.enable] | on[l.set] | on[l.reset]
	}
	for _, c := range p.cuts {
		behind |= on[c.d]
	}
	p.controls = make([]bool, p.size)
	for i, n := range p.inputs {
		p.controls[n] = behind>>i&1 != 0
	}
}

// dependencies returns the dependencies of each net, and whether it is a constant or an input, also behind inverters.
func (p *Program) dependencies() (on []uint64, straight []bool) {
	on, straight = make([]uint64, p.size), make([]bool, p.size)
	straight[0], straight[1] = true, true
	for i, n := range p.inputs {
		on[n], straight[n] = 1<<i, true
	}
	for _, b := range p.state() {
		on[b.q] = onState
	}
	for _, n := range p.floats {
		on[n] = onFloat
	}
	for again := true; again; {
		for i := range p.ops {
			o := &p.ops[i]
			reads(o, p.shared, func(n *int32) { on[o.out] |= on[*n] })
			straight[o.out] = (o.kind == opNot || o.kind == opForce) && straight[o.a]
		}
		again = false
		for _, c := range p.cuts { // a loop consists of gates, so its dependencies pass through the cut
			again = again || on[c.d]&^on[c.q] != 0
			on[c.q] |= on[c.d]
		}
	}
	return on, straight
}

// state returns all bits of state: flip-flops, latches, cuts.
func (p *Program) state() (all []bit) {
	for _, g := range p.groups {
		all = append(all, g.bits...)
	}
	for _, l := range p.latches {
		all = append(all, l.bit)
	}
	return append(all, p.cuts...)
}

// watch collects the operations that nets depend on, directly or indirectly.
func (p *Program) watch(nets []int32) {
	wanted := make([]bool, p.size)
	for _, n := range nets {
		wanted[n] = true
	}
	for i := len(p.ops) - 1; i >= 0; i-- {
		if o := &p.ops[i]; wanted[o.out] {
			reads(o, p.shared, func(n *int32) { wanted[*n] = true })
		}
	}
	p.loop(wanted)
	computed := make([]bool, p.size)
	for i := range p.ops {
		if computed[p.ops[i].out] = true; wanted[p.ops[i].out] {
			p.watched = append(p.watched, p.ops[i])
		}
	}
	for _, c := range p.cuts { // copyLoop finds the moves of copies
		wanted[c.q] = false
	}
	for n := int32(2); n < p.size; n++ {
		if wanted[n] && !computed[n] {
			p.sources = append(p.sources, n)
		}
	}
	floats := slices.ContainsFunc(p.floats, func(n int32) bool { return wanted[n] }) ||
		slices.ContainsFunc(p.watched, func(o op) bool { return o.kind == opShared })
	if !floats && len(p.cuts) == 0 {
		p.watchers = readersOf(p, p.watched)
	}
}

// loop collects the operations behind cuts.
func (p *Program) loop(watched []bool) {
	behind := make([]bool, p.size)
	for _, c := range p.cuts {
		behind[c.q] = true
	}
	for i := range p.ops {
		o := &p.ops[i]
		reads(o, p.shared, func(n *int32) { behind[o.out] = behind[o.out] || behind[*n] })
		if behind[o.out] {
			p.behindCuts, p.watchedCuts = append(p.behindCuts, *o), append(p.watchedCuts, watched[o.out])
		}
	}
	p.surround(behind)
}

// surround collects the nets outside of loops that loops read; behind marks the nets behind cuts.
func (p *Program) surround(behind []bool) {
	before := make([]bool, p.size)
	for _, c := range p.cuts {
		before[c.d] = true
	}
	for i := range slices.Backward(p.behindCuts) {
		if o := &p.behindCuts[i]; before[o.out] {
			reads(o, p.shared, func(n *int32) { before[*n] = true })
		}
	}
	for n := range p.size {
		if before[n] && !behind[n] {
			p.around = append(p.around, n)
		}
	}
}

// A Cone is the set of operations that depend on some inputs.
type Cone struct {
	ops []op
}

// Cone returns the cone of the inputs in a mask, by index. If floats is set, it includes the cone of floating nets.
func (p *Program) Cone(inputs uint64, floats bool) *Cone {
	if floats {
		inputs |= onFloat
	}
	on := make([]uint64, p.size)
	for i, n := range p.inputs {
		on[n] = 1 << i
	}
	for _, n := range p.floats {
		on[n] = onFloat
	}
	c := &Cone{}
	for i := range p.ops {
		o := &p.ops[i]
		if o.kind == opShared {
			on[o.out] = onFloat
		}
		reads(o, p.shared, func(n *int32) { on[o.out] |= on[*n] })
		if on[o.out]&inputs != 0 {
			c.ops = append(c.ops, *o)
		}
	}
	return c
}

// Empty reports whether no operation depends on the inputs.
func (c *Cone) Empty() bool { return len(c.ops) == 0 }

// Inputs returns a mask of all inputs.
func (p *Program) Inputs() uint64 { return 1<<len(p.inputs) - 1 }

// Dependencies returns a mask of the inputs that nets depend on, and whether they depend on state or floating nets.
func (p *Program) Dependencies(nets []Net) (inputs uint64, other bool) {
	on, _ := p.dependencies()
	for _, n := range nets {
		if at := p.of[n]; at >= 0 {
			inputs |= on[at]
			continue
		}
		other = true
	}
	return inputs & p.Inputs(), other || inputs&(onState|onFloat) != 0
}
