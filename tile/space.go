package tile

import "utfbench/transport"

// A Scope identifies a sweep's cases. Equal scopes mean equal steps.
type Scope struct {
	Space    string `json:"space"`           // name
	Depth    int    `json:"depth,omitempty"` // operations in each sequence, for a space of sequences
	Revision string `json:"revision"`        // of the reference
}

// A SpaceLister is a tile with spaces to sweep.
type SpaceLister interface {
	// SpaceNames returns the names of the spaces, the default first.
	SpaceNames() []string

	// Space returns the space of a scope; the error lists the allowed values.
	Space(s Scope) (Space, error)
}

// A Space is a sequence of cases, divided into blocks. It is immutable, so any number of goroutines may use it.
type Space interface {
	// Blocks returns the number of blocks, and Cases returns the number of cases in a block, at least one.
	Blocks() int
	Cases(block int) int

	// Append appends a case's steps, at most transport.MaxSeriesSteps, without allocating if there is room.
	Append(steps []transport.Step, block, i int) []transport.Step

	// Case describes the start of a case in words, and BlockText the contents of a block.
	Case(block, i int) string
	BlockText(block int) string
}

// A StretchLister lists stretches of cases that differ only in a counter, so that a transport.Signer can make them.
type StretchLister interface {
	// Stretches returns all cases of a block, each once. Their series have no expected samples yet.
	Stretches(block int) []Stretch
}

// A Stretch is a transport.Series; its case i is case FirstCase+i*Every of the block.
type Stretch struct {
	transport.Series
	FirstCase, Every int
}

// CaseNumber returns the number of case i in the block.
func (s *Stretch) CaseNumber(i int) int { return s.FirstCase + i*s.Every }
