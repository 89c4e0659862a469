package diagnose

import (
	"slices"

	"utfbench/tile"
)

// The limits of the search for two faults, which tries each of the likeliest single faults with every other one.
const (
	likelyOfPair = 12
	pairsKept    = 40 // by each sieve but the first, which keeps ten times as many
	// bits that a second fault has to save: it is one of a thousand, and the odds are a thousand to one
	secondCosts = 10 + odds
	// the maximum cost of an execution: noise spoils one of spoiledOf, and the right pair predicts all others
	spoiledCosts, spoiledOf = 3 * wrongCosts, 10
)

// withNoise searches for two faults of wires or register bits that explain more than any single one, or for one fault
// plus noise. It puts them first among the causes and returns their kind, or "" if it finds none. Noise is assumed
// only if repeats of a vector differ, since a mistake in the design is steady. Pairs that explain more, but not enough,
// are returned. It does not search if each simulation needs another process.
func (run *Run) withNoise(f *Finding) (kind Conclusion, pairs []Ranked) {
	if elsewhere(run.Tile) {
		return "", nil
	}
	likely := likelyOfPair
	if f.maybeNoise { // one of both is probably the best single fault
		likely = 2
	}
	one, two := run.pairs(likely)
	noise := func(r Ranked) bool { return f.Wavering > 0 && run.butForNoise(r) }
	better := len(two) > 0 && 2*two[0].Cost()+secondCosts < one[0].Cost()
	switch {
	case better && (noise(two[0]) || run.exact(two[0])):
		run.prefer(f, two)
		return Several, nil
	case f.maybeNoise && f.Wavering > 0:
		return f.Causes[0].Kind(), nil
	case noise(one[0]):
		run.prefer(f, one)
		return one[0].Kind(), nil
	case better:
		return "", two
	}
	f.maybeNoise = f.maybeNoise || run.butForNoise(one[0])
	return "", nil
}

// pairs returns the single fault and the pairs of one of the likely ones that explain the most, where noise may have
// spoiled executions.
func (run *Run) pairs(likely int) (one, two []Ranked) {
	single := slices.DeleteFunc(slices.Concat(Wires(run.Tile), Chips(run.Tile)),
		func(h Hypothesis) bool { return FaultsOf(h) == nil })
	first := likelySingles(run.Tile, run.sieved(pairSieves[1]), single, likely)
	both := pairsOf(first, single)
	run.tried = len(both)
	for _, sieve := range pairSieves[:len(pairSieves)-1] {
		both = shortened(rankWith(run.Tile, run.sieved(sieve), both, sieve.keep, noisy), 2*sieve.keep)
	}
	last := pairSieves[len(pairSieves)-1]
	executions := run.sieved(last)
	return rankWith(run.Tile, executions, first, 1, noisy), rankWith(run.Tile, executions, both, last.keep, noisy)
}

// butForNoise reports whether a hypothesis predicts all executions but one of spoiledOf, and most of the failing ones.
func (run *Run) butForNoise(r Ranked) bool {
	last := pairSieves[len(pairSieves)-1]
	spoiled := func(executions []Execution) float64 {
		if len(executions) == 0 {
			return 0
		}
		cost := rankWith(run.Tile, executions, []Hypothesis{r.Hypothesis}, 1, noisy)[0].Cost()
		return float64(cost) / float64(spoiledCosts*len(executions))
	}
	failing, passing := spoiled(run.sample(true, last.failed)), spoiled(run.sample(false, last.passed))
	passed := float64(run.Executions - run.Failed)
	return failing < 0.5 && spoiledOf*(failing*float64(run.Failed)+passing*passed) <= float64(run.Executions)
}

// exact reports whether a hypothesis explains every sample.
func (run *Run) exact(r Ranked) bool {
	c := run.account(&simulator{price: wrongCosts}, r)
	return c.Explained == c.Differs && c.Unseen == 0
}

// prefer puts hypotheses first among the causes.
func (run *Run) prefer(f *Finding, hs []Ranked) {
	causes := make([]Cause, len(hs))
	parallel(run.Tile, upTo(len(hs)), wrongCosts, func(i int, s *simulator) { causes[i] = run.account(s, hs[i]) })
	others := slices.DeleteFunc(f.Causes, func(c Cause) bool {
		return slices.ContainsFunc(hs, func(r Ranked) bool { return r.String() == c.String() })
	})
	f.Causes = append(causes, others...)
	f.countTies()
}

// noisy simulates executions some of which noise has spoiled.
var noisy = simulator{price: wrongCosts, spoiled: spoiledCosts}

// pairsOf returns each likely fault paired with each compatible other one.
func pairsOf(likely, single []Hypothesis) (both []Hypothesis) {
	tried := map[string]bool{}
	for _, first := range likely {
		for _, second := range single {
			if pair, ok := And(first, FaultsOf(second)[0]); ok && !tried[second.String()] {
				both = append(both, pair)
			}
		}
		tried[first.String()] = true
	}
	return both
}

// A sieve sets the number of executions that select pairs, and the number of pairs kept for the next sieve.
type sieve struct{ failed, passed, keep int }

func (run *Run) sieved(s sieve) []Execution {
	return append(run.sample(true, s.failed), run.sample(false, s.passed)...)
}

var pairSieves = []sieve{{6, 2, 10 * pairsKept}, {sampleFailed, samplePassed, pairsKept},
	{4 * sampleFailed, 4 * samplePassed, shownCauses}}

// likelySingles returns the candidates for one fault of a pair: those that explain the most bits, and those that
// explain the most executions, most of each.
func likelySingles(t tile.Tile, sample []Execution, singles []Hypothesis, most int) (likely []Hypothesis) {
	for _, spoiled := range []int{0, spoiledCosts} {
		ranked := rankWith(t, sample, singles, most, simulator{price: wrongCosts, spoiled: spoiled})
		for _, r := range ranked[:min(most, len(ranked))] {
			if !slices.ContainsFunc(likely, func(h Hypothesis) bool { return h.String() == r.String() }) {
				likely = append(likely, r.Hypothesis)
			}
		}
	}
	return likely
}
