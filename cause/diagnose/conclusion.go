package diagnose

import (
	"math"
	"slices"

	"utfbench/cause/search"
)

// A Conclusion is the kind of fault that explains a run, or the reason why no fault does.
type Conclusion = search.Kind

// The conclusions, in addition to the kinds of hypotheses.
const (
	NoDifference Conclusion = "nothing" // no bit differs
	// an output fault explains the run but may be the chip's (see Doubt), or faults of several kinds explain it
	Unclear       Conclusion = "unclear"
	Unstable      Conclusion = "unstable"    // samples of one step differ
	SeveralFaults Conclusion = "several"     // several faults of wires or register bits explain it together
	Logic         Conclusion = "logic"       // the simulated design is wrong
	Cell          Conclusion = "cell"        // a cell inside the chip explains it, and no wire does; see package cells
	Unexplained   Conclusion = "unexplained" // no known fault explains it

	Wire         = search.Wire     // a wire fault reproduces the samples
	Register     = search.Register // a stuck register bit reproduces the samples
	Revision     = search.Revision // a chip of another revision reproduces the samples
	Timing       = search.Timing   // a line or chip that is too slow reproduces the samples
	Intermittent = search.Intermittent
)

// repeats reports whether failing vectors were repeated, and each of them failed with the same samples every time.
func (f *Finding) repeats() bool { return f.SteadyVectors > 0 && f.WaveringVectors == 0 }

// conclude returns the conclusion from the causes, and drops causes that it excludes.
func (run *Run) conclude(f *Finding) Conclusion {
	kind, best := f.exactKind(), f.best()
	switch {
	case run.Simulated && (kind == Wire || kind == Unclear):
		return run.simulated() // a mistake in the design has the same effect
	case kind != "":
		return kind
	case run.Simulated:
		return run.simulated()
	case best.Unreset():
		return Unclear
	}
	f.maybeNoise = best.ExplainsAllButNoise()
	var pairs []search.Fit
	atRandom := best.Kind() == Intermittent
	if !atRandom && (!f.HasRunAtSpeed || f.FailedStepByStep) {
		if kind, pairs = run.withNoise(f); kind != "" {
			return kind
		}
	} else if f.maybeNoise && f.WaveringVectors > 0 && !atRandom {
		return best.Kind()
	}
	kind = run.byRuleOrChance(f)
	if pairs != nil && (kind == Unexplained || kind == Unclear) {
		run.prefer(f, pairs)
		f.sort()
	}
	return kind
}

// simulated returns the conclusion for a simulated chip, which has no wires.
func (run *Run) simulated() Conclusion {
	if run.HasInjectedFaults {
		return Unexplained
	}
	return Logic
}

// byRuleOrChance returns the conclusion for a run that no permanent fault explains, with or without noise.
func (run *Run) byRuleOrChance(f *Finding) Conclusion {
	slow := run.onlyAtSpeed(f)
	if slow || f.repeats() {
		f.Causes = slices.DeleteFunc(f.Causes, func(c search.Fit) bool { return c.Kind() == Intermittent })
		f.countTies()
	}
	// most repeated vectors gave different samples, or samples of one step differed
	varies := f.iterations > 1 && f.WaveringVectors > f.SteadyVectors ||
		f.SteadyVectors == 0 && len(run.UnstableFacts) > 0
	switch best := f.best(); {
	case slow:
		return Timing
	case f.repeats() && (f.HasRunAtSpeed && !f.HasRunStepByStep || f.maybeNoise && f.iterations < 2):
		return Unclear
	case f.repeats():
		return Unexplained
	case f.maybeNoise && (varies || best.Kind() == Timing):
		return best.Kind()
	case f.iterations < 2 && f.maybeNoise:
		return Unclear
	}
	return Unexplained
}

// onlyAtSpeed reports whether all runs step by step passed and executions at speed failed more often than by chance.
func (run *Run) onlyAtSpeed(f *Finding) bool {
	fast := 0
	for _, p := range run.parts {
		if p.speed != nil {
			fast += p.of(false).executions + p.of(true).executions
		}
	}
	return f.HasRunAtSpeed && f.HasRunStepByStep && !f.FailedStepByStep &&
		float64(run.FailedExecutions)*math.Log2(float64(run.Executions)/float64(fast)) >= search.DecisiveBits
}

// NeedsSlowRun reports whether all runs are at speed, so that a run step by step would show whether speed is the cause.
func (f *Finding) NeedsSlowRun() bool {
	open := f.Conclusion == Unexplained || f.Conclusion == Unclear && f.Doubt.Outputs == nil
	return open && f.HasRunAtSpeed && !f.HasRunStepByStep
}

// doubt withdraws the blame from the wires if the chip may be at fault instead.
func (run *Run) doubt(f *Finding) {
	if f.Conclusion != Wire && f.Conclusion != Intermittent {
		return
	}
	var hs []search.Hypothesis
	for _, c := range f.TiedCauses() {
		if c.Kind() == f.Conclusion {
			hs = append(hs, c.Hypothesis)
		}
	}
	f.Doubt = NewDoubt(hs, run.driven)
	switch {
	case f.Conclusion == Wire && f.Doubt.Outputs != nil, f.noClock():
		f.Conclusion = Unclear
	case f.Conclusion == Wire:
		inputs := run.driven &^ uint8(run.wrong>>8)
		if !MayBeBrokenInput(hs, inputs) {
			f.EquivalentPin = run.search().FindStuckPin(run.whole())
		}
		if f.EquivalentPin != "" {
			f.Conclusion, f.Doubt = Unclear, NewDoubt(hs, inputs)
			return
		}
		f.MayBeBrokenInput = MayBeBrokenInput(hs, run.driven)
	}
}

// noClock reports whether a dead clock is among the best causes: clk does not reach the chip, or the chip is too slow
// for its pulses and was not tried with long ones.
func (f *Finding) noClock() bool {
	return !f.HasRunAtSpeed && !f.failsByLongPulses &&
		slices.ContainsFunc(f.TiedCauses(), func(c search.Fit) bool { return c.StopsClock() })
}

// blameSpeed blames the chip's speed if edges of clk had an effect only with longer pulses.
func (run *Run) blameSpeed(f *Finding) {
	if f.noClock() && run.Pulses != nil && run.Pulses.LongPasses {
		c := f.Causes[0] // a chip that misses every edge gives the same samples
		c.Hypothesis = search.SlowChip(run.Tile, *run.Pulses)
		f.Conclusion, f.Causes, f.TieCount = Timing, []search.Fit{c}, 1
	}
}

// MayBeCell reports whether a search inside the chip may find a permanent fault that explains the run: no wire,
// revision or speed explains it, and not only deduced levels differ.
func (f *Finding) MayBeCell() bool {
	switch f.Conclusion {
	case Unclear, Register, SeveralFaults, Logic, Unexplained:
		return f.WaveringVectors == 0 && !f.HasRunAtSpeed && !f.OnlyDeduced && !f.noClock() &&
			!(f.Conclusion == Unclear && f.best().Unreset())
	}
	return false
}

// exactKind returns the kind of the causes that explain every sample: "" if none does, Unclear if their kinds differ.
func (f *Finding) exactKind() (kind Conclusion) {
	for _, cause := range f.TiedCauses() {
		switch {
		case cause.Bits > 0:
		case kind == "" || kind == cause.Kind():
			kind = cause.Kind()
		default:
			return Unclear
		}
	}
	return kind
}
