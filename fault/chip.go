// Package fault simulates faulty wires between a bench and any chip: a network of 26 lines, their possible faults, the
// faults' syntax, and the times at which they act.
//
// The chip behind the wires is a Chip, and the package knows nothing else about it. A step passes through the wires in
// phases (levels, clk high, clk low), because a fault on clk, rst_n or a bridged pair acts between the phases.
//
// fault.go defines faults, parse.go their syntax, timing.go when they act. levels.go defines the network's
// terms, wires.go a step, and network.go the way through the faults, with copies for a search that tries both ways.
package fault

// A Chip is connected to the wires. Levels are those at its own pins; some may be unknown, and outputs that depend on
// them are unknown, too.
type Chip interface {
	// Drives returns the chip's output levels for these inputs and the lines that it drives, without a clock.
	Drives(in Levels) (out Levels, lines uint32)

	// ClockEdge applies a rising clk. If clk itself is unknown, there may or may not have been an edge.
	ClockEdge(in Levels)
}

// FallibleChip is a Chip that may fail, such as a simulation in another process; its levels are then meaningless.
type FallibleChip interface {
	Chip

	Err() error
}

// AsynchronousChip is a Chip with a state that can change without a clock, as by an asynchronous reset.
type AsynchronousChip interface {
	Chip

	// Settle is called whenever the levels at the chip have settled, before ClockEdge.
	Settle(in Levels)
}

// Registers is a Chip with register bits that can be stuck.
type Registers interface {
	Chip

	// Bits returns their names by number.
	Bits() BitNames

	// Registers returns their levels, which are meaningless while unknown to the chip itself.
	Registers() uint64

	// SetRegisters forces their levels, as stuck flip-flops do.
	SetRegisters(uint64)

	// PowerUp sets known levels without a reset, as in silicon, where a flip-flop powers up as 0 or 1.
	PowerUp(uint64)
}
