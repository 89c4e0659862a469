package tile

import "utfbench/transport"

// A Probe is a question to a chip before any vector: does it live, does the clock arrive, does the bus turn?
type Probe struct {
	Name  string
	Steps []transport.Step

	// Guess says what a difference looks like; "" when it looks like nothing known. Wanted is what a right chip shows.
	Guess func(got, want []transport.Sample) string
}

// A Prober has probes, in the order in which they make sense.
type Prober interface {
	Probes() []Probe
}

// A Recogniser can be told from any other design.
type Recogniser interface {
	// Signature is a probe to which all revisions answer alike. It drives ui, clk and rst_n alone and leaves uio
	// released, so that another design's outputs meet nothing.
	Signature() Probe

	// Alike says that answers in which those lines differ may be this design behind a bad wire or two.
	Alike(lines transport.Outputs) bool

	// Follows are the inputs that uo depends on where there is no clock: the same levels show the same, whatever the
	// state.
	Follows() uint8

	// Telltale are steps to which each revision answers in its own way, on lines enough that one bad wire does not make
	// one look like another; nil where there is one.
	Telltale() []transport.Step
}

// An Observer tells what is special at a step, and what people call the value of a chip.
type Observer interface {
	// Observe begins before the first reset and is asked step by step: the traits of each, in words. They are valid
	// until the next step.
	Observe() func(s transport.Step) (traits []string)

	// Value is what the chip holds, by its registers in the order of fault.Registers.
	Value(registers uint64) uint32
}
