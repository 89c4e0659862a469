// Package fault is faulty wires between a bench and whatever answers at their other end: a network of 26 lines, what
// can be wrong with them, how that is written, and when it acts.
//
// What is behind the wires is a Chip, and the package knows nothing else about it. A step runs through the wires phase
// by phase (levels, clk high, clk low), because a fault on clk, rst_n or a bridged pair acts between the phases.
//
// fault.go says what a fault is, parse.go how it is written, chance.go and timing.go when it acts. lines.go and
// levels.go have the words of the network, wires.go a step, network.go the way through the faults, and fork.go is for a
// search that tries both ways.
package fault

// A Chip is behind the wires. Levels are those at its own end; some may be unknown, and what depends on them is
// unknown, too.
type Chip interface {
	// Drives returns the chip's levels for these inputs, and the lines that it drives. It needs no clock.
	Drives(in Levels) (out Levels, lines uint32)

	// Edge is a rising clk. If clk itself is unknown, there may have been an edge or not.
	Edge(in Levels)
}

// Forker is a Chip of which there can be a second one in the same state.
type Forker interface {
	Chip

	Fork() Chip

	// Same reports whether a fork will behave like this chip from here on.
	Same(fork Chip) bool
}

// Mortal is a Chip that may fail, such as a simulation in another process; its levels are then meaningless.
type Mortal interface {
	Chip

	Err() error
}

// Settler is a Chip with a state that levels change without a clock, as an asynchronous reset does.
type Settler interface {
	Chip

	// Settle is called whenever the levels at the chip's end have come to rest, before Edge.
	Settle(in Levels)
}

// Registers is a Chip with register bits that can be stuck.
type Registers interface {
	Chip

	// Bits names them by number.
	Bits() Bits

	// Registers gives their levels, which mean nothing as long as the chip itself does not know them.
	Registers() uint64

	// SetRegisters forces them, as stuck flip-flops do.
	SetRegisters(uint64)

	// PowerUp makes them known without a reset, as in silicon, where a flip-flop wakes up as 0 or 1.
	PowerUp(uint64)
}
