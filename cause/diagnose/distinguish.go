package diagnose

import (
	"context"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// mostApart is the maximum number of causes that Distinguishing compares, two by two.
const mostApart = 64

// Distinguishing returns the indices of up to n step sequences that distinguish causes at a speed (nil is step by
// step), best first: each distinguishes the most of the pairs that no earlier one does. A sequence distinguishes two
// causes if they predict different levels of a bit: one that is unknown to a cause may turn out as the other predicts.
// It returns none if no sequence distinguishes any. The error is the reference's, or the context's.
func Distinguishing(ctx context.Context, t tile.Tile, causes []Cause, sequences [][]transport.Step,
	speed *transport.Timing, n int) (picked []int, err error) {
	defer caught(&err)
	causes = slices.DeleteFunc(slices.Clone(causes), Cause.byChance) // an intermittent fault predicts nothing
	causes = causes[:min(len(causes), mostApart)]
	if len(causes) < 2 {
		return nil, nil
	}
	apart := make([][]bool, len(sequences)) // by sequence and pair
	parallel(nil, upTo(len(sequences)), simulator{ctx: ctx}, func(i int, s *simulator) {
		counts := countedBits(t, []Execution{{Steps: sequences[i]}})[0]
		var all [][]transport.Sample
		for _, c := range causes {
			now := s.predicted(c, sequences[i], counts, speed)
			for _, before := range all {
				apart[i] = append(apart[i], contradict(before, now))
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

// predicted returns the samples that a cause predicts; bits that are not compared are unknown.
func (s *simulator) predicted(c Cause, steps []transport.Step, counts []transport.Sample,
	speed *transport.Timing) []transport.Sample {
	chip := c.Simulate(Setting{Pull: c.pull, Speed: speed})
	defer tile.Done(chip)
	all := make([]transport.Sample, 0, len(steps))
	for some := range slices.Chunk(steps, s.room(chip, len(steps))) {
		s.run(chip, some)
		all = append(all, s.want[:len(some)]...)
	}
	for i, of := range counts {
		all[i].OutX, all[i].IOX = all[i].OutX|^of.Out, all[i].IOX|^of.IO
	}
	return all
}

// contradict reports whether a bit is known in both, and differs.
func contradict(a, b []transport.Sample) bool {
	for i := range a {
		if a[i].Differ(b[i])&^a[i].Unknown() != 0 {
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

// oneWrong is a price of a wrong bit that exceeds any sum of open bits.
const oneWrong = 1 << 20

// Consistent returns the hypotheses that no sample contradicts, in order: a chip with one of them could have given the
// same samples. An open bit contradicts nothing. The error is the reference's or the context's.
func Consistent(ctx context.Context, t tile.Tile, executions []Execution,
	hs []Hypothesis) (all []Hypothesis, err error) {
	defer caught(&err)
	masks := countedBits(t, executions)
	consistent := make([]bool, len(hs))
	parallel(t, upTo(len(hs)), simulator{ctx: ctx, price: oneWrong}, func(i int, s *simulator) {
		consistent[i] = s.simulate(hs[i], executions, masks, oneWrong-1).Wrong == 0
	})
	i := -1
	return slices.DeleteFunc(slices.Clone(hs), func(Hypothesis) bool { i++; return !consistent[i] }), nil
}
