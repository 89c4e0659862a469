// Package diagnose finds the fault that explains a chip's samples, in a run of vectors ([Run.Diagnose]) or in a check
// of the wires before the chip is judged ([CheckWiring]). Package search ranks the faults, and package diagnose draws a
// conclusion from the best of them, the causes. If the steps do not distinguish several, the cause is ambiguous.
//
// # Wire, chance or logic
//
// A permanent fault is the cause only if it explains the samples exactly; without a reset, except for what depends on
// the state at power-up. An intermittent fault may act at any step, and so fits anything, even a mistake in the logic.
// Only repeating a vector (--count) distinguishes the two: a chip with a mistake in its logic repeats its samples, and
// a loose line almost never does. If no samples changed, chance is excluded. If most samples changed and only one line
// was ever wrong, that line is intermittent. If no vector was repeated, the conclusion is unclear.
//
// # Speeds
//
// A Run may combine several runs of one chip, step by step and at different speeds. Each hypothesis is simulated on all
// of them, at their speeds, so speeds need no rule of their own. The settings (sample times, leads, periods) divide all
// times into intervals. One time of each interval is simulated, and the finding is the interval. If no single time
// explains the runs, and a run step by step passed, the speed is the cause, and no line is named.
//
// A Verilog simulation has no wires and no randomness. A wire fault that explains its samples exactly is named, since
// it reveals a mistake in the design, but the conclusion is logic. Intermittent faults are not tried.
//
// The steps of a wiring check ([tile.WiringSteps]) drive each line to both levels, in each of its directions. The wires
// are not blamed if a register bit inside the chip explains the samples as well, nor for a stuck output; see
// [WiringReport.LocateByOtherDesign]. They are blamed for a stuck input, since the chip cannot be judged behind it; see
// [WiringReport.MayBeBrokenInput].
package diagnose

import (
	"slices"

	"utfbench/cause/search"
	"utfbench/tile"
	"utfbench/transport"
)

// All hypotheses are simulated on a sample of the executions, and the best of them on the whole run.
const (
	sampleFailed, samplePassed = 48, 16
	window                     = 3000 // steps
	shortlist                  = 60
	shownCauses                = 8
)

func (run *Run) search() search.Search {
	return search.Search{Tile: run.Tile, Context: run.Context, Budget: run.budget}
}

// whole returns the evidence with each run as one execution, since behind a faulty reset, state carries over to the
// next vector. After dropped vectors, a new execution begins.
func (run *Run) whole() *search.Evidence {
	if run.all == nil {
		run.all = search.NewEvidence(run.Tile, run.each((*part).stretches))
	}
	return run.all
}

// source returns the run as evidence for a search for several faults.
func (run *Run) source() search.Source {
	return search.Source{FullEvidence: run.whole, SampledEvidence: func(failed, passed int) *search.Evidence {
		return search.NewEvidence(run.Tile, append(run.sample(true, failed), run.sample(false, passed)...))
	}}
}

// Diagnose ranks possible faults by how well they explain the run. Errors come from the reference or the context.
func (run *Run) Diagnose() (f Finding, err error) {
	defer search.RecoverError(&err)
	switch {
	case run.FailedExecutions == 0 && run.DeducedFails > 0:
		return run.deduce(), nil
	case run.FailedExecutions == 0:
		return Finding{Conclusion: NoDifference}, nil
	}
	run.budget = search.NewBudget(run.Tile, run.Budget)
	f = Finding{FailedExecutions: run.FailedExecutions, HasRunAtSpeed: len(run.speeds()) > 0,
		failsByLongPulses: run.Pulses != nil && !run.Pulses.LongPasses}
	for _, p := range run.parts {
		f.SimulatedSteps, f.TotalSteps = f.SimulatedSteps+len(p.steps), f.TotalSteps+p.total()
		f.HasRunStepByStep = f.HasRunStepByStep || p.speed == nil
		f.FailedStepByStep = f.FailedStepByStep || p.speed == nil && p.of(true).executions > 0
	}
	f.iterations = run.Executions / max(1, len(run.repeats))
	f.SteadyVectors, f.WaveringVectors = run.repeats.count()
	f.Causes = run.permanent()
	run.budget.Finish(search.SingleFaultTiers(run.Tile)...)
	if f.HasRunAtSpeed {
		run.budget.Finish(search.Times)
	}
	f.dropIdle()
	if run.OnlyExact && f.exactKind() == "" && !f.best().Unreset() {
		return Finding{Conclusion: Unexplained}, nil
	}
	if f.exactKind() == "" && !run.Simulated && !f.best().Unreset() {
		f.Causes = append(f.Causes, run.intermittent(&f)...)
	}
	f.sort()
	f.Conclusion = run.conclude(&f)
	f.Scope = run.budget.Scope
	if f.Conclusion == Unexplained && len(run.UnstableFacts) > 0 {
		return Finding{Conclusion: Unstable, Facts: run.UnstableFacts, FirstWrongStep: run.first}, nil
	}
	run.doubt(&f)
	run.blameSpeed(&f)
	run.separate(&f)
	run.addClock(&f)
	switch {
	case f.Conclusion == Unclear && f.Doubt.Outputs == nil && f.exactKind() != "": // each explains every sample
	case f.Conclusion == Logic && f.exactKind() == "":
		f.Facts = run.facts()
	case f.Conclusion == Unexplained, f.Conclusion == Unclear && f.Doubt.Outputs == nil,
		f.Conclusion == Timing && !f.best().ExplainsAllButNoise():
		f.Facts, f.FirstWrongStep = run.facts(), run.first
	case f.Conclusion == Unclear, f.Conclusion == Intermittent:
		f.FirstWrongStep = run.first
	}
	return f, nil
}

// permanent selects the permanent faults that explain a sample of the executions nearly as well as the best fault does,
// and returns the best ones for the whole run. If none explains all of it, permanent also simulates a contiguous part
// of the run, since the sample does not show the effect of one vector on the next.
func (run *Run) permanent() []search.Fit {
	hs := slices.Concat(search.DelayHypotheses(run.Tile, run.speeds()), search.ChipHypotheses(run.Tile),
		search.WireHypotheses(run.Tile))
	s := run.search()
	fits := s.Rank(run.source().SampledEvidence(sampleFailed, samplePassed), hs, shortlist)
	if fits[0].Cost() == 0 {
		if fits = s.Rank(run.whole(), search.Shortlist(fits, 2*shortlist), shownCauses); fits[0].Cost() == 0 {
			return fits
		}
	}
	around := s.Rank(search.NewEvidence(run.Tile, run.each((*part).aroundFirstFailure)), hs, shownCauses)
	return s.Rank(run.whole(), search.Merge(search.Shortlist(fits, 2*shownCauses), search.Shortlist(around, shortlist)),
		shownCauses)
}

// deduce diagnoses a run in which only levels deduced from the chip's earlier samples differ; see tile.Deducer. A
// simulation leaves such levels open, so it searches for no fault.
func (run *Run) deduce() Finding {
	f := Finding{Conclusion: NoDifference, OnlyDeduced: true, ReferenceAgrees: true, FailedExecutions: run.DeducedFails}
	for _, e := range run.every(false) {
		f.SimulatedSteps += len(e.Steps)
		want := make([]transport.Sample, len(e.Steps))
		search.PanicOn(tile.Expect(run.Tile, e.Steps, want))
		short := tile.Deduce(run.Tile, e.Steps, e.Got, want).CutShort // the search for a power-up state was cut short
		differs := transport.Differ(e.Got, want) != 0
		f.ReferenceAgrees = f.ReferenceAgrees && !differs && !short
		switch {
		case differs && run.Simulated:
			f.Conclusion = run.simulated()
		case differs:
			f.Conclusion = Unclear
		}
	}
	f.TotalSteps = f.SimulatedSteps
	return f
}
