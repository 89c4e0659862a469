// Package sweep proves a chip over a whole space of cases: every code point in every pairing of forms, every UTF-8 input of
// up to four bytes, and two more. It knows no documents; the model says what each step has to show.
//
// # Words
//
//   - A case is one question to the chip, from a reset on: bytes written, forms read back. It is judged alone.
//   - A space is cases in a fixed order; the first case that differs is the simplest one that does.
//   - A block is a run of cases, and the unit of work, of hashing and of resuming. Its steps follow from the space and the
//     block's number alone.
//   - A certificate says what was covered and holds a hash of the samples of each block; see [Certificate].
//
// # The walk of a block
//
//	Space --Append--> steps --transport.Apply--> samples --compare, hash--> Block --> journal, certificate
//	                      \--> model.Chip.Step --> expected samples --/
//
// A chip that is a transport.Signer is asked first, in runs of cases, and what it signs right is carried no more; see signed.go.
//
// points.go, bytes.go, values.go and ops.go are the spaces; case.go builds the steps that they share. block.go runs one block
// on one chip, runner.go all of them on several. journal.go keeps what is done until certificate.go writes it out.
package sweep

import (
	"fmt"
	"strings"

	"utfbench/model"
	"utfbench/transport"
)

// A Space is cases in blocks. It never changes, so that any number of goroutines may ask it.
type Space interface {
	// Blocks is how many there are, Cases how many cases a block has, at least one.
	Blocks() int
	Cases(block int) int

	// Append adds the steps of a case to steps: a reset first, no more than MaxSteps, and allocates nothing while there is
	// room for them.
	Append(steps []transport.Step, block, i int) []transport.Step

	// Case says in words what a case begins with, and Words what a block holds.
	Case(block, i int) string
	Words(block int) string
}

// MaxSteps is what a case has at most, so that any may be part of a run.
const MaxSteps = transport.MaxRunSteps

// A Scope says what is swept. Two sweeps of one scope apply the same steps.
type Scope struct {
	Space    string `json:"space"`            // one of Spaces
	Depth    int    `json:"depth,omitempty"`  // of ops: operations in a sequence, 1 to MaxDepth
	Values   int    `json:"values,omitempty"` // of values: how many are drawn besides the boundaries, 0 to MaxValues
	Seed     uint64 `json:"seed,omitempty"`   // of values
	Revision string `json:"revision"`         // of the chip to compare with
}

// Spaces names them, the default first.
func Spaces() []string { return []string{"codepoints", "bytes", "values", "ops"} }

// Open makes the space; the error says what is allowed.
func (s Scope) Open() (Space, model.Revision, error) {
	rev, ok := model.ParseRevision(s.Revision)
	if !ok {
		return nil, 0, fmt.Errorf("revision %q: allowed are %s", s.Revision, strings.Join(model.Revisions(), ", "))
	}
	if s.Space != "ops" && s.Depth != 0 {
		return nil, 0, fmt.Errorf("a depth is for the space ops, not for %s", s.Space)
	}
	if s.Space != "values" && (s.Values != 0 || s.Seed != 0) {
		return nil, 0, fmt.Errorf("a number of values and a seed are for the space values, not for %s", s.Space)
	}
	var space Space
	var err error
	switch s.Space {
	case "codepoints":
		space = newPoints()
	case "bytes":
		space = newTree(rev)
	case "values":
		space, err = newValues(s.Values, s.Seed)
	case "ops":
		space, err = newOps(s.Depth)
	default:
		err = fmt.Errorf("space %q: allowed are %s", s.Space, strings.Join(Spaces(), ", "))
	}
	return space, rev, err
}
