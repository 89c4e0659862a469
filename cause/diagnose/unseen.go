package diagnose

import (
	"slices"

	"utfbench/tile"
)

// oneWrong is a price of a wrong bit that no number of bits left open adds up to.
const oneWrong = 1 << 20

// Unseen returns the hypotheses that no answer contradicts, in their order: a chip for which one of them is true might
// have given the same answers. A bit that a hypothesis leaves open contradicts nothing. The error is the reference's.
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
