package export

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/tile"
)

// Files are the files that vectors or runs are exported to. Call Commit at the end, and Discard.
type Files struct {
	files.Set
	Verilog, CSV string // files by path; "" is none
	Selected     *plan.Selection
	Version      string // the version of this program

	to *Exporter
}

// WriteVectors exports the selected vectors of a tile.
func (x *Files) WriteVectors(ctx context.Context, t tile.Tile) error {
	p, err := x.Selected.Plan(1)
	if err != nil {
		return err
	}
	if p.Vectors == 0 {
		return x.Selected.NothingError()
	}
	if err := x.begin(About{Tile: t, Source: "vectors of " + t.Name(), Digest: p.Digest}, 0); err != nil {
		return err
	}
	return failure.New(failure.Bench, x.to.AddJobs(ctx, p.Iterations))
}

// A Run is a recorded run, with the tile that its samples are compared with.
type Run struct {
	Name      string // as the user names it
	Tile      tile.Tile
	Recording *report.Recording
}

// WriteRuns exports the selected executions of runs. It notes incomplete recordings.
func (x *Files) WriteRuns(ctx context.Context, all []Run, note io.Writer) error {
	start := &all[0].Recording.Start
	from := fmt.Sprintf("a run of %s, recorded at %s by bench %s", start.Transport, start.Time.Format(time.RFC3339),
		start.Bench)
	if err := x.begin(About{Tile: all[0].Tile, Source: from, Digest: start.Digest}, len(all)); err != nil {
		return err
	}
	for i := range all {
		r := &all[i]
		keep, err := x.keep(r)
		if err != nil {
			return err
		}
		if r.Recording.CutReason != "" {
			fmt.Fprintf(note, "bench: %s is incomplete: %s\n", r.Name, r.Recording.CutReason)
		}
		x.to.Tile = r.Tile
		if err := x.to.AddRecording(ctx, r.Name, r.Recording, keep); err != nil {
			return failure.New(failure.Bench, err)
		}
	}
	return failure.New(failure.Bench, x.to.End())
}

// keep returns which executions are selected; nil for all of them, which needs no vectors.
func (x *Files) keep(of *Run) (func(*report.Execution) bool, error) {
	s := x.Selected
	if len(s.Suites) == 0 && s.Match == "" {
		return nil, nil
	}
	s.Tile = of.Tile
	r, err := s.PlanReplay(of.Recording)
	if err != nil {
		return nil, err
	}
	return r.Keep, nil
}

// begin begins the files for a number of runs.
func (x *Files) begin(about About, runs int) error {
	about.Bench, x.to = x.Version, &Exporter{Tile: about.Tile}
	for _, f := range []struct {
		flag, path string
		format     func(io.Writer) Format
	}{
		{"--verilog", x.Verilog, func(w io.Writer) Format { return NewVerilog(w, about) }},
		{"--csv", x.CSV, func(w io.Writer) Format { return NewCSV(w, runs) }},
	} {
		if f.path == "" {
			continue
		}
		file, err := x.Create(f.flag, f.path, 0)
		if err != nil {
			return err
		}
		x.to.Formats = append(x.to.Formats, f.format(file))
	}
	return nil
}

// Commit finishes the files and returns a line for each. It names the runs without a selected execution.
func (x *Files) Commit(runs []string) (said []string, err error) {
	switch e := x.to; {
	case e.Vectors == 0 && e.Omitted == 0:
		return nil, failure.Newf(failure.Nothing, "no execution of %s is selected, so there is nothing to write",
			strings.Join(runs, ", "))
	case e.Vectors == 0:
		return nil, failure.Newf(failure.Nothing, "there is nothing to write %s", e.OmissionNote())
	}
	if x.Verilog != "" {
		line := fmt.Sprintf("%s: %s", x.Verilog, x.to)
		if x.Verilog != files.Standard {
			line += "; to run it: " + SimulationCommand(strings.TrimPrefix(printable.Command(x.Verilog),
				"bench "))
		}
		said = append(said, line)
	}
	if x.CSV != "" {
		said = append(said, fmt.Sprintf("%s: %s", x.CSV, x.to))
	}
	return said, failure.New(failure.Bench, x.Set.Commit())
}
