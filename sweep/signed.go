package sweep

import (
	"context"
	"fmt"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// sign lets a signer generate the steps of a block, and marks confirmed cases in w.signed. It returns the stretches
// with a wrong signature.
func (w *BlockRunner) sign(ctx context.Context, number int) (wrong []tile.Stretch, err error) {
	signer, can := w.chip.(transport.Signer)
	space, counts := w.space.(tile.StretchLister)
	w.signed = w.signed[:0]
	if !can || !counts {
		return nil, nil
	}
	w.signed = append(w.signed, make([]bool, w.space.Cases(number))...)
	stretches := space.Stretches(number)
	series := make([]transport.Series, len(stretches))
	for i := range stretches {
		if series[i], err = w.wanted(number, &stretches[i]); err != nil {
			return nil, err
		}
	}
	n, err := signer.Sign(ctx, series)
	if err == nil && n < len(series) {
		err = fmt.Errorf("%s signed %d of %d series without an error", w.chip, n, len(series))
	}
	if err != nil {
		return nil, err
	}
	for i := range series {
		if !series[i].SameSignature {
			wrong = append(wrong, stretches[i])
			continue
		}
		for c := range series[i].Count {
			w.signed[stretches[i].CaseNumber(c)] = true
		}
	}
	return wrong, nil
}

// wanted returns the transport.Series of a stretch with the model's samples. It checks that the series contains exactly
// the steps of its cases, since the chip would be blamed for a difference.
func (w *BlockRunner) wanted(number int, s *tile.Stretch) (r transport.Series, err error) {
	r = s.Series
	w.steps, w.unsigned = w.steps[:0], w.unsigned[:0]
	for i := range s.Count {
		w.steps = w.space.Append(w.steps, number, s.CaseNumber(i))
		w.unsigned = r.AppendCase(w.unsigned, i)
	}
	if !slices.Equal(w.steps, w.unsigned) {
		return r, fmt.Errorf("the bench is at fault: the series from %s on does not have the steps of its cases",
			w.space.Case(number, s.FirstCase))
	}
	r.Want = make([]transport.Sample, len(w.steps))
	return r, w.model.Run(w.steps, r.Want)
}

// unsteady returns the number of stretches with a wrong signature whose steps were right when applied one by one.
func (w *BlockRunner) unsteady(wrong []tile.Stretch) (n int) {
	for _, s := range wrong {
		right := 0
		for i := range s.Count {
			if w.right[s.CaseNumber(i)] {
				right++
			}
		}
		if right == s.Count {
			n++
		}
	}
	return n
}
