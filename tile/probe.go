package tile

import "utfbench/transport"

// A Probe is a question to a chip before any vector: does it answer, does the clock arrive, does the bus turn?
type Probe struct {
	Name  string
	Steps []transport.Step

	// Guess says what a difference looks like; "" if the cause is not known. Wanted is what a right chip shows.
	Guess func(got, want []transport.Sample) string
}

// A Prober has probes, in the order in which they make sense.
type Prober interface {
	Probes() []Probe
}

// A Recogniser can be told from any other design.
type Recogniser interface {
	// Signature is a probe to which all revisions give the same answers. It drives ui, clk and rst_n alone and leaves
	// uio released, so that nothing drives against another design's outputs.
	Signature() Probe

	// Alike says whether answers that differ on those lines may be this design behind one or two bad wires.
	Alike(lines transport.Outputs) bool

	// Follows are the inputs that uo depends on as long as there is no clock: the same levels show the same, in any
	// state.
	Follows() uint8

	// Telltale are steps to which each revision gives different answers, on so many lines that one bad wire does not
	// make one revision look like another; nil if there is only one.
	Telltale() []transport.Step
}

// An Observer says what is special at a step, and what the value of a chip is.
type Observer interface {
	// Observe begins before the first reset and is asked step by step: the traits of each, in words. They are valid
	// until the next step.
	Observe() func(s transport.Step) (traits []string)

	// Value is what the chip holds, by its registers in the order of fault.Registers.
	Value(registers uint64) uint32
}
