package diagnose

import (
	"math"
	"math/bits"
	"slices"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/transport"
)

// parameterBits is the number of bits that encode a probability.
const parameterBits = 5

// mostEarly is the maximum number of failing executions on which inputs are tried.
const mostEarly = 64

// keepEarly copies an execution up to its first wrong step, unless mostEarly others have fewer steps.
func (run *Run) keepEarly(steps []transport.Step, got []transport.Sample) {
	if n := len(run.early); n == mostEarly && len(steps) >= len(run.early[n-1].Steps) {
		return
	}
	run.early = append(run.early, search.Execution{Steps: slices.Clone(steps), Got: slices.Clone(got),
		Speed: run.parts[len(run.parts)-1].speed})
	slices.SortStableFunc(run.early, func(a, b search.Execution) int { return len(a.Steps) - len(b.Steps) })
	run.early = run.early[:min(mostEarly, len(run.early))]
}

// intermittent returns intermittent causes: the only wrong line, and inputs whose errors may show only there. It
// returns none if several lines are wrong. The samples do not show at which steps an input was wrong.
func (run *Run) intermittent(f *Finding) (fits []search.Fit) {
	if run.wrong.Count() != 1 {
		return nil
	}
	left := run.patience().sampled * 5 / 2 // there are few inputs
	for i, e := range run.early {
		if left -= work(e.Steps); left >= 0 || i == 0 {
			f.TriedFailures = i + 1
		}
	}
	rate := float64(run.wrongBits) / float64(f.TotalSteps)
	fit := search.Fit{Account: search.Account{DifferingBits: run.wrongBits, ExplainedBits: run.wrongBits},
		Bits: choices(float64(run.whole().DifferingBits), float64(f.SimulatedSteps)) + parameterBits}
	fit.Hypothesis = search.Hypothesis{Tile: run.Tile, Faults: []fault.Fault{{Kind: fault.Flip,
		A: fault.UO + bits.TrailingZeros16(uint16(run.wrong)), Probability: min(1, rate)}}}
	fits = append(fits, fit)
	e := search.NewEvidence(run.Tile, run.early[:f.TriedFailures])
	for _, fit.Hypothesis = range run.search().IntermittentInputs(e) {
		p := &fit.Faults[0].Probability
		*p = min(1, *p*rate*float64(e.CountSteps())/float64(e.DifferingBits))
		fits = append(fits, fit)
	}
	return fits
}

// choices returns the number of bits that encode the steps at which a fault acted.
func choices(acted, steps float64) float64 {
	p := min(1, acted/max(1, steps))
	if p <= 0 || p >= 1 {
		return 0
	}
	return steps * (-p*math.Log2(p) - (1-p)*math.Log2(1-p))
}
