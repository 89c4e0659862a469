package export

import (
	"fmt"
	"slices"

	"utfbench/driver"
	"utfbench/transport"
)

// An Excerpt is a sequence of steps of a vector with their samples, for a waveform. Its time is nominal: package
// transport guarantees the order within a step, but durations are not measured. Each part of a step has a slot of 10
// ns, and a step with at most one pulse of clk takes 100 ns. In most vectors, step n thus begins at (n-1) * 100 ns.
//
// The level of a line is known only while it is sampled. A sample is therefore shown from its sample time to the end of
// its step, and the level is unknown before.
type Excerpt struct {
	Vector          string // name of the vector
	Origin          string // file, line and document of the vector
	Iteration       int    // iteration, from 1
	FirstStep       int    // index in the vector of the excerpt's first step
	VectorSteps     int    // number of steps in the vector
	DivergenceIndex int    // index in the excerpt of the first divergence, or -1
	Trace           driver.Trace

	prior *transport.Step // the step before FirstStep, or nil
}

// StepsBeforeDivergence and StepsAfterDivergence are the numbers of steps that AroundDivergence copies.
const (
	StepsBeforeDivergence = 1
	StepsAfterDivergence  = 3
)

// WholeVector returns an excerpt of the whole vector. It shares the Trace of the Result, and its lifetime.
func WholeVector(r *driver.Result) *Excerpt {
	t := *r.Trace
	e := &Excerpt{Vector: r.Vector.Name, Origin: fmt.Sprintf("%s:%d, from %s", r.File, r.Vector.Line, r.Vector.Source),
		Iteration: r.Iteration, VectorSteps: len(t.Steps), DivergenceIndex: -1, Trace: t}
	if r.FirstMismatch != nil {
		e.DivergenceIndex = r.FirstMismatch.Index
	}
	return e
}

// AroundDivergence copies the steps around the first divergence, or around the last step with a sample if nothing
// differs. The Result must have a Trace.
func AroundDivergence(r *driver.Result) *Excerpt {
	return StepsAroundDivergence(r, StepsBeforeDivergence, StepsAfterDivergence)
}

// StepsAroundDivergence is like AroundDivergence, but takes the given numbers of steps before and after.
func StepsAroundDivergence(r *driver.Result, before, after int) *Excerpt {
	e, t := WholeVector(r), r.Trace
	middle := e.DivergenceIndex
	if middle < 0 {
		middle = max(0, len(t.Got)-1)
	}
	from, to := max(0, middle-before), min(middle+after+1, len(t.Steps))
	e.FirstStep = from
	if from > 0 {
		prior := t.Steps[from-1]
		e.prior = &prior
	}
	if e.DivergenceIndex >= 0 {
		e.DivergenceIndex -= from
	}
	e.Trace = driver.Trace{Tile: t.Tile, Steps: slices.Clone(t.Steps[from:to]), Want: slices.Clone(t.Want[from:to]),
		Got: slices.Clone(t.Got[min(from, len(t.Got)):min(to, len(t.Got))])}
	return e
}
