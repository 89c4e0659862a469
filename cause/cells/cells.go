// Package cells finds the cell inside a chip that explains a failing run, by the gates that were fabricated.
//
// # Method
//
// Package grade lists the stuck-at faults of the cells' pins and simulates them. All are held against the first
// differences of a sample of the vectors, of which a fault must show each, and none before; the best are compared bit
// by bit, on ever more vectors. If no pin explains all of the run, bridges of two nets are tried in the same way: those
// whose nets have the levels that a bridge needs where the chip went wrong.
//
// Each vector starts in an unknown state, and what a fault shows whatever that state is speaks for it or against it. A
// fault that keeps the chip from its reset leaves most levels unknown: if nothing contradicts it, it is also tried from
// the states all 0 and all 1.
package cells

import (
	"context"
	"errors"
	"fmt"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// Vectors returns the jobs' vectors that apply to a tile, with the reference's samples. The error is the bench's: an
// illegal vector, or a failing reference.
func Vectors(ctx context.Context, t tile.Tile, jobs []driver.Job) ([]grade.Vector, error) {
	var all []grade.Vector
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
		one, err := vector(t, v.Name, v.Steps)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// vector returns steps with the samples of a tile's reference.
func vector(t tile.Tile, name string, steps []transport.Step) (grade.Vector, error) {
	v := grade.Vector{Name: name, Steps: steps, Want: make([]transport.Sample, len(steps))}
	if err := tile.Expect(t, steps, v.Want); err != nil {
		return v, fmt.Errorf("cannot determine the expected samples: %w", err)
	}
	return v, nil
}

// Hint adds to the error of gates that are not a tile's (a *grade.Mismatch) the revision that they are of, if it is
// one. Other errors are returned as they are.
func Hint(t tile.Tile, l *grade.List, vectors []grade.Vector, err error) error {
	var mismatch *grade.Mismatch
	if !errors.As(err, &mismatch) {
		return err
	}
	for _, o := range t.Others() {
		var theirs []grade.Vector
		for _, v := range vectors {
			if v, err := vector(o, v.Name, v.Steps); err == nil {
				theirs = append(theirs, v)
			}
		}
		if len(theirs) > 0 && l.Check(theirs) == nil {
			return failure.Usagef("%w; it does what %s shows: give --revision %s", err, o.Revision(), o.Revision())
		}
	}
	return err
}
