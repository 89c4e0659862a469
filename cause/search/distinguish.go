package search

import (
	"context"
	"slices"
	"sync/atomic"

	"utfbench/tile"
	"utfbench/transport"
)

// mostApart is the maximum number of hypotheses that DistinguishingSequences compares, two by two.
const mostApart = 64

// DistinguishingSequences returns the indices of up to n step sequences that distinguish hypotheses at a speed (nil is
// step by step), best first: each distinguishes the most of the pairs that no earlier one does. A sequence
// distinguishes two hypotheses if they predict different levels of a bit: one that is unknown to one may turn out as
// the other predicts. It returns none if no sequence distinguishes any. The error is the reference's, or the context's.
func DistinguishingSequences(ctx context.Context, t tile.Tile, fits []Fit, sequences [][]transport.Step,
	speed *transport.Timing, n int) (picked []int, err error) {
	defer RecoverError(&err)
	fits = slices.DeleteFunc(slices.Clone(fits), func(f Fit) bool { return f.ActsAtRandom() }) // which predict nothing
	fits = fits[:min(len(fits), mostApart)]
	if len(fits) < 2 {
		return nil, nil
	}
	apart := make([][]bool, len(sequences)) // by sequence and pair
	Search{Context: ctx}.ForEach(len(sequences), func(i int, w *Worker) {
		compared := NewEvidence(t, []Execution{{Steps: sequences[i]}}).Compared[0]
		var all [][]transport.Sample
		for _, f := range fits {
			now := w.predicted(f, sequences[i], speed)
			for _, before := range all {
				apart[i] = append(apart[i], contradict(before, now, compared))
			}
			all = append(all, now)
		}
	})
	for range n {
		best, most := -1, 0
		for i := range apart {
			if pairs := count(apart[i]); pairs > most {
				best, most = i, pairs
			}
		}
		if best < 0 {
			break
		}
		picked = append(picked, best)
		split := slices.Clone(apart[best])
		for i := range apart {
			for pair := range split {
				apart[i][pair] = apart[i][pair] && !split[pair]
			}
		}
	}
	return picked, nil
}

// predicted returns the samples that a hypothesis predicts.
func (w *Worker) predicted(f Fit, steps []transport.Step, speed *transport.Timing) (all []transport.Sample) {
	chip := f.Simulate(Conditions{Pull: f.pull, Speed: speed})
	defer tile.CloseReference(chip)
	w.Play(chip, steps, func(_ int, shown []transport.Sample) bool {
		all = append(all, shown...)
		return true
	})
	return all
}

// contradict reports whether a compared bit is known in both, and differs.
func contradict(a, b []transport.Sample, compared []transport.Outputs) bool {
	for i := range a {
		if a[i].Differ(b[i])&^a[i].Unknown()&compared[i] != 0 {
			return true
		}
	}
	return false
}

func count(pairs []bool) (n int) {
	for _, is := range pairs {
		if is {
			n++
		}
	}
	return n
}

// CountContradicted returns the number of executions that a hypothesis does not predict.
func (s Search) CountContradicted(e *Evidence, h Hypothesis) int {
	var n atomic.Int64
	s.ForEach(len(e.Executions), func(i int, w *Worker) {
		one := Evidence{Executions: e.Executions[i : i+1], Good: e.Good[i:], Compared: e.Compared[i:],
			Wrong: e.Wrong[i:]}
		if w.fit(h, &one, 0).Cost() > 0 {
			n.Add(1)
		}
	})
	return int(n.Load())
}

// Consistent returns the hypotheses that no sample contradicts, in order: a chip with one of them could have given the
// same samples. An open bit contradicts nothing.
func (s Search) Consistent(e *Evidence, hs []Hypothesis) []Hypothesis {
	consistent := make([]bool, len(hs))
	s.ForEach(len(hs), func(i int, w *Worker) {
		consistent[i] = true
		for n, p := range e.Executions {
			chip := hs[i].Simulate(Conditions{p.Pull, p.Speed, w.chip})
			w.Play(chip, p.Steps, func(at int, shown []transport.Sample) bool {
				for k, sample := range shown {
					wrong := p.Got[at+k].Differ(sample) & e.Compared[n][at+k]
					consistent[i] = consistent[i] && wrong == 0
				}
				return consistent[i]
			})
			tile.CloseReference(chip)
		}
	})
	i := -1
	return slices.DeleteFunc(slices.Clone(hs), func(Hypothesis) bool { i++; return !consistent[i] })
}
