package native

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/export"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
)

// An Export writes vectors or runs for other programs. Call Commit at the end, and Discard.
type Export struct {
	files.Set
	Verilog, CSV string // files by path; "" is none
	Selected     *plan.Selection
	Version      string // the version of this program

	to *export.Exporter
}

// WriteVectors exports the selected vectors of a tile.
func (x *Export) WriteVectors(ctx context.Context, t tile.Tile) error {
	p, err := x.Selected.Plan(1)
	if err != nil {
		return err
	}
	if p.Vectors == 0 {
		return x.Selected.NothingError()
	}
	if err := x.begin(export.About{Tile: t, From: "vectors of " + t.Name(), Digest: p.Digest}, 0); err != nil {
		return err
	}
	return failure.New(failure.Bench, x.to.AddJobs(ctx, p.Iterations))
}

// WriteRuns exports the selected executions of recordings with the names of the runs. It notes incomplete recordings.
func (x *Export) WriteRuns(ctx context.Context, names []string, all []*station.Chip, note io.Writer) error {
	start := &all[0].Recording.Start
	from := fmt.Sprintf("a run of %s, recorded at %s by bench %s", start.Transport, start.Time.Format(time.RFC3339),
		start.Bench)
	if err := x.begin(export.About{Tile: all[0].Tile, From: from, Digest: start.Digest}, len(all)); err != nil {
		return err
	}
	for i, c := range all {
		keep, err := x.keep(c)
		if err != nil {
			return err
		}
		if c.Recording.CutReason != "" {
			fmt.Fprintf(note, "bench: %s is incomplete: %s\n", names[i], c.Recording.CutReason)
		}
		x.to.Tile = c.Tile
		if err := x.to.AddRecording(ctx, names[i], c.Recording, keep); err != nil {
			return failure.New(failure.Bench, err)
		}
	}
	return failure.New(failure.Bench, x.to.End())
}

// keep returns which executions are selected; nil for all of them, which needs no vectors.
func (x *Export) keep(c *station.Chip) (func(*report.Execution) bool, error) {
	s := x.Selected
	if len(s.Suites) == 0 && s.Match == "" {
		return nil, nil
	}
	s.Tile = c.Tile
	r, err := s.PlanReplay(c.Recording)
	if err != nil {
		return nil, err
	}
	return r.Keep, nil
}

// begin begins the files for a number of runs.
func (x *Export) begin(about export.About, runs int) error {
	about.Bench, x.to = x.Version, &export.Exporter{Tile: about.Tile}
	for _, f := range []struct {
		flag, path string
		format     func(io.Writer) export.Format
	}{
		{"--verilog", x.Verilog, func(w io.Writer) export.Format { return export.NewVerilog(w, about) }},
		{"--csv", x.CSV, func(w io.Writer) export.Format { return export.NewCSV(w, runs) }},
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
func (x *Export) Commit(runs []string) (said []string, err error) {
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
			line += "; to run it: " + export.SimulationCommand(strings.TrimPrefix(printable.Command(x.Verilog),
				"bench "))
		}
		said = append(said, line)
	}
	if x.CSV != "" {
		said = append(said, fmt.Sprintf("%s: %s", x.CSV, x.to))
	}
	return said, failure.New(failure.Bench, x.Set.Commit())
}
