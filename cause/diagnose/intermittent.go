package diagnose

import (
	"math"
	"math/bits"

	"utfbench/cause/search"
	"utfbench/fault"
)

// parameterBits is the number of bits that encode a probability.
const parameterBits = 5

// intermittent returns intermittent causes: the only wrong line, and inputs whose errors may show only there. It
// returns none if several lines are wrong. The samples do not show at which steps an input was wrong.
func (run *Run) intermittent() (fits []search.Fit) {
	if run.wrong.Count() != 1 {
		return nil
	}
	wrong := run.whole().DifferingBits
	var failing added
	kept, total := 0, 0
	for _, p := range run.parts {
		failing.steps, failing.kept = failing.steps+p.of(true).steps, failing.kept+p.of(true).kept
		kept, total = kept+len(p.steps), total+p.total()
	}
	share := float64(wrong) / float64(max(1, failing.kept)) * float64(failing.steps) / float64(max(1, total))
	f := fault.Fault{Kind: fault.Flip, A: fault.UO + bits.TrailingZeros16(uint16(run.wrong)), P: min(1, share)}
	hs := []search.Hypothesis{{Tile: run.Tile, Faults: []fault.Fault{f}}}
	hs = append(hs, run.search().IntermittentInputs(run.source().Sample(sampleFailed, samplePassed))...)
	account := search.Account{DifferingBits: wrong, ExplainedBits: wrong}
	for _, h := range hs {
		fits = append(fits, search.Fit{Hypothesis: h, Account: account,
			Bits: choices(float64(wrong), float64(kept)) + parameterBits})
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
