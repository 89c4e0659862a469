package diagnose

import (
	"context"
	"math"
	"runtime"
	"time"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A Run holds the evidence: the executions, in order, of one or more runs of the same chip.
type Run struct {
	Tile              tile.Tile         // the reference
	Simulated         bool              // the chip is a Verilog simulation, which has no wires and no randomness
	HasInjectedFaults bool              // faults were injected, so the design may be right
	UnstableFacts     []string          // descriptions of outputs whose samples differed in one step
	Pulses            *transport.Pulses // pulses with which the first failure was repeated; nil if unknown
	Runs              int               // number of runs that will be added; 0 means 1
	Executions        int               // number of executions added
	FailedExecutions  int               // number of executions that failed
	Context           context.Context   // ends the search when it is done; nil never is
	Budget            time.Duration     // for the search for several faults; 0 is search.DefaultBudget
	OnlyExact         bool              // search only for single faults that explain every sample
	DeducedFails      int               // number of FAILs that only deduced levels show; see tile.Deducer

	parts   []*part
	wrong   transport.Outputs // lines that were ever wrong
	judged  transport.Outputs // lines with an expected level in some step in which the bench does not drive them
	driven  uint8             // uio lines that the bench drives in some step
	repeats repeats           // vectors that ran more than once

	got, right shown              // levels of the chip, and of a good chip
	first      *WrongStep         // nil if there is none
	wrongBits  int                // in all executions
	early      []search.Execution // see keepEarly
	budget     *search.Budget
	all        *search.Evidence // of the whole run
}

// patience holds the limits of a diagnosis, in simulated steps.
type patience struct {
	// maximum steps to keep of a run's passing executions, and of its failing ones; other executions are only counted
	kept    int
	sampled int // steps on which all hypotheses are simulated, at least one execution
}

// patience returns the limits of the diagnosis. They are lower for tiles with more gates, and several runs share them,
// so that two cores need less than 20 seconds.
func (run *Run) patience() patience {
	gates, is := run.Tile.(tile.BatchSimulator)
	switch {
	case is:
		const whole, each, least = 80_000, 13_000, 60 // in µs per hypothesis, on the whole run and on a sample
		return patience{max(least, min(1000, whole/gates.StepCost())), max(least, min(400, each/gates.StepCost()))}
	case runtime.GOOS == "js": // a page has one thread, and its user waits
		return patience{100_000, 3000}
	case run.Runs > 1: // a burst is slower to simulate
		return patience{150_000, 6000}
	}
	return patience{300_000, 6000}
}

// BeginRun begins another run at a speed; nil is step by step. It is not needed for a single run step by step.
func (run *Run) BeginRun(speed *transport.Timing) {
	run.parts = append(run.parts, &part{speed: speed, run: len(run.parts)})
}

// AddResult adds the execution of a result unless it is an ERROR or applied no steps. Errors come from the reference.
func (run *Run) AddResult(r *driver.Result) error {
	run.CountVerdict(r.Verdict)
	if t := r.Trace; t != nil && r.Verdict.AboutChip() {
		return run.Add(r.Vector.Name, t.Steps, t.Got)
	}
	return nil
}

// CountVerdict counts an execution's verdict, which may depend on deduced levels; see tile.Deducer.
func (run *Run) CountVerdict(v driver.Verdict) {
	if _, deduces := run.Tile.(tile.Deducer); deduces && v == driver.Fail {
		run.DeducedFails++
	}
}

// Add copies an execution of a vector into the run. Errors come from the reference.
func (run *Run) Add(vector string, steps []transport.Step, got []transport.Sample) (err error) {
	defer search.RecoverError(&err)
	if len(run.parts) == 0 {
		run.BeginRun(nil)
	}
	if run.repeats == nil {
		run.repeats = repeats{}
	}
	p := run.parts[len(run.parts)-1]
	run.all = nil
	steps = steps[:len(got)]
	failed, answers := run.compare(vector, steps, got)
	run.repeats.add(p.speed, steps, answers, failed, p.total() == 0)
	run.Executions++
	if failed {
		run.FailedExecutions++
	}
	p.keep(steps, got, span{failed: failed}, run.patience().kept/max(1, run.Runs))
	return nil
}

// compare compares an execution with a good chip, and returns a digest of the bits that it compared.
func (run *Run) compare(vector string, steps []transport.Step, got []transport.Sample) (failed bool, answers digest) {
	right := make([]transport.Sample, len(steps))
	search.PanicOn(tile.Expect(run.Tile, steps, right))
	answers = newDigest
	for i, want := range right {
		answers.sample(got[i], want)
		run.driven |= steps[i].Drive
		run.judged |= ^(want.Unknown() | transport.Outputs(steps[i].Drive)<<8)
		run.got.add(got[i], ^want.Unknown())
		run.right.add(want, ^want.Unknown())
		wrong := got[i].Differ(want)
		if run.wrong |= wrong; wrong != 0 && run.first == nil {
			run.first = &WrongStep{vector, i, wrong, got[i], want}
		}
		if run.wrongBits += wrong.Count(); wrong != 0 && !failed {
			failed = true
			run.keepEarly(steps[:i+1], got[:i+1])
		}
	}
	return failed, answers
}

func (run *Run) speeds() (all []transport.Timing) {
	for _, p := range run.parts {
		if p.speed != nil {
			all = append(all, *p.speed)
		}
	}
	return all
}

func (run *Run) each(of func(*part) []search.Execution) (executions []search.Execution) {
	for _, p := range run.parts {
		executions = append(executions, of(p)...)
	}
	return executions
}

// sample returns up to n failing or passing executions, spread over all runs.
func (run *Run) sample(failed bool, n int) []search.Execution {
	share := 0 // number of parts that have such executions
	for _, p := range run.parts {
		if p.of(failed).executions > 0 {
			share++
		}
	}
	share = max(1, share)
	return run.each(func(p *part) []search.Execution {
		return p.sample(failed, max(1, n/share), run.patience().sampled/share)
	})
}

// every returns all failing or all passing executions. They may be too many to be simulated.
func (run *Run) every(failed bool) []search.Execution {
	return run.each(func(p *part) []search.Execution { return p.sample(failed, math.MaxInt, math.MaxInt) })
}
