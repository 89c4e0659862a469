// Package cells finds the cell inside a chip that explains a failing run, from the fabricated netlist.
//
// # Method
//
// Package grade lists and simulates the stuck-at faults of the cells' pins. A first pass takes a sample of the vectors,
// and keeps the faults that cause the first difference of most of them and no earlier difference. A second pass
// compares the best faults bit by bit, on more and more vectors.
//
// Each vector starts in an unknown state, so an effect counts only if the fault has it in every state. A fault that
// blocks the reset leaves most levels unknown. If no sample contradicts such a fault, all vectors are also simulated as
// a single vector, as on a chip that stays powered, from the states 0, 1 and unknown.
package cells

import (
	"context"
	"errors"
	"fmt"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// ExpectedVectors returns the jobs' vectors that apply to a tile, with the reference's samples. An error means that a
// vector is illegal or that the reference failed.
func ExpectedVectors(ctx context.Context, t tile.Tile, jobs []driver.Job) ([]grade.Vector, error) {
	var all []grade.Vector
	for _, j := range jobs {
		v := j.Vector
		if !v.AppliesTo(t.Revision()) {
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

func vector(t tile.Tile, name string, steps []transport.Step) (grade.Vector, error) {
	v := grade.Vector{Name: name, Steps: steps, Want: make([]transport.Sample, len(steps))}
	if err := tile.Expect(t, steps, v.Want); err != nil {
		return v, fmt.Errorf("cannot determine the expected samples: %w", err)
	}
	return v, nil
}

// AddRevisionHint returns err. To a *grade.Mismatch of another revision's gates it adds that revision's name.
func AddRevisionHint(t tile.Tile, l *gates.FaultList, vectors []grade.Vector, err error) error {
	if _, is := errors.AsType[*grade.Mismatch](err); !is {
		return err
	}
	for _, o := range t.Others() {
		var theirs []grade.Vector
		for _, v := range vectors {
			if v, err := vector(o, v.Name, v.Steps); err == nil {
				theirs = append(theirs, v)
			}
		}
		if len(theirs) > 0 && grade.FindMismatch(l, theirs) == nil {
			return failure.Usagef("%w; it matches %s: give --revision %s", err, o.Revision(), o.Revision())
		}
	}
	return err
}
