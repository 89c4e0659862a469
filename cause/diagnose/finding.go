package diagnose

import (
	"cmp"
	"slices"

	"utfbench/cause/search"
)

// A Finding is the result of a diagnosis.
type Finding struct {
	Conclusion                 Conclusion
	Scope                      search.Scope
	OnlyDeduced                bool // only levels deduced from the chip's earlier samples differ
	ReferenceAgrees            bool // the reference predicts all samples; vectors that are FAIL contradict it
	SimulatedSteps, TotalSteps int  // number of simulated steps, and of all steps
	TriedFailures              int  // number of failing executions on which intermittent inputs were tried
	HasRunAtSpeed              bool // some run was at speed
	HasRunStepByStep           bool // some run was step by step
	FailedStepByStep           bool // a run step by step failed
	// hypotheses with their accounts of the whole run, the best first; empty if nothing differs
	Causes   []search.Fit
	TieCount int // number of best causes that the steps do not distinguish

	Doubt            Doubt  // if Unclear or Intermittent: outputs whose wire or chip may be at fault
	MayBeBrokenInput bool   // if Wire: a broken pad or input of the chip may be the cause; see BrokenInputWords
	EquivalentPin    string // if Unclear: a stuck pin of a cell that explains as much as the wires do

	// pairs of single-line faults that explain as much as the causes, which are swaps or shorts
	SeparatePairs []search.Hypothesis

	Facts          []string   // facts that do not depend on the cause
	FirstWrongStep *WrongStep // where to probe if the cause is unknown, unclear or intermittent

	FailedExecutions int // number of executions that failed
	// numbers of vectors that ran more than once and failed with equal samples, and with different samples
	SteadyVectors, WaveringVectors int

	failsByLongPulses bool // the chip fails with long pulses of clk, too

	maybeNoise bool // the best cause explains everything except possible noise on a line
	iterations int  // executions of equal steps at one speed, on average
}

func (f *Finding) sort() {
	slices.SortStableFunc(f.Causes, func(a, b search.Fit) int { return cmp.Compare(a.Bits, b.Bits) })
	f.dropIdle()
}

// dropIdle removes the causes that explain no bit, whatever their cost.
func (f *Finding) dropIdle() {
	f.Causes = slices.DeleteFunc(f.Causes, func(c search.Fit) bool { return c.ExplainedBits == 0 })
	f.countTies()
}

func (f *Finding) best() *search.Fit {
	if len(f.Causes) == 0 {
		return new(search.Fit)
	}
	return &f.Causes[0]
}

func (f *Finding) countTies() {
	f.TieCount = 0
	for f.TieCount < len(f.Causes) && f.Causes[f.TieCount].Bits < f.Causes[0].Bits+search.DecisiveBits {
		f.TieCount++
	}
	f.joinTimes()
}

// addClock adds the faults of clk whose effect cannot be simulated, if wire faults explain every sample.
func (run *Run) addClock(f *Finding) {
	if f.Conclusion != Wire && !f.noClock() || f.HasRunAtSpeed || f.best().Bits > 0 {
		return
	}
	ties, all := search.Hypotheses(f.TiedCauses()), []search.Fit(nil)
	explain, _ := run.search().AddClockFaults(run.whole(), ties)
	if f.best().UnpredictedBits > 0 { // rst_n never resets the chip, and the state behind a short is not deduced
		short := search.MustParseAll(run.Tile, "clk~rst_n=and")
		explain = search.Merge(explain, run.search().FilterConsistent(run.whole(), short, 0))
	}
	for _, h := range explain {
		c := f.Causes[0]
		c.Hypothesis, c.Assumed = h, !slices.ContainsFunc(ties, func(o search.Hypothesis) bool {
			return o.String() == h.String()
		})
		all = append(all, c)
	}
	f.Causes, f.TieCount = append(all, f.Causes[f.TieCount:]...), len(all)
}

// joinTimes merges causes with adjacent times if the steps do not distinguish them.
func (f *Finding) joinTimes() {
	var kept []search.Fit
	for _, c := range f.Causes[:f.TieCount] {
		i := slices.IndexFunc(kept, func(k search.Fit) (merges bool) {
			_, merges = k.MergeTimes(c.Hypothesis)
			return merges
		})
		if i < 0 {
			kept = append(kept, c)
			continue
		}
		kept[i].Hypothesis, _ = kept[i].MergeTimes(c.Hypothesis)
	}
	f.Causes, f.TieCount = append(kept, f.Causes[f.TieCount:]...), len(kept)
}

// TiedCauses returns the best causes, which the steps do not distinguish.
func (f *Finding) TiedCauses() []search.Fit { return f.Causes[:f.TieCount] }
