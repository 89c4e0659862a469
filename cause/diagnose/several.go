package diagnose

import (
	"cmp"
	"slices"
)

// How much is simulated to find two faults: each of the likeliest single faults is tried with every other one.
const (
	likelyOfPair = 12
	pairsKept    = 40 // by each sieve but the first, which keeps ten times as many
	// bits that a second fault has to save: it is one of a thousand, and a thousand to one is the odds
	secondCosts = 10 + odds
	// the maximum cost of an execution: noise spoils some, and a right pair predicts all others
	spoiledCosts = 3 * wrongCosts
)

// several searches for two faults of wires or register bits that explain more than any single one, and puts them first
// among the causes. It takes too long if each simulation needs another process.
func (run *Run) several(f *Finding) bool {
	if elsewhere(run.Tile) {
		return false
	}
	pairs := run.pairs()
	if len(pairs) == 0 {
		return false
	}
	causes := make([]Cause, len(pairs))
	parallel(run.Tile, upTo(len(pairs)), wrongCosts, func(i int, s *simulator) { causes[i] = run.account(s, pairs[i]) })
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(a.Bits, b.Bits) })
	if !causes[0].explains() || causes[0].Bits+secondCosts > f.Causes[0].Bits {
		return false
	}
	f.Causes = append(causes, f.Causes...)
	f.countTies()
	return true
}

// pairs returns the likeliest pairs of faults, the best first.
func (run *Run) pairs() []Ranked {
	sample := append(run.sample(true, sampleFailed), run.sample(false, samplePassed)...)
	noisy := simulator{price: wrongCosts, spoiled: spoiledCosts}
	singles := slices.DeleteFunc(slices.Concat(Wires(run.Tile), Chips(run.Tile)),
		func(h Hypothesis) bool { return FaultsOf(h) == nil })
	tried := map[string]bool{}
	var both []Hypothesis
	for _, first := range run.likelySingles(sample, singles) {
		for _, second := range singles {
			pair, ok := And(first, FaultsOf(second)[0])
			if ok && !tried[second.String()] {
				both = append(both, pair)
			}
		}
		tried[first.String()] = true
	}
	run.tried = len(both)
	for i, sieve := range pairSieves {
		executions := append(run.sample(true, sieve.failed), run.sample(false, sieve.passed)...)
		ranked := rankWith(run.Tile, executions, both, sieve.keep, noisy)
		if i == len(pairSieves)-1 {
			return ranked
		}
		both = shortened(ranked, 2*sieve.keep)
	}
	return nil
}

// pairSieves are how many executions decide which pairs are tried on more of them.
var pairSieves = []struct{ failed, passed, keep int }{
	{6, 2, 10 * pairsKept}, {sampleFailed, samplePassed, pairsKept}, {4 * sampleFailed, 4 * samplePassed, shownCauses}}

// likelySingles returns candidates for a pair: the faults that explain most bits, and most executions.
func (run *Run) likelySingles(sample []Execution, singles []Hypothesis) (likely []Hypothesis) {
	for _, spoiled := range []int{0, spoiledCosts} {
		ranked := rankWith(run.Tile, sample, singles, likelyOfPair, simulator{price: wrongCosts, spoiled: spoiled})
		for _, r := range ranked[:min(likelyOfPair, len(ranked))] {
			if !slices.ContainsFunc(likely, func(h Hypothesis) bool { return h.String() == r.String() }) {
				likely = append(likely, r.Hypothesis)
			}
		}
	}
	return likely
}
