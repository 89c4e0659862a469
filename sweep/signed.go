package sweep

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"utfbench/golden"
	"utfbench/transport"
)

// A counted space knows which of its cases differ in a counter alone, so that a transport.Signer can make their steps.
type counted interface {
	// stretches gives all cases of a block, each once. Its runs want nothing yet.
	stretches(block int) []stretch
}

// A stretch is a run, case i of which is case first+i*every of the block.
type stretch struct {
	transport.Run
	first, every int
}

func (s *stretch) number(i int) int { return s.first + i*s.every }

// fieldsOf says how the bytes of a form follow a counter that is v when v has that form in n bytes and the bits of last. It
// asks for each bit of the counter alone, so that the layout of a form stands in one place.
func fieldsOf(form golden.Form, levels uint8, zero, last uint32, n uint8) (fields []transport.Field) {
	for i := range n {
		f := transport.Field{Step: firstByte + int(i)}
		plain := formByte(form, levels, zero, n, i)
		for bit := range bits.Len32(last) {
			if changed := formByte(form, levels, zero+1<<bit, n, i) ^ plain; changed != 0 {
				f.Shift = uint8(bit - bits.TrailingZeros8(changed))
				f.Mask |= changed
			}
		}
		if f.Mask != 0 {
			fields = append(fields, f)
		}
	}
	return fields
}

// count makes a stretch of a template: so many cases from v on, that have its form in n bytes each.
func (t template) count(form golden.Form, levels uint8, v uint32, n, count int) stretch {
	zero := uint32(0)
	if form == golden.UTF16 && n == 4 {
		zero = 0x10000 // what surrogates count from
	}
	s := stretch{every: 1}
	s.Steps = t.fill(nil, form, levels, zero, n)
	s.First, s.Count = v-zero, count
	s.Fields = fieldsOf(form, levels, zero, s.First+uint32(count)-1, uint8(n))
	return s
}

// sign has the chip make the steps of a block, where it can, and marks in w.signed the cases that it answered right. It
// gives those stretches in which not all cases were.
func (w *worker) sign(ctx context.Context, number int) (wrong []stretch, err error) {
	signer, can := w.chip.(transport.Signer)
	space, counts := w.space.(counted)
	w.signed = w.signed[:0]
	if !can || !counts || w.plain {
		return nil, nil
	}
	w.signed = append(w.signed, make([]bool, w.space.Cases(number))...)
	stretches := space.stretches(number)
	runs := make([]transport.Run, len(stretches))
	for i := range stretches {
		if runs[i], err = w.wanted(number, &stretches[i]); err != nil {
			return nil, err
		}
	}
	n, err := signer.Sign(ctx, runs)
	if err == nil && n < len(runs) {
		err = fmt.Errorf("%s signed %d of %d runs and gave no reason", w.chip, n, len(runs))
	}
	if err != nil {
		return nil, err
	}
	for i := range runs {
		if !runs[i].Same {
			wrong = append(wrong, stretches[i])
			continue
		}
		for c := range runs[i].Count {
			w.signed[stretches[i].number(c)] = true
		}
	}
	return wrong, nil
}

// wanted is the run of a stretch with what the model answers. It looks whether the run is of the block's own steps, since the
// chip would be blamed for any others.
func (w *worker) wanted(number int, s *stretch) (r transport.Run, err error) {
	r = s.Run
	w.steps, w.asked = w.steps[:0], w.asked[:0]
	for i := range s.Count {
		w.steps = w.space.Append(w.steps, number, s.number(i))
		w.asked = r.Append(w.asked, i)
	}
	if !slices.Equal(w.steps, w.asked) {
		return r, fmt.Errorf("the bench is at fault: the run from %s on has other steps than its cases", w.space.Case(number, s.first))
	}
	r.Want = make([]transport.Sample, len(w.steps))
	w.model.Run(w.steps, r.Want)
	return r, nil
}

// unsteady counts the stretches that were wrong when the chip made them, and right when their steps were carried.
func (w *worker) unsteady(wrong []stretch) (n int) {
	for _, s := range wrong {
		right := 0
		for i := range s.Count {
			right += int(w.covered[s.number(i)/8] >> (s.number(i) % 8) & 1)
		}
		if right == s.Count {
			n++
		}
	}
	return n
}
