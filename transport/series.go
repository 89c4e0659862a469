package transport

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A Series is a run of cases that differ only in a counter, so that the far end can generate their steps. Case i is
// Steps with the fields filled in from the counter First+i.
type Series struct {
	Steps  []Step // one case: at most MaxSeriesSteps, a reset first, at most one clock each
	Fields []CounterField
	First  uint32
	Count  int // cases, at least 1

	Want          []Sample // expected samples of all steps, all bits known
	SameSignature bool     // set by Sign: the signature equals that of Want
}

// A CounterField is data that follows the counter: uio at step Step is the step's IO | counter>>Shift&Mask. The bench
// must drive these lines. A step has at most one field, and a series has at most MaxFields.
type CounterField struct {
	Step  int
	Shift uint8 // 0 to 24
	Mask  uint8
}

// Limits of a series, on which far ends rely.
const (
	MaxSeriesSteps = 31 // a series thus has at most 31 kinds of step
	MaxFields      = 16
)

// AppendCase appends the steps of case i to steps.
func (r *Series) AppendCase(steps []Step, i int) []Step {
	at := len(steps)
	steps = append(steps, r.Steps...)
	for _, f := range r.Fields {
		steps[at+f.Step].IO |= uint8((r.First+uint32(i))>>f.Shift) & f.Mask
	}
	return steps
}

// Check validates a series. A Signer calls it first.
func (r *Series) Check() error {
	switch n := len(r.Steps); {
	case n < 1 || n > MaxSeriesSteps || r.Count < 1 || len(r.Fields) > MaxFields:
		return fmt.Errorf("a series of %d cases of %d steps with %d fields: cases have to be 1 or more, steps 1 to "+
			"%d, fields at most %d", r.Count, n, len(r.Fields), MaxSeriesSteps, MaxFields)
	case len(r.Want) != r.Count*n:
		return fmt.Errorf("a series of %d steps with %d expected samples", r.Count*n, len(r.Want))
	case !r.Steps[0].Reset || r.Steps[0].Clocks == 0:
		return errors.New("a series whose cases do not begin with a reset")
	case slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Clocks > 1 }):
		return errors.New("a series with several clocks in a step: at most 1 is allowed")
	case RejectLinger(r.Steps) != nil:
		return RejectLinger(r.Steps)
	case slices.ContainsFunc(r.Want, func(s Sample) bool { return s.Unknown() != 0 }):
		return errors.New("a series with unknown bits in its expected samples")
	}
	return r.checkFields()
}

func (r *Series) checkFields() error {
	var has [MaxSeriesSteps]bool
	for _, f := range r.Fields {
		if f.Step < 0 || f.Step >= len(r.Steps) || f.Shift > 24 || f.Mask&^r.Steps[f.Step].Drive != 0 || has[f.Step] {
			return fmt.Errorf("field %+v: it has to be of lines that the bench drives in one of %d steps, the only "+
				"one of that step, with a shift of 24 at most", f, len(r.Steps))
		}
		has[f.Step] = true
	}
	return nil
}

// A Signer is a transport whose far end can generate the steps of a series and compress the samples to a signature, so
// that neither is transferred.
//
// The signature is a 32-bit CRC. A different signature proves that the response differs from Want. Wrong samples, if
// unrelated to the CRC, produce the right signature with probability 2^-32.
type Signer interface {
	// Sign applies the series in order and sets SameSignature in each. It returns the number of completed series,
	// counted from the first; otherwise it is like Apply.
	Sign(ctx context.Context, series []Series) (int, error)
}
