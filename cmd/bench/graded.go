package main

import (
	"context"

	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/against"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// gradeBudget bounds the work that a run's strength may add: some seconds of one core. It is no time, so that a run is
// graded the same on every machine.
const gradeBudget = 500_000_000

// A grading is what a run keeps for its strength. The zero value grades, and has no threshold.
type grading struct {
	off   bool
	least float64

	vectors []grade.Vector
}

func (g *grading) flags(f *pflag.FlagSet) {
	f.BoolVar(&g.off, "no-strength", false, "do not grade which faults of the tile's gates the run would have shown")
	f.Float64Var(&g.least, "strength", 0, "percent of the faults of the tile's gates that a PASS has to show; below "+
		"it the run is WEAK")
}

// check reports flags that contradict each other, or a threshold for a tile that has none of its own gates.
func (g *grading) check(t tile.Tile) error {
	switch {
	case g.least < 0 || g.least > 100:
		return failure.Usagef("--strength %g: has to be from 0 to 100 (percent)", g.least)
	case g.least > 0 && g.off:
		return failure.Usagef("--strength needs what --no-strength leaves out: drop one of them")
	case g.least > 0 && gatesOf(t) == nil:
		return failure.Usagef("--strength: the reference of %s is no gates, so its faults are unknown (bench faults "+
			"grades vectors by a netlist)", t.Name())
	}
	return nil
}

// gatesOf returns the tile with gates that a tile is, or that it was lent another reference for; nil if it has none.
func gatesOf(t tile.Tile) *gates.Tile {
	g, _ := against.Own(t).(*gates.Tile)
	return g
}

// compared keeps what was compared of a vector.
func (g *grading) compared(v *golden.Vector, want []transport.Sample) {
	g.vectors = append(g.vectors, grade.Vector{Name: v.Name, Steps: v.Steps, Want: want})
}

// attach has a runner keep what is compared, and returns the function that grades it; nil if nothing is to be graded.
func (g *grading) attach(r *driver.Runner) func(context.Context, *driver.Tally) {
	t := gatesOf(r.Tile)
	if t == nil || g.off {
		return nil
	}
	r.Compared = g.compared
	return func(ctx context.Context, tally *driver.Tally) {
		if v := tally.Verdict(); v != driver.Pass && v != driver.Weak {
			return
		}
		grader := grade.Grader{List: grade.NewList(t.Design), Vectors: g.vectors, Budget: gradeBudget}
		if g.least > 0 { // a sample decides nothing
			grader.Budget = 0
		}
		got, err := grader.Grade(ctx)
		if err != nil { // interrupted: the verdict stands without it
			return
		}
		n := got.Prove(t, g.vectors)
		tally.Strength, tally.Least = strengthOf(got), g.least
		tally.Strength.Proved = n
	}
}

// strengthOf counts the classes by what became of them.
func strengthOf(g *grade.Grading) *driver.Strength {
	testable := len(g.Classes) - g.Count(grade.Untestable)
	return &driver.Strength{Faults: testable - g.Count(grade.Ungraded), Testable: testable,
		Untestable: g.Count(grade.Untestable), Found: g.Count(grade.Found), Inactive: g.Count(grade.Inactive),
		Unknown: g.Count(grade.Unclear), Unseen: g.Count(grade.Unseen), Idle: len(g.Idle), AtLeast: g.Cut}
}
