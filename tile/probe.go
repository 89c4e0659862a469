package tile

import "utfbench/transport"

// A Probe tests a chip before any vector.
type Probe struct {
	Steps []transport.Step

	// Guess, if not nil, explains a difference, or returns "". want holds a good chip's samples.
	Guess func(got, want []transport.Sample) string
}

// A Recogniser is a tile that can be distinguished from any other design.
type Recogniser interface {
	// Signature returns a probe with the same samples in all revisions. It drives only ui, clk and rst_n and
	// leaves uio released, which is safe with any design.
	Signature() Probe

	// IsSimilar reports whether a chip with different samples on these lines may have this design behind bad wires.
	IsSimilar(lines transport.Outputs) bool

	// CombinationalInputs returns the lines of ui that alone determine uo in any given state, without a clock.
	CombinationalInputs() uint8

	// RevisionSteps returns steps with samples that differ between revisions, on enough lines that one bad wire cannot
	// confuse them; nil if there is only one revision.
	RevisionSteps() []transport.Step
}
