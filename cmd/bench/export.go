package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/export"
	"utfbench/station"
	"utfbench/tile"
)

// exportOptions are the flags of bench export.
type exportOptions struct {
	runs     runFinder
	selected selection
	revision string
	export.Files
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

Exit codes: 0 all is written, 3 a vector must not reach a chip, or the bench could not write, 5 nothing was
selected.`,
		Example: `  bench export --suite chip --verilog chip_tb.v
  iverilog -g2012 -o tb chip_tb.v src/*.v && vvp tb
  bench export last --csv last.csv
  bench export 7 8 9 --csv runs.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.runs.flags(cmd, d)
	o.selected.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.Verilog, "verilog", "", "write a testbench that checks itself to this file; - is standard output")
	f.StringVar(&o.CSV, "csv", "", "write a table to this file, a row for each step; - is standard output")
	f.StringVar(&o.revision, "revision", "", "revision of the chip that is expected (default: the newest; of a RUN, "+
		"its own)")
	f.Uint64Var(&o.selected.Seed, "seed", 1, "seed for --random")
	return cmd
}

func (o *exportOptions) run(cmd *cobra.Command, args []string) (err error) {
	if err := o.check(cmd, args); err != nil {
		return err
	}
	o.Out, o.Selected, o.Version = standard(cmd, o.Verilog, o.CSV), o.selected.of(), version()
	defer o.Discard()
	done := cli.ShowActivity("exporting " + strings.Join(args, ", "))
	if len(args) > 0 {
		err = o.runs.all(args, func(all []*station.Chip) error {
			runs := make([]export.Run, len(all))
			for i, c := range all {
				runs[i] = export.Run{Name: args[i], Tile: c.Tile, Recording: c.Recording}
			}
			return o.WriteRuns(cmd.Context(), runs, cmd.ErrOrStderr())
		})
	} else {
		var t tile.Tile
		if t, err = tile.WithRevision(o.selected.design.Tile, o.revision); err == nil {
			err = o.WriteVectors(cmd.Context(), t)
		}
	}
	done()
	if err != nil {
		return err
	}
	said, err := o.Commit(args)
	if err == nil {
		writeLines(cmd.OutOrStdout(), said)
	}
	return err
}

// check refuses what does not go together.
func (o *exportOptions) check(cmd *cobra.Command, runs []string) error {
	switch {
	case o.Verilog == "" && o.CSV == "":
		return failure.Usagef("say what to write: give --verilog FILE or --csv FILE")
	case o.Verilog != "" && len(runs) > 1:
		return failure.Usagef("--verilog is for one RUN, and here are %d", len(runs))
	case len(runs) > 0:
		for i, run := range runs {
			if slices.Contains(runs[:i], run) {
				return failure.Usagef("run %s is given twice", run)
			}
		}
		return refuseOwn(cmd)
	}
	return nil
}
