package utf

import (
	"strings"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/transport"
)

// ops covers every sequence of depth operations. Every step is sampled, so shorter sequences are covered as prefixes. A
// plain reset is not an operation, since it would start another sequence; a reset with other pins low is one, since
// rst_n must win. Each sequence ends with a rewind and a read of the value with its properties, to show the effect of
// the last operation.
type ops struct {
	cases
	depth int
}

const (
	opsBlock = 8192

	// DefaultDepth and MaxDepth are the default and maximum number of operations in a sequence.
	DefaultDepth = 4
	MaxDepth     = 6
)

// alphabet lists operations with all effects of a clock edge, and bytes that lead to each class of values. Where the
// byte order matters, one has CBE low. UTF-8 bytes are complete, continuing, or the first of two, three or four.
var alphabet = func() (all []transport.Step) {
	q := NewSequence()
	q.Rewind()
	for _, form := range Forms {
		q.Read(form, 1)
	}
	q.Write(UTF32, 0x00, 0x41, 0xDD)
	q.Write(UTF16, 0x00, 0x41, 0xD8, 0xDC)
	q.Write(UTF8, 0x41, 0xA9, 0xC3, 0xE2, 0xF0)
	q.SetLevels(model.Idle &^ model.CBE)
	q.Read(UTF32, 1)
	q.Read(UTF16, 1)
	q.Write(UTF32, 0x41)
	q.Write(UTF16, 0xD8)
	return append(q.Steps, together()...)
}()

// together lists operations outside the data sheet's procedures that the registers allow: several strobes low at once,
// a rewind with strobes low, and resets with other pins low.
func together() []transport.Step {
	const all = model.CIO | model.UIO | model.BIO
	q := NewSequence()
	low := func(pins uint8, data ...byte) {
		q.SetLevels(model.Idle &^ pins)
		q.Clock(1, data...)
	}
	low(model.CIO | model.UIO)
	low(model.CIO | model.BIO)
	low(model.UIO | model.BIO)
	low(all)
	low(model.READ|model.CIO|model.UIO, 0xD8)
	low(model.READ|model.CIO|model.BIO, 0x41)
	low(model.READ|model.UIO|model.BIO, 0xC3)
	low(model.READ|all, 0xA9)
	low(model.ROUT | all)
	low(model.READ|model.ROUT|all, 0x41)
	q.HoldReset(true)
	low(model.ROUT | all)
	low(model.READ|all, 0x41)
	return q.Steps
}

// closing holds the last steps of every sequence.
var closing = func() []transport.Step {
	q := NewSequence()
	q.SetLevels(model.Idle &^ model.ERRS)
	q.Rewind()
	q.Read(UTF32, 4)
	return q.Steps
}()

func newOps(depth int) (*ops, error) {
	if depth < 1 || depth > MaxDepth {
		return nil, failure.Usagef("depth %d: allowed are 1 to %d", depth, MaxDepth)
	}
	o := &ops{cases{1, 1, opsBlock}, depth}
	for range depth {
		o.units *= len(alphabet)
	}
	return o, nil
}

func (o *ops) Append(steps []transport.Step, block, i int) []transport.Step {
	steps = append(steps, transport.Step{In: model.Idle, Reset: true, Clocks: 1})
	at := len(steps)
	for n, _ := o.unit(block, i); len(steps) < at+o.depth; n /= len(alphabet) {
		steps = append(steps, alphabet[n%len(alphabet)])
	}
	for a, b := at, len(steps)-1; a < b; a, b = a+1, b-1 { // the first digit is the first operation
		steps[a], steps[b] = steps[b], steps[a]
	}
	return append(steps, closing...)
}

func (o *ops) Case(block, i int) string {
	var words []string
	for _, s := range o.Append(nil, block, i)[1 : 1+o.depth] {
		words = append(words, TT09.Describe(s))
	}
	return strings.Join(words, "; ")
}

func (o *ops) BlockText(block int) string {
	return "sequences that begin with: " + o.Case(block, 0)
}
