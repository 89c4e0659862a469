package diagnose

import (
	"hash/maphash"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// Distinguishing returns the indices of up to n step sequences that distinguish causes at a speed (nil is step by
// step), best first. The first splits the causes into the most groups, and each further one splits remaining groups.
// It returns none if no sequence distinguishes any. The error is the reference's.
func Distinguishing(t tile.Tile, causes []Cause, sequences [][]transport.Step, speed *transport.Timing,
	n int) (picked []int, err error) {
	defer caught(&err)
	causes = slices.DeleteFunc(slices.Clone(causes), Cause.byChance) // an intermittent fault predicts nothing
	if len(causes) < 2 {
		return nil, nil
	}
	answers := make([][]uint64, len(sequences)) // by sequence and cause
	order := upTo(len(sequences))
	seed := maphash.MakeSeed()
	parallel(nil, order, wrongCosts, func(i int, s *simulator) {
		counts := countedBits(t, []Execution{{Steps: sequences[i]}})[0]
		for _, c := range causes {
			answers[i] = append(answers[i], s.digest(seed, c, sequences[i], counts, speed))
		}
	})
	groups := make([]int, len(causes)) // all in one
	for range n {
		best, most := -1, count(groups)
		var after []int
		for i := range answers {
			if split := split(groups, answers[i]); count(split) > most {
				best, most, after = i, count(split), split
			}
		}
		if best < 0 {
			break
		}
		picked, groups = append(picked, best), after
	}
	return picked, nil
}

// digest returns a hash of the compared bits that a cause predicts.
func (s *simulator) digest(seed maphash.Seed, c Cause, steps []transport.Step, counts []transport.Sample,
	speed *transport.Timing) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	chip := c.Simulate(Setting{Pull: c.pull, Speed: speed})
	defer tile.Done(chip)
	piece := s.room(chip, len(steps))
	for at := 0; at < len(steps); at += piece {
		end := min(at+piece, len(steps))
		must(chip.Run(steps[at:end], s.want))
		for i := range end - at {
			w, of := s.want[i], counts[at+i]
			_, _ = h.Write([]byte{w.Out & of.Out, w.OutX & of.Out, w.IO & of.IO, w.IOX & of.IO}) // never fails
		}
	}
	return h.Sum64()
}

// split divides groups by their members' answers.
func split(groups []int, answers []uint64) []int {
	type key struct {
		group  int
		answer uint64
	}
	number := map[key]int{}
	after := make([]int, len(groups))
	for i, g := range groups {
		k := key{g, answers[i]}
		n, ok := number[k]
		if !ok {
			n = len(number)
			number[k] = n
		}
		after[i] = n
	}
	return after
}

func count(groups []int) int { return slices.Max(groups) + 1 }

// oneWrong is a price of a wrong bit that exceeds any sum of open bits.
const oneWrong = 1 << 20

// Unseen returns the hypotheses that no sample contradicts, in order: a chip with one of them could have given the
// same samples. An open bit contradicts nothing. The error is the reference's.
func Unseen(t tile.Tile, executions []Execution, hs []Hypothesis) (all []Hypothesis, err error) {
	defer caught(&err)
	masks := countedBits(t, executions)
	unseen := make([]bool, len(hs))
	parallel(t, upTo(len(hs)), oneWrong, func(i int, s *simulator) {
		unseen[i] = s.simulate(hs[i], executions, masks, oneWrong-1).Wrong == 0
	})
	i := -1
	return slices.DeleteFunc(slices.Clone(hs), func(Hypothesis) bool { i++; return !unseen[i] }), nil
}
