package native

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"utfbench/cause/cells"
	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// A Strength grades vectors by the gates of a tile: which faults they would have shown.
type Strength struct {
	files.Set
	Netlist string // the file of the gates; "" is the tile's reference
	station.Draws
	Verbose        bool   // list each fault
	JSON, Shortest string // files by path; "" is none

	Head    document.Head
	Working func(what func() string) (done func())
}

// OpenNetlist compiles the netlist that --netlist names.
func OpenNetlist(path string) (*gates.Design, error) {
	d, _, err := gates.OpenFile(path, "", nil)
	if err == nil {
		err = d.Judgeable(path)
	}
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--netlist: %w", err))
	}
	return d, nil
}

// Grade grades vectors of a tile, which choose returns, prints the result, and writes the files.
func (s *Strength) Grade(ctx context.Context, w io.Writer, choose func() (tile.Tile, []driver.Job, error)) (
	_ *driver.Strength, err error) {
	var kept, list []string
	if s.Shortest != "" {
		if kept, err = plan.ReadNames(s.Shortest); err != nil {
			return nil, fmt.Errorf("--shortest: %w", err)
		}
	}
	save, err := files.Begin(&s.Set, files.Output[*station.Strength]{Flag: "--json", Path: s.JSON,
		Write: func(of *station.Strength, w io.Writer) error { return document.Write(w, of) }},
		files.Output[*station.Strength]{Flag: "--shortest", Path: s.Shortest,
			Write: func(_ *station.Strength, w io.Writer) error {
				_, err := fmt.Fprintf(w, "# %d vectors that find all stuck-at faults of the tile's cells that any "+
					"vector finds.\n%s\n", len(list), strings.Join(list, "\n"))
				return err
			}})
	if err != nil {
		return nil, err
	}
	t, jobs, err := choose()
	if err != nil {
		return nil, err
	}
	vectors, err := cells.Vectors(ctx, t, jobs)
	if err != nil {
		return nil, failure.New(failure.Bench, err)
	}
	d, err := s.gates(t)
	if err != nil {
		return nil, err
	}
	if len(vectors) == 0 {
		return nil, failure.Newf(failure.Nothing, "no vector is selected: bench vectors shows the suites")
	}
	var graded atomic.Pointer[string]
	graded.Store(new("simulating faults"))
	done := s.Working(func() string { return *graded.Load() })
	got, err := station.Grade(ctx, t, d, vectors, s.Draws, func(done, of int) {
		stage := fmt.Sprintf("simulating faults: %d of %d graded", done, of)
		if done == of {
			stage += "; now proofs"
		}
		graded.Store(&stage)
	})
	done()
	if err != nil {
		return nil, failure.New(failure.Bench, err)
	}
	of := station.NewStrength(s.Head, t, s.Netlist, vectors, got)
	of.Text(w, s.Verbose)
	if s.Shortest != "" {
		if list, err = got.Faults.Shortest(ctx, vectors, kept); err != nil {
			return nil, err
		}
		fmt.Fprintf(w, "\n%s: %d of %d vectors, find %d classes of faults, as all do\n", s.Shortest, len(list),
			len(vectors), got.Faults.Count(grade.Found))
	}
	return of.Strength, save(of)
}

// gates returns the gates of the netlist, or of the tile.
func (s *Strength) gates(t tile.Tile) (*gates.Design, error) {
	own := station.GatesOf(t)
	switch {
	case s.Netlist != "":
		return OpenNetlist(s.Netlist)
	case gates.Missing(t) != nil:
		return nil, fmt.Errorf("%s has no gates to grade: %w", t.Name(), gates.Missing(t))
	case own == nil:
		return nil, failure.Usagef("the reference of %s has no gates, so its faults are unknown: give its netlist "+
			"with --netlist FILE; docs/coverage.md says where it is", t.Name())
	}
	return own.Design, nil
}
