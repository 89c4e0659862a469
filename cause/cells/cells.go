// Package cells says how much of a chip its vectors reach, cell by cell, on the netlist that was fabricated.
//
// What is simulated and proved is the matter of packages stuckat and untestable. Here the vectors of a tile come
// together with the netlist, and what was found becomes a report.
package cells

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/tile"
	"utfbench/transport"
)

// Vectors returns the jobs' vectors that apply to a tile, with the reference's samples. The error is the bench's: an
// illegal vector, or a failing reference.
func Vectors(ctx context.Context, t tile.Tile, jobs []driver.Job) ([]stuckat.Vector, error) {
	var all []stuckat.Vector
	for _, j := range jobs {
		v := j.Vector
		if !v.Holds(t.Revision()) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.Lint(v.Steps); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", j.File, v.Line, err)
		}
		one, err := Vector(t, v.Name, v.Suite(), v.Steps)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Vector returns steps with the samples of a tile's reference.
func Vector(t tile.Tile, name, suite string, steps []transport.Step) (stuckat.Vector, error) {
	v := stuckat.Vector{Suite: suite, Name: name, Steps: steps, Want: make([]transport.Sample, len(steps))}
	if err := tile.Expect(t, steps, v.Want); err != nil {
		return v, fmt.Errorf("cannot determine the expected samples: %w", err)
	}
	return v, nil
}

// A Model is a kind of fault at a pin.
type Model string

// Models.
const (
	StuckAt    Model = "stuck-at"
	Transition Model = "transition" // slow to rise, slow to fall
)

// A Method is how faults are measured.
type Method struct {
	Model Model

	// Prove says that it is proved too, in up to a minute, of faults that act in some state that the chip does not
	// get into such a state.
	Prove bool
}

func (m Model) classes(n *netlist.Netlist) []stuckat.Class {
	if m == Transition {
		return stuckat.SlowClasses(n)
	}
	return stuckat.Classes(n)
}

// Measure simulates all faults on at least one vector, and proves which undetected ones are untestable: a pin that is
// untestable when stuck is so when slow. The error is a *stuckat.Other, which tells whether the netlist is another
// revision's, or ctx's.
func Measure(ctx context.Context, t tile.Tile, n *netlist.Netlist, how Method,
	vectors []stuckat.Vector) (*Report, error) {
	classes := how.Model.classes(n)
	findings, err := stuckat.Simulate(ctx, n, classes, vectors)
	if err != nil {
		return nil, hint(ctx, t, n, vectors, err)
	}
	never := make([]bool, len(classes))
	var open []int
	for i := range findings {
		if !findings[i].Acts { // what acts on some frame has an assignment, and no proof
			open = append(open, i)
		}
	}
	p := proof{ctx, t, n, classes, never, stepsForStates}
	if err := p.inAnyState(open); err != nil {
		return nil, err
	}
	if how.Prove {
		open = slices.DeleteFunc(open, func(i int) bool { return never[i] || findings[i].Contends })
		if err := p.after(open, vectors); err != nil {
			return nil, err
		}
	}
	r := newReport(t, n, vectors, classes, findings, never)
	r.Model = how.Model
	return r, nil
}

// hint adds to the error of a netlist that is not this tile's the revision that it is of, if it is one.
func hint(ctx context.Context, t tile.Tile, n *netlist.Netlist, vectors []stuckat.Vector, err error) error {
	var other *stuckat.Other
	if !errors.As(err, &other) {
		return err
	}
	for _, o := range t.Others() {
		var theirs []stuckat.Vector
		for _, v := range vectors {
			if v, err := Vector(o, v.Name, v.Suite, v.Steps); err == nil {
				theirs = append(theirs, v)
			}
		}
		if stuckat.Check(ctx, n, theirs) == nil && len(theirs) > 0 {
			return failure.Usagef("%w; it does what %s shows: give --revision %s", err, o.Revision(), o.Revision())
		}
	}
	return failure.Usage(err)
}
