// Package fault simulates faulty wires between a bench and any chip: a network of 26 lines, their possible faults, the
// faults' syntax, and the times at which they act.
//
// The chip behind the wires is a [Chip], and the package knows nothing else about it. A step passes through the wires
// in phases (levels, clk high, clk low), because a fault on clk, rst_n or a bridged pair acts between the phases.
//
// fault.go defines faults, parse.go defines their syntax, and timing.go defines when they act. levels.go defines the
// network's terms, wires.go applies a step, and network.go computes the path of levels through the faults.
package fault

// A Chip is connected to the wires. Levels are at its own pins; outputs that depend on unknown levels are unknown.
type Chip interface {
	// Drives returns the chip's output levels for these inputs, without a clock, and the lines that it drives.
	Drives(in Levels) (out Levels, lines uint32)

	// ClockEdge applies a rising edge of clk. If clk itself is unknown, there may or may not have been an edge.
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

	// Bits returns the names of the bits, by number.
	Bits() BitNames

	// Registers returns the levels of the bits, which are meaningless while the chip's state is unknown.
	Registers() uint64

	// SetRegisters forces the levels of the bits, as stuck flip-flops do.
	SetRegisters(uint64)

	// PowerUp sets known levels without a reset: in silicon, a flip-flop powers up as 0 or 1.
	PowerUp(uint64)
}
