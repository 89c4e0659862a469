package diagnose

import (
	"slices"

	"utfbench/tile"
)

// The limits of the search for two faults.
const (
	likelyOfPair = 12
	pairsKept    = 40
	// bits that a second fault has to save: it is one of a thousand, and the odds are a thousand to one
	SecondCosts = 10 + Odds
	// the maximum cost of an execution: noise spoils one of spoiledOf, and the right pair predicts all others
	spoiledCosts, spoiledOf = 3 * wrongCosts, 10
	hiddenOf                = 50 // for as many failing executions, one may pass against the prediction
)

// withNoise searches for two faults of wires or register bits that explain more than any single one, or for one fault
// plus noise. It puts them first among the causes and returns their kind, or "" if it finds none. Noise is assumed
// only if repeats of a vector differ, since a mistake in the design is steady. Pairs that explain more, but not enough,
// are returned.
func (run *Run) withNoise(f *Finding) (kind Conclusion, pairs []Ranked) {
	single := singleFaults(run.Tile)
	most := likelyOfPair
	if f.maybeNoise { // one of both is probably the best single fault
		most = 2
	}
	likely := run.likelySingles(run.sieved(selecting), single, most)
	one := rank(run.Tile, run.sieved(deciding), likely, 1, run.noisy())[0]
	noise := func(r Ranked) bool { return f.Wavering > 0 && run.butForNoise(r) }
	better := func(two []Ranked) bool { return len(two) > 0 && 2*two[0].Cost()+SecondCosts < one.Cost() }
	enough := func(two []Ranked) bool { return better(two) && (noise(two[0]) || run.exact(two[0])) }

	two := run.sifted(run.apart(single))
	if !enough(two) {
		two = run.sifted(run.together(likely, single), two...)
	}
	switch {
	case enough(two):
		run.prefer(f, two)
		return Several, nil
	case f.maybeNoise && f.Wavering > 0:
		return f.Causes[0].Kind(), nil
	case noise(one):
		run.prefer(f, []Ranked{one})
		return one.Kind(), nil
	case better(two):
		f.maybeNoise = f.maybeNoise || run.butForNoise(two[0])
		return "", two
	}
	f.maybeNoise = f.maybeNoise || run.butForNoise(one)
	return "", nil
}

// singleFaults returns the hypotheses that can be a fault of a pair.
func singleFaults(t tile.Tile) []Hypothesis {
	return slices.DeleteFunc(slices.Concat(Wires(t), Chips(t)), func(h Hypothesis) bool { return FaultsOf(h) == nil })
}

// apart returns the likeliest pairs of faults that act apart.
func (run *Run) apart(single []Hypothesis) []Hypothesis {
	run.tried = len(single) * (len(single) - 1) / 2
	return superpose(run.Tile, run.sieved(superposing)).pairs(run, single, superposing.keep)
}

// together returns the likeliest pairs of a likely fault with any other one, simulated together.
func (run *Run) together(likely, single []Hypothesis) []Hypothesis {
	glance := run.sieved(glancing)
	pairs := run.budget.Afford(pairsOf(likely, single), glance)
	return shortened(rank(run.Tile, glance, pairs, glancing.keep, run.noisy()), 2*glancing.keep)
}

// sifted returns the best of these pairs, and of those sifted before.
func (run *Run) sifted(pairs []Hypothesis, before ...Ranked) []Ranked {
	sample := run.sieved(selecting)
	pairs = run.budget.Afford(pairs, sample)
	kept := shortened(rank(run.Tile, sample, pairs, selecting.keep, run.noisy()), 2*selecting.keep)
	for _, r := range before {
		if !slices.ContainsFunc(kept, func(h Hypothesis) bool { return h.String() == r.String() }) {
			kept = append(kept, r.Hypothesis)
		}
	}
	return run.exactFirst(rank(run.Tile, run.sieved(deciding), kept, deciding.keep, run.noisy()))
}

// exactFirst ranks pairs by the whole run if one reproduces it: on the executions of a sieve, others may do as well.
func (run *Run) exactFirst(two []Ranked) []Ranked {
	var hs []Hypothesis
	for _, r := range two {
		hs = append(hs, r.Hypothesis)
	}
	best := rank(run.Tile, run.joined(), hs, 1, run.simulator())
	if len(best) == 0 || best[0].Cost() > 0 {
		return two
	}
	return rank(run.Tile, run.joined(), hs, len(hs), run.simulator())
}

// butForNoise reports whether a hypothesis predicts the executions, except some that noise may have spoiled: one in
// spoiledOf and less than half of the failing ones, or a quarter of the failing ones. Noise hides no errors, so the
// hypothesis must predict hardly any in the passing ones.
func (run *Run) butForNoise(r Ranked) bool {
	cost := func(executions []Execution, h Hypothesis) float64 {
		if len(executions) == 0 {
			return 0
		}
		all := rank(run.Tile, executions, []Hypothesis{h}, 1, run.noisy())[0].Cost()
		return float64(all) / float64(len(executions))
	}
	sample, passed := run.sample(true, deciding.failed), float64(run.Executions-run.Failed)
	failed := float64(run.Failed)
	spoiled := failed * cost(sample, r.Hypothesis) / cost(sample, RightChip{run.Tile})
	return (spoiled < failed/4 || spoiled < failed/2 && spoiledOf*spoiled <= float64(run.Executions)) &&
		hiddenOf*passed*cost(run.every(false), r.Hypothesis) <= failed*spoiledCosts
}

// exact reports whether a hypothesis explains every sample.
func (run *Run) exact(r Ranked) bool {
	s := run.simulator()
	c := run.account(&s, r)
	return c.Explained == c.Differs && c.Unseen == 0
}

// prefer puts hypotheses first among the causes.
func (run *Run) prefer(f *Finding, hs []Ranked) {
	others := slices.DeleteFunc(f.Causes, func(c Cause) bool {
		return slices.ContainsFunc(hs, func(r Ranked) bool { return r.String() == c.String() })
	})
	f.Causes = append(run.accounts(hs), others...)
	f.dropIdle()
}

// noisy simulates executions some of which noise has spoiled.
func (run *Run) noisy() simulator {
	s := run.simulator()
	s.spoiled = spoiledCosts
	return s
}

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

var (
	superposing = sieve{24, 8, 10 * pairsKept}
	glancing    = sieve{6, 2, 10 * pairsKept}
	selecting   = sieve{sampleFailed, samplePassed, pairsKept}
	deciding    = sieve{4 * sampleFailed, 4 * samplePassed, shownCauses}
)

func (run *Run) sieved(s sieve) []Execution {
	return append(run.sample(true, s.failed), run.sample(false, s.passed)...)
}

// likelySingles returns the candidates for one fault of a pair: those that explain the most bits, and those that
// explain the most executions, most of each.
func (run *Run) likelySingles(sample []Execution, singles []Hypothesis, most int) (likely []Hypothesis) {
	for _, s := range []simulator{run.simulator(), run.noisy()} {
		ranked := rank(run.Tile, sample, singles, most, s)
		for _, r := range ranked[:min(most, len(ranked))] {
			if !slices.ContainsFunc(likely, func(h Hypothesis) bool { return h.String() == r.String() }) {
				likely = append(likely, r.Hypothesis)
			}
		}
	}
	return likely
}
