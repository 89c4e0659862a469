package diagnose

import (
	"slices"

	"utfbench/tile"
)

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
