package tile

import "utfbench/transport"

// A Probe is a question to a chip before any vector: does it answer, does the clock arrive, does the bus turn?
type Probe struct {
	Name  string
	Steps []transport.Step

	// Guess explains a difference, or returns "". want is a good chip's samples.
	Guess func(got, want []transport.Sample) string
}

// A Prober has probes, in the order in which they make sense.
type Prober interface {
	Probes() []Probe
}

// A Recogniser can be distinguished from any other design.
type Recogniser interface {
	// Signature is a probe with equal samples on all revisions. It drives only ui, clk and rst_n and leaves uio
	// released, which is safe with any design.
	Signature() Probe

	// Alike reports whether samples that differ on those lines may be this design's behind one or two bad wires.
	Alike(lines transport.Outputs) bool

	// Follows are the inputs that uo depends on as long as there is no clock: the same levels show the same, in any
	// state.
	Follows() uint8

	// Telltale returns steps with different samples on each revision, on so many lines that one bad wire cannot confuse
	// them; nil with one revision.
	Telltale() []transport.Step
}

// An Observer describes steps by traits, and a chip by its value.
type Observer interface {
	// Observe starts before the first reset; the returned function gives each step's traits in words, valid until the
	// next.
	Observe() func(s transport.Step) (traits []string)

	// Value returns the chip's value, from its registers in the order of fault.Registers.
	Value(registers uint64) uint32
}
