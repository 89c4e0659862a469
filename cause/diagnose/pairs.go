package diagnose

import "slices"

// pairsOf is how many of the best faults are tried with a second one, on pairsFailed failing and pairsPassed passing
// executions.
const pairsOf, pairsFailed, pairsPassed = 8, 16, 4

// pair looks for two faults of wires that together give exactly the answers of the chip: two loose wires are not a
// mistake in the logic. It takes too long where each look at a chip is a question to another process.
func (run *Run) pair(f *Finding) bool {
	if elsewhere(run.Tile) {
		return false
	}
	sample, wires := append(run.sample(true, pairsFailed), run.sample(false, pairsPassed)...), Wires(run.Tile)
	for _, nearest := range rank(run.Tile, sample, wires, pairsOf, wrongCosts)[:pairsOf] {
		var both []Hypothesis
		for _, h := range wires {
			if two, ok := And(nearest.Hypothesis, FaultsOf(h)[0]); ok {
				both = append(both, two)
			}
		}
		ranked := Ties(rank(run.Tile, sample, both, 1, wrongCosts))
		if ranked[0].Cost() > 0 {
			continue
		}
		if best := rank(run.Tile, run.joined(), shortened(ranked, shownCauses), 1, wrongCosts)[0]; best.Cost() == 0 {
			f.Causes = slices.Insert(f.Causes, 0, run.account(&simulator{price: wrongCosts}, best))
			f.countTies()
			return true
		}
	}
	return false
}
