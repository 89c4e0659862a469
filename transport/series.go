package transport

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A Series is cases that differ in a counter alone, so that a far end can make their steps itself: case i is Steps with
// the fields filled in for the counter First+i.
type Series struct {
	Steps  []Step // of a case: at most MaxSeriesSteps, a reset first, none with more than one clock
	Fields []Field
	First  uint32
	Count  int // of cases, one or more

	Want []Sample // of each step of each case, all bits known
	Same bool     // the signature is that of Want; a Signer says it
}

// A Field is data that follows the counter: uio of step Step is its IO | counter>>Shift&Mask. It is for lines that the
// bench drives. A step has one at most, a series MaxFields.
type Field struct {
	Step  int
	Shift uint8 // 0 to 24
	Mask  uint8
}

// Limits of a series, which the far end may rely on.
const (
	MaxSeriesSteps = 31 // so that no more than 31 kinds of step are in it
	MaxFields      = 16
)

// Append adds the steps of case i.
func (r *Series) Append(steps []Step, i int) []Step {
	at := len(steps)
	steps = append(steps, r.Steps...)
	for _, f := range r.Fields {
		steps[at+f.Step].IO |= uint8((r.First+uint32(i))>>f.Shift) & f.Mask
	}
	return steps
}

// Check says what is wrong with a series. Sign begins with it.
func (r *Series) Check() error {
	switch n := len(r.Steps); {
	case n < 1 || n > MaxSeriesSteps || r.Count < 1 || len(r.Fields) > MaxFields:
		return fmt.Errorf("a series of %d cases of %d steps with %d fields: cases have to be 1 or more, steps 1 to "+
			"%d, fields at most %d", r.Count, n, len(r.Fields), MaxSeriesSteps, MaxFields)
	case len(r.Want) != r.Count*n:
		return fmt.Errorf("a series of %d steps, with %d samples wanted", r.Count*n, len(r.Want))
	case !r.Steps[0].Reset || r.Steps[0].Clocks == 0:
		return errors.New("a series whose cases do not begin with a reset")
	case slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Clocks > 1 }):
		return errors.New("a series with several clocks in a step: 1 is the most")
	case slices.ContainsFunc(r.Want, func(s Sample) bool { return s.Unknown() != 0 }):
		return errors.New("a series of which not all bits are known")
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

// A Signer is a transport whose far end can make the steps of a series and compress the samples to a signature, so that
// neither has to be carried.
//
// The signature is a CRC with 32 bits. Where it differs, the chip answered otherwise than Want. Samples that are wrong
// in a way that has nothing to do with the CRC have the right one once in 2^32 = 4.3e9 times.
type Signer interface {
	// Sign applies the series in order and fills in Same of each. It returns how many of them were answered, counted
	// from the first; otherwise it is like Apply.
	Sign(ctx context.Context, series []Series) (int, error)
}
