package diagnose

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/tile"
)

// branches is the number of chips kept. All lines are walked over fewExecutions failing executions, and the best
// keptLines of them over mostExecutions.
const (
	branches                              = 6
	fewExecutions, mostExecutions         = 24, 400
	keptLines                             = 6
	parameterBits                 float64 = 5 // bits to encode a probability
)

// comingAndGoing returns the causes of one intermittent line: a flip, or an open line with random levels. It returns
// none if the tile's chip cannot fork.
func (run *Run) comingAndGoing() (causes []search.Fit) {
	if _, can := tile.WiredChip(run.Tile).(fault.Forker); !can {
		return nil
	}
	var hs []search.Hypothesis
	for _, line := range fault.Lines {
		hs = append(hs, search.MustParse(run.Tile, line+"=flip:0.5"), search.MustParse(run.Tile, line+"=open:random"))
	}
	for _, n := range []int{fewExecutions, mostExecutions} {
		causes = slices.DeleteFunc(run.walkAll(hs, n),
			func(c search.Fit) bool { return 4*c.Explained < c.Differs }) // which more executions do not change
		slices.SortStableFunc(causes, func(a, b search.Fit) int { return cmp.Compare(a.Bits, b.Bits) })
		keep := min(len(causes), keptLines)
		for keep < min(len(causes), 4*keptLines) && ties(causes[keep], causes[0]) {
			keep++
		}
		hs = search.Hypotheses(causes[:keep])
	}
	return causes
}

// walkAll walks up to n failing executions, spread over the runs.
func (run *Run) walkAll(hs []search.Hypothesis, n int) []search.Fit {
	causes, failing := make([]search.Fit, len(hs)), run.evidence(run.sample(true, n))
	run.search().ForEach(len(hs), func(i int, _ *search.Worker) {
		var sum search.Walk
		for n := range failing.Executions {
			sum.AddWalk(hs[i].Follow(failing, n, branches))
		}
		causes[i] = run.causeOf(hs[i], sum, len(failing.Executions))
	})
	return causes
}

// causeOf extrapolates from walked executions to the kept ones, of which the causes that always act have their account,
// and the probability to the whole run. In a passing execution a flip never acted, and an open line happened to have
// the right level.
func (run *Run) causeOf(h search.Hypothesis, walked search.Walk, executions int) search.Fit {
	var failed added
	var kept, total int
	for _, p := range run.parts {
		of := p.of(true)
		failed.executions, failed.steps, failed.kept = failed.executions+of.executions, failed.steps+of.steps,
			failed.kept+of.kept
		kept, total = kept+len(p.steps), total+p.total()
	}
	here := walked.ScaledTo(failed.kept)
	cause := search.Fit{Hypothesis: h, Account: here.Account, Sampled: executions < failed.executions}
	cause.Bits = float64(cause.Cost())
	differs := run.whole().Differs // counted, and not estimated
	cause.Explained, cause.Differs = cause.Explained*differs/max(1, cause.Differs), differs
	rate := float64(walked.Mattered) / float64(max(1, walked.Steps))
	if f := h.Faults[0]; f.Kind == fault.Flip {
		f.P = rounded(min(1, float64(walked.ScaledTo(failed.steps).Acted)/max(1, rate*float64(total))))
		cause.Faults = []fault.Fault{f}
		cause.Bits += choices(float64(here.Acted), rate*float64(kept)) + parameterBits
	} else {
		cause.Bits += rate * float64(kept)
	}
	return cause
}

// choices returns the bits needed to encode when a fault acted, of the times at which it mattered.
func choices(acted, mattered float64) float64 {
	p := min(1, acted/max(1, mattered))
	if p <= 0 || p >= 1 {
		return 0
	}
	return mattered * (-p*math.Log2(p) - (1-p)*math.Log2(1-p))
}

// rounded rounds to two significant digits.
func rounded(p float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(p, 'e', 1, 64), 64)
	if err != nil {
		panic(err) // cannot happen
	}
	return r
}
