package diagnose

import (
	"slices"

	"utfbench/cause/search"
)

// limits of the search for two faults
const (
	likelyOfPair = 12
	spoiledOf    = 10 // noise may spoil one in spoiledOf executions; the right pair predicts all others
	hiddenOf     = 50 // one in hiddenOf executions may pass although a failure is predicted
)

// withNoise searches for several faults of wires or register bits that explain more than any single one, or for one
// fault and noise, but noise only if repeats of a vector differ. It puts them first among the causes and returns their
// kind, or "" if it finds none. several holds faults that explain more, but not enough.
func (run *Run) withNoise(f *Finding) (kind Conclusion, several []search.Fit) {
	s, of, limit := run.search(), run.source(), likelyOfPair
	if f.maybeNoise && !f.repeats() { // one member is probably the best single fault
		limit = 2
	}
	likely := s.LikelyMembers(of, limit)
	one := s.RankFinalists(of, likely)[0]
	noise := func(h search.Fit) bool { return f.WaveringVectors > 0 && run.butForNoise(h.Hypothesis) }
	enough := func(h search.Fit) bool { return noise(h) || run.accounts([]search.Fit{h})[0].Exact() }
	several = s.FindMultipleFaults(of, one, likely, enough)
	switch {
	case len(several) > 0 && enough(several[0]):
		run.prefer(f, several)
		return SeveralFaults, nil
	case len(several) == 0 && f.maybeNoise && f.WaveringVectors > 0:
		return f.Causes[0].Kind(), nil
	case noise(one):
		run.prefer(f, []search.Fit{one})
		return one.Kind(), nil
	case len(several) > 0:
		one = several[0]
	}
	f.maybeNoise = f.maybeNoise || run.butForNoise(one.Hypothesis)
	return "", several[:min(len(several), shownCauses)]
}

// butForNoise reports whether a hypothesis predicts the executions, except some that noise may have spoiled: one in
// spoiledOf and less than half of the failing ones, or a quarter of the failing ones. Noise rarely hides errors: see
// hiddenOf.
func (run *Run) butForNoise(h search.Hypothesis) bool {
	cost := func(executions []search.Execution, h search.Hypothesis) float64 {
		if len(executions) == 0 {
			return 0
		}
		e := search.NewEvidence(run.Tile, executions)
		fits := run.search().WithNoise().Rank(e, []search.Hypothesis{h}, 1)
		return float64(fits[0].Cost()) / float64(len(executions))
	}
	sample, passed := run.sample(true, 4*sampleFailed), float64(run.Executions-run.FailedExecutions)
	failed := float64(run.FailedExecutions)
	spoiled := failed * cost(sample, h) / cost(sample, search.Hypothesis{Tile: run.Tile})
	return (spoiled < failed/4 || spoiled < failed/2 && spoiledOf*spoiled <= float64(run.Executions)) &&
		hiddenOf*passed*cost(run.every(false), h) <= failed*search.MaxSpoiledCost
}

// prefer puts hypotheses first among the causes, with their accounts of the whole run.
func (run *Run) prefer(f *Finding, fits []search.Fit) {
	first := run.accounts(fits)
	others := slices.DeleteFunc(f.Causes, func(c search.Fit) bool {
		return slices.ContainsFunc(first, func(o search.Fit) bool { return o.String() == c.String() })
	})
	f.Causes = append(first, others...)
	f.dropIdle()
}

// accounts returns the hypotheses with their accounts of the whole run, the best first.
func (run *Run) accounts(fits []search.Fit) []search.Fit {
	return run.search().Rank(run.whole(), search.Hypotheses(fits), len(fits))
}
