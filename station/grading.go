package station

import (
	"context"
	"runtime"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// gradeBudget limits the work of grading a run: some 0.7 s of one core, but the same result on every machine.
const gradeBudget = 90_000_000

// exploredBudget is the work for grading an exploration's vectors, per second of its budget: half of the search's work.
const exploredBudget = 50_000_000

// limits on grading by a netlist, which takes some 0.1 s, while a model judges the run
const besideBudget, besideSteps = 15_000_000, 6000

// DefaultCoverage is the default threshold in percent. Above it, the vectors detect most faults of the gates.
const DefaultCoverage = 50

// A Grading grades the coverage of a run by its compared bits. The zero value grades with the default threshold.
type Grading struct {
	Disabled          bool
	ThresholdRequired bool    // the user set MinPercent
	MinPercent        float64 // minimum coverage for a PASS, in percent; below it the run is WEAK

	vectors []grade.Vector
	clocks  int  // number of clocks after the reset in the vector of a stream
	cut     bool // the stream is longer than mostGraded
}

// Check refuses an invalid threshold, and a threshold for a tile without gates.
func (g *Grading) Check(t tile.Tile) error {
	of, _ := gates.FaultTile(t)
	switch {
	case !(g.MinPercent >= 0 && g.MinPercent <= 100): // NaN fails both
		return failure.Usagef("--coverage %g: has to be from 0 to 100 (percent)", g.MinPercent)
	case g.ThresholdRequired && g.MinPercent > 0 && of == nil:
		return failure.Usagef("--coverage: the reference of %s has no gates, so its faults are unknown (bench "+
			"coverage --netlist grades vectors by a netlist)", t.Name())
	}
	return nil
}

// settle stores the user's threshold in the run, or else adopts the repeated run's. A threshold of 0 disables grading.
func (g *Grading) settle(asked *driver.Invocation) {
	switch {
	case g.ThresholdRequired:
		asked.Coverage = &g.MinPercent
	case asked.Coverage != nil:
		g.ThresholdRequired, g.MinPercent = true, *asked.Coverage
	}
	g.Disabled = g.ThresholdRequired && g.MinPercent == 0
}

func (g *Grading) compared(v *golden.Vector, want []transport.Sample) {
	g.vectors = append(g.vectors, grade.Vector{Name: v.Name, Steps: v.Steps, Want: want})
}

// mostGraded is the maximum number of steps of a stream that are graded.
const mostGraded = 1 << 20

// follow stores the compared bits of a stream's batch. The batches form one vector: each continues the previous one.
func (g *Grading) follow(s *driver.Stream, v *golden.Vector, want []transport.Sample) {
	if g.cut = g.cut || len(g.vectors) > 0 && len(g.vectors[0].Steps)+len(v.Steps) > mostGraded; g.cut {
		return
	}
	if v.Line == 0 {
		g.compared(v, want)
		return
	}
	one := &g.vectors[0]
	for part := range s.UnsampledSteps(v.Line-1-g.clocks, len(v.Steps)) {
		for range part {
			one.Want = append(one.Want, transport.Sample{OutX: 0xFF, IOX: 0xFF})
		}
		one.Steps = append(one.Steps, part...)
	}
	one.Steps, one.Want = append(one.Steps, v.Steps...), append(one.Want, want...)
	g.clocks = v.Line - 1 + len(v.Steps)
}

// thin returns evenly spaced vectors with about limit steps in total.
func thin(vectors []grade.Vector, limit int) (some []grade.Vector) {
	all := 0
	for i := range vectors {
		all += len(vectors[i].Steps)
	}
	for i := 0; i < len(vectors); i += 1 + all/limit {
		some = append(some, vectors[i])
	}
	return some
}

// attach makes a runner store the compared bits, and returns the function that grades them, or nil. It reports to tell.
func (g *Grading) attach(r *driver.Runner, x *Exploration,
	tell func(what string) (done func())) func(context.Context, *driver.Tally) {
	if g.Disabled {
		return nil
	}
	t, beside := gates.FaultTile(r.Tile)
	if t == nil {
		return nil
	}
	r.OnCompared = g.compared
	if r.Stream != nil {
		r.OnCompared = func(v *golden.Vector, want []transport.Sample) { g.follow(r.Stream, v, want) }
	}
	budget := gradeBudget
	switch {
	case beside && !g.ThresholdRequired && runtime.GOOS == "js": // the page has only one thread, and its user waits
		budget = besideBudget / 8
	case beside && !g.ThresholdRequired:
		budget = besideBudget
	case x.Enabled:
		budget = max(budget, int(x.Budget.Seconds()*exploredBudget))
	}
	return func(ctx context.Context, tally *driver.Tally) {
		if v := tally.Verdict(); v != driver.Pass && v != driver.Weak {
			return
		}
		defer tell("grading the vectors of the run")()
		grader := grade.Grader{List: gates.NewFaultList(t.Design), Vectors: g.vectors, Budget: budget, Prove: !beside}
		if beside && !g.ThresholdRequired {
			grader.Vectors = thin(g.vectors, besideSteps)
		}
		switch {
		case g.ThresholdRequired:
			tally.MinCoverage = g.MinPercent
		case !beside:
			tally.MinCoverage = DefaultCoverage
		}
		got, err := grader.Grade(ctx)
		if err != nil { // interrupted; a PASS needs its coverage
			return
		}
		proved := got.ProveUntestable(t, g.vectors)
		c := got.Coverage()
		c.ProvedInputs, c.BesideModel = proved, beside
		if g.cut || len(grader.Vectors) < len(g.vectors) {
			c.Unsettled = c.Faults - c.Found
		}
		tally.Coverage = c
	}
}
