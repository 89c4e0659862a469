package sat

import "math/bits"

// A Sample holds the levels of a net in random assignments of the inputs.
type Sample [4]uint64

// unsampled is the value of Solver.sampled when the last assignment is not a sample.
const unsampled = -1

// draw returns the sample of a new gate or input.
func (s *Solver) draw(g gate) (levels Sample) {
	if g.a == none {
		for i := range levels {
			levels[i] = s.rng.Uint64()
		}
		return levels
	}
	a, b := s.sampleOf(g.a), s.sampleOf(g.b)
	for i := range levels {
		levels[i] = a[i] & b[i]
	}
	return levels
}

func (s *Solver) sampleOf(l Lit) Sample {
	levels := s.samples[l>>1]
	if l&1 != 0 {
		for i := range levels {
			levels[i] = ^levels[i]
		}
	}
	return levels
}

// Guess looks for a random assignment in which all given literals are true; Level then returns its levels. It answers
// most satisfiable questions without a search.
func (s *Solver) Guess(all ...Lit) bool {
	together := s.sampleOf(True)
	for _, l := range all {
		for i, word := range s.sampleOf(l) {
			together[i] &= word
		}
	}
	for i, word := range together {
		if word != 0 {
			s.sampled = i*64 + bits.TrailingZeros64(word)
			return true
		}
	}
	s.sampled = unsampled
	return false
}
