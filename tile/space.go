package tile

import "utfbench/transport"

// A Scope says what is swept. Two sweeps of one scope apply the same steps.
type Scope struct {
	Space    string `json:"space"`            // by name
	Depth    int    `json:"depth,omitempty"`  // of a space of sequences: operations in one
	Values   int    `json:"values,omitempty"` // of a space of values: how many are drawn
	Seed     uint64 `json:"seed,omitempty"`   // of a space of values
	Revision string `json:"revision"`         // of the chip to compare with
}

// Swept is a tile with spaces.
type Swept interface {
	// Spaces names them, the default first.
	Spaces() []string

	// Space opens one; the error says what is allowed.
	Space(s Scope) (Space, error)
}

// A Space is cases in blocks. It never changes, so that any number of goroutines may ask it.
type Space interface {
	// Blocks is how many there are, Cases how many cases a block has, at least one.
	Blocks() int
	Cases(block int) int

	// Append adds the steps of a case to steps: a reset first, no more than transport.MaxRunSteps, and allocates
	// nothing while there is room for them.
	Append(steps []transport.Step, block, i int) []transport.Step

	// Case says in words what a case begins with, and Words what a block holds.
	Case(block, i int) string
	Words(block int) string
}

// A Counted space knows which of its cases differ in a counter alone, so that a transport.Signer can make their steps.
type Counted interface {
	// Stretches gives all cases of a block, each once. Their series have no expected samples yet.
	Stretches(block int) []Stretch
}

// A Stretch is a transport.Series; its case i is case First+i*Every of the block.
type Stretch struct {
	transport.Series
	FirstCase, Every int
}

// Number is the number in the block of case i.
func (s *Stretch) Number(i int) int { return s.FirstCase + i*s.Every }

// A Conversation says in words what bench and chip exchanged in a case: what was written, what was read, and what
// should have been.
type Conversation interface {
	Dialogue(steps []transport.Step, got, want []transport.Sample) (wrote, read, expected string)
}
