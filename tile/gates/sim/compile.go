// Package sim evaluates circuits of gates, flip-flops, latches and tristate cells.
//
// [Compile] turns a circuit into a Program: state, and operations on nets, sorted so that each follows its inputs. Each
// loop of gates is cut by a bit of state. A [Machine] runs a program in one of two ways, as 64 vectors or 64 chips side
// by side:
//
//   - Ternary: a net is the set of values that it may have ([Set]). This covers every power-up state, every level of a
//     floating net, and every order of simultaneous changes, so that no chip contradicts a known value.
//   - In lanes: each lane is a separate chip with a random power-up state and one fate of floating nets. Races are
//     decided at random.
//
// # Time
//
// There are no delays. An event is a change of some inputs, at any times and in any order, after which the machine runs
// until nothing changes. Within an event gates may take any time, so one input of a gate may change before or after
// another. A control of state (a clock that does not come straight from an input, a latch enable, a set or reset, a
// loop) that might receive a pulse is assumed to receive it or not. Data that change in the same event as such a clock
// are assumed to arrive before or after it. A clock that comes through buffers and inverters from an input with events
// of its own reaches all its flip-flops at once. The stages of a ripple counter toggle one after another.
//
// State that does not settle is unknown until the next event. Unknown state that may oscillate does so in each event.
package sim

import (
	"fmt"
)

// An op computes net out from up to three others. For a shared net, a is an index into Program.shared.
type op struct {
	kind         opKind
	out, a, b, c int32
}

type opKind int32

const (
	opNot opKind = iota
	opAnd
	opOr
	opXor
	opNand
	opNor
	opXnor
	opMux
	opForce // b is an index into Program.forces
	opShared
)

var opOf = map[Kind]opKind{Not: opNot, And: opAnd, Or: opOr, Xor: opXor,
	Nand: opNand, Nor: opNor, Xnor: opXnor, Mux: opMux}

// shared is a net with tristate drivers or several drivers.
type shared struct {
	net     int32
	drivers []driver
}

// A driver of a shared net drives data onto it while enable is 1.
type driver struct{ enable, data int32 }

// A bit of state shows q and takes d.
type bit struct{ d, q int32 }

// A group holds the flip-flops with the same clock, set and reset; net 0 means that there is no set or reset.
type group struct {
	clock, set, reset int32
	bits              []bit
	steady            bool // the clock comes straight from an input on which data depend only through state
}

// A latch follows d while enable is 1.
type latch struct {
	bit
	enable, set, reset int32
}

// A Program is a compiled circuit. It is immutable.
type Program struct {
	circuit *Circuit
	of      []int32 // the program's number of each net of the circuit; -1 for a net without readers and drivers
	size    int32

	inputs  []int32
	alone   uint64 // mask of the inputs that change in separate events
	ops     []op
	shared  []shared
	groups  []group
	flops   int // in all groups
	latches []latch
	cuts    []bit
	floats  []int32
	forces  []Force

	readers     readers
	behindState []op // depend on state
	restless    bool // state may change by other means than a clock, set or reset straight from an input
	behindCuts  []op // depend on copies at which loops are cut; watchedCuts tells which of them are watched
	watchedCuts []bool
	around      []int32 // nets outside of loops that loops read
	watched     []op    // compute controls, and data of clocks that do not come straight from an input
	sources     []int32
	watchers    readers // among watched operations; empty if all are always evaluated, since nets float or form loops
	controls    []bool  // by net: inputs that change state other than as a clock straight from an input
	stirring    []int32 // state that may change without an event while unknown
}

// maxInputs is the maximum number of inputs, since dependencies are bits of a word.
const maxInputs = 60

// Compile compiles a circuit. The error reports a fault in the circuit. inputs are the nets that the caller sets. The
// first ones change in separate events, as a clock does; alone is their number.
func Compile(c *Circuit, inputs []Net, alone int) (*Program, error) {
	return CompileForced(c, inputs, alone, nil)
}

// CompileForced compiles a circuit with forces.
func CompileForced(c *Circuit, inputs []Net, alone int, forces []Force) (*Program, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if len(inputs) > maxInputs {
		return nil, fmt.Errorf("%s: %d inputs (at most %d are supported)", c.Name(), len(inputs), maxInputs)
	}
	b := newBuilder(c)
	b.forces = forces
	if err := b.countDrivers(inputs); err != nil {
		return nil, err
	}
	b.join()
	for i := range c.Cells {
		b.cell(&c.Cells[i])
	}
	b.force()
	b.share()
	b.resolve()
	b.order()
	p := b.number(inputs)
	p.batch()
	p.alone = 1<<alone - 1
	for _, g := range p.groups {
		p.flops += len(g.bits)
	}
	p.analyse()
	p.readers = readersOf(p, p.ops)
	return p, nil
}

// FlopCount returns the number of flip-flops.
func (p *Program) FlopCount() int { return p.flops }

// LatchCount returns the number of latches, including those in clock gates.
func (p *Program) LatchCount() int { return len(p.latches) }

// LoopCount returns the number of nets at which loops of gates were cut.
func (p *Program) LoopCount() int { return len(p.cuts) }

// OpCount returns the number of operations.
func (p *Program) OpCount() int { return len(p.ops) }

// IsCombinational reports whether a program has no state, and no shared nets except those in except.
func (p *Program) IsCombinational(except ...Net) bool {
	may := map[int32]bool{}
	for _, n := range except {
		may[p.of[n]] = true
	}
	for _, s := range p.shared {
		if !may[s.net] {
			return false
		}
	}
	return p.IsStateless()
}

// IsStateless reports whether a program has neither flip-flops, latches nor loops.
func (p *Program) IsStateless() bool { return len(p.groups)+len(p.latches)+len(p.cuts) == 0 }
