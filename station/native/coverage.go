package native

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"utfbench/cause/cells"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
)

// A Coverage grades vectors by the gates of a tile: which faults they would have shown.
type Coverage struct {
	files.Set
	Netlist string // the file of the gates; "" is the tile's reference
	station.MutationDraw
	Verbose   bool              // list each fault
	JSON      string            // a file's path; "" is none
	Recording *report.Recording // that the vectors are of, or nil

	Head         files.DocumentHead
	ShowActivity func(what func() string) (done func())
}

// OpenNetlist compiles the netlist that --netlist names.
func OpenNetlist(path string) (*gates.Design, error) {
	d, _, err := gates.OpenFile(path, "", nil)
	if err == nil {
		err = d.CheckJudgeable(path)
	}
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--netlist: %w", err))
	}
	return d, nil
}

// Grade grades vectors of a tile, which choose returns, prints the result, and writes the files.
func (s *Coverage) Grade(ctx context.Context, w io.Writer, choose func() (tile.Tile, []driver.Job, error)) (
	_ *driver.FaultCoverage, err error) {
	save, err := files.CreateOutputs(&s.Set, files.Output[*station.CoverageReport]{Flag: "--json", Path: s.JSON,
		Write: func(of *station.CoverageReport, w io.Writer) error { return files.WriteDocument(w, of) }})
	if err != nil {
		return nil, err
	}
	t, jobs, err := choose()
	if err != nil {
		return nil, err
	}
	vectors, err := cells.ExpectedVectors(ctx, t, jobs)
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
	done := s.ShowActivity(func() string { return *graded.Load() })
	got, err := station.Grade(ctx, t, d, vectors, s.MutationDraw, func(done, of int) {
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
	of := station.NewCoverageReport(s.Head, t, s.Netlist, vectors, got)
	of.WriteText(w, s.Verbose)
	if r := s.Recording; r != nil && r.End != nil && r.End.Evidence != nil && r.Start.Vectors == len(vectors) &&
		s.Netlist == "" {
		if c := r.End.Evidence.Coverage; c != nil && c.Faults > 0 && of.Coverage.Faults > c.Faults-c.Unsettled {
			fmt.Fprintf(w, "\nThe run estimated it within its budget: %s.\n", c.DetectedShare())
		}
	}
	return of.Coverage, save(of)
}

// gates returns the gates of the netlist, or of the tile.
func (s *Coverage) gates(t tile.Tile) (*gates.Design, error) {
	own := gates.TileOf(t)
	of, _ := gates.ForFaults(t)
	switch {
	case s.Mutants > 0 && (own == nil || own.RTL == nil):
		return nil, failure.Usagef("--mutants changes RTL, and the reference of %s is none: give --tile the sources",
			t.Name())
	case s.Netlist != "":
		return OpenNetlist(s.Netlist)
	case gates.MissingReference(t) != nil:
		return nil, fmt.Errorf("%s has no gates to grade: %w", t.Name(), gates.MissingReference(t))
	case of == nil:
		return nil, failure.Usagef("the reference of %s has no gates, so its faults are unknown: give its netlist "+
			"with --netlist FILE; docs/coverage.md says where it is", t.Name())
	}
	return of.Design, nil
}
