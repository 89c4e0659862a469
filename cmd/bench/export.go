package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/internal/terminal"
	"utfbench/runs/export"
	"utfbench/runs/record"
	"utfbench/station"
)

// exportOptions are the flags of bench export.
type exportOptions struct {
	runs         runFinder
	selected     selection
	revision     string
	verilog, csv string

	files files.Set
}

func newExport(d *design) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export [RUN...]",
		Short: "Export vectors or runs as a testbench or CSV",
		Long: `export writes vectors for other programs. The testbench is one file of plain Verilog, which checks
itself: it does to a tile what -t verilog does, and compares each step with what the tile's reference
shows. The table has a row for each step.

With RUN it writes the steps of a recorded run, and in the table the chip's samples as well; --suite
and --run take a part of it. Several runs go into one table, with the name and the tags of each.
` + runWords + `

A file called - is standard output.

Exit codes: 0 all is written, 2 bad input, 3 a vector must not reach a chip, or the bench could
not write, 5 nothing was selected, 130 interrupted.`,
		Example: `  bench export --suite chip --verilog chip_tb.v
  iverilog -g2012 -o tb chip_tb.v src/*.v && vvp tb
  bench export last --csv last.csv
  bench export 7 8 9 --csv runs.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.runs.flags(cmd, d)
	o.selected.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.verilog, "verilog", "", "write a testbench that checks itself to this file")
	f.StringVar(&o.csv, "csv", "", "write a table to this file, a row for each step")
	f.StringVar(&o.revision, "revision", "", "revision of the chip that is expected (default: the newest; of a RUN, "+
		"its own)")
	f.Uint64Var(&o.selected.Seed, "seed", 1, "seed for --random")
	return cmd
}

func (o *exportOptions) run(cmd *cobra.Command, args []string) (err error) {
	if err := o.check(args); err != nil {
		return err
	}
	o.files.Out = standard(cmd, o.verilog, o.csv)
	defer o.files.Discard()
	var e *export.Exporter
	done := terminal.Working("exporting " + strings.Join(args, ", "))
	if len(args) > 0 {
		e, err = o.recordings(cmd, args)
	} else {
		e, err = o.vectors(cmd)
	}
	done()
	switch {
	case err != nil:
		return err
	case e.Vectors == 0 && e.LeftOut == 0:
		return failure.Newf(failure.Nothing, "no execution of %s is selected, so there is nothing to write",
			strings.Join(args, ", "))
	case e.Vectors == 0:
		return failure.Newf(failure.Nothing, "there is nothing to write %s", e.Omitted())
	}
	if err := o.files.Commit(); err != nil {
		return benchFault(err)
	}
	o.tell(cmd.OutOrStdout(), e)
	return nil
}

// check refuses what does not go together.
func (o *exportOptions) check(runs []string) error {
	switch {
	case o.verilog == "" && o.csv == "":
		return failure.Usagef("nothing says what to write: give --verilog FILE or --csv FILE")
	case o.verilog != "" && len(runs) > 1:
		return failure.Usagef("--verilog is for one RUN, and here are %d", len(runs))
	}
	for i, run := range runs {
		if slices.Contains(runs[:i], run) {
			return failure.Usagef("run %s is given twice", run)
		}
	}
	return nil
}

// vectors exports the selected vectors.
func (o *exportOptions) vectors(cmd *cobra.Command) (*export.Exporter, error) {
	p, err := o.selected.of().Plan(1)
	if err != nil {
		return nil, err
	}
	if p.Vectors == 0 {
		return nil, o.selected.Nothing()
	}
	t, err := o.selected.design.revision(o.revision)
	if err != nil {
		return nil, err
	}
	e, err := o.exporter(export.About{Tile: t, From: "vectors of " + t.Name(), Digest: p.Digest}, 0)
	if err != nil {
		return nil, err
	}
	return e, benchFault(e.Jobs(cmd.Context(), p.Iterations))
}

// recordings exports the steps of runs, as far as they are selected.
func (o *exportOptions) recordings(cmd *cobra.Command, runs []string) (e *export.Exporter, err error) {
	if err := refuseOwn(cmd); err != nil {
		return nil, err
	}
	err = o.runs.all(runs, func(all []*station.Chip) error {
		start := &all[0].Recording.Start
		from := fmt.Sprintf("a run of %s, recorded at %s by bench %s", start.Transport, start.Time.Format(time.RFC3339),
			start.Bench)
		e, err = o.exporter(export.About{Tile: all[0].Tile, From: from, Digest: start.Digest}, len(runs))
		if err != nil {
			return err
		}
		for i, c := range all {
			keep, err := o.keep(c)
			if err != nil {
				return err
			}
			if c.Recording.Cut != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s is not whole: %s\n", runs[i], c.Recording.Cut)
			}
			if err := e.Run(cmd.Context(), runs[i], c.Tile, c.Recording, keep, i+1 < len(runs)); err != nil {
				return benchFault(err)
			}
		}
		return nil
	})
	return e, err
}

// keep says which executions are selected; nil for all of them, which needs no vectors.
func (o *exportOptions) keep(c *station.Chip) (func(*record.Execution) bool, error) {
	if len(o.selected.Suites) == 0 && o.selected.Match == "" && !o.selected.Smoke {
		return nil, nil
	}
	o.selected.Tile = c.Tile
	r, err := o.selected.Replay(c.Recording)
	if err != nil {
		return nil, err
	}
	return r.Keep, nil
}

// exporter begins the files for a number of runs.
func (o *exportOptions) exporter(about export.About, runs int) (*export.Exporter, error) {
	about.Bench = version()
	e := &export.Exporter{Tile: about.Tile}
	for _, f := range []struct {
		flag, path string
		format     func(io.Writer) export.Format
	}{
		{"--verilog", o.verilog, func(w io.Writer) export.Format { return export.NewVerilog(w, about) }},
		{"--csv", o.csv, func(w io.Writer) export.Format { return export.NewTable(w, runs) }},
	} {
		if f.path == "" {
			continue
		}
		file, err := o.files.Create(f.flag, f.path, 0)
		if err != nil {
			return nil, err
		}
		e.To = append(e.To, f.format(file))
	}
	return e, nil
}

// tell prints a line for each file written.
func (o *exportOptions) tell(w io.Writer, e *export.Exporter) {
	switch o.verilog {
	case "":
	case files.Standard:
		fmt.Fprintf(w, "%s: %s\n", o.verilog, e)
	default:
		name := strings.TrimPrefix(printable.Command(o.verilog), "bench ")
		fmt.Fprintf(w, "%s: %s; to run it: %s\n", o.verilog, e, export.Run(name))
	}
	if o.csv != "" {
		fmt.Fprintf(w, "%s: %s\n", o.csv, e)
	}
}
