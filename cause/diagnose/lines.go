package diagnose

import (
	"slices"

	"utfbench/cause/search"
)

// lateOf is the number of failing, and of passing, executions on which a line's delay is estimated.
const lateOf = 16

// lateLines searches for a delay of each wrong line, such that all of them together reproduce the chip's samples
// exactly, as behind a long cable.
func (run *Run) lateLines(f *Finding) bool {
	late := search.Hypothesis{Tile: run.Tile}
	sample := run.source().Sample(lateOf, lateOf)
	for _, scale := range search.DelayHypotheses(run.Tile, run.speeds()) {
		if scale.DelaysAnyOf(run.wrong) {
			// regardless of other lines
			ties := search.Ties(run.search().Rank(sample, scale.ConstantTimes(), 1))
			best := ties[0].Hypothesis
			for _, t := range ties[1:] {
				best, _ = best.MergeTimes(t.Hypothesis)
			}
			late.Faults, late.Times = append(late.Faults, best.Faults[0]), append(late.Times, best.Times[0])
		}
	}
	if len(late.Faults) < 2 {
		return false
	}
	fit := run.search().Rank(run.whole(), []search.Hypothesis{late}, 1)[0]
	if fit.Cost() > 0 {
		return false
	}
	f.Causes = slices.Insert(f.Causes, 0, fit)
	f.countTies()
	return true
}
