package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/export"
	"utfbench/tile"
)

type exportOptions struct {
	selected selection
	revision string
	file     string
}

func newExport(d *design) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export vectors as a Verilog testbench",
		Long: `export writes vectors as one file of plain Verilog, a testbench that checks itself: it does to a tile
what -t verilog does, and compares each step with what the tile's reference shows.

Exit codes: 0 all is written, 3 a vector must not reach a chip, or the bench could not write, 5 nothing was
selected.`,
		Example: `  bench export --suite chip --verilog chip_tb.v
  iverilog -g2012 -o tb chip_tb.v src/*.v && vvp tb`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.selected.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.file, "verilog", "", "write the testbench to this file; - is standard output")
	f.StringVar(&o.revision, "revision", "", "revision of the chip that is expected (default: the newest)")
	f.Uint64Var(&o.selected.Seed, "seed", 1, "seed for --random")
	return cmd
}

// run writes the complete testbench or nothing.
func (o *exportOptions) run(cmd *cobra.Command) error {
	if o.file == "" {
		return failure.Usagef("say where to write the testbench: give --verilog FILE")
	}
	s := o.selected.of()
	t, err := tile.WithRevision(s.Tile, o.revision)
	if err != nil {
		return err
	}
	p, err := s.Plan(1)
	if err != nil {
		return err
	}
	if p.Vectors == 0 {
		return s.NoVectorError()
	}
	set := files.Set{Out: standard(cmd, o.file)}
	defer set.Discard()
	b := export.Testbench{Tile: t, Digest: p.Digest, BenchVersion: version()}
	save, err := files.CreateOutputs(&set, files.Output[*export.Testbench]{Flag: "--verilog", Path: o.file,
		Write: func(b *export.Testbench, w io.Writer) error {
			if err := b.Write(cmd.Context(), w, p.Iterations); err != nil || !b.IsEmpty() {
				return benchFault(err)
			}
			return failure.Newf(failure.Nothing, "there is nothing to write %s", b.OmissionNote())
		}})
	if err != nil {
		return err
	}
	done := o.selected.design.ShowActivity("exporting")
	err = save(&b)
	done()
	if err != nil {
		return err
	}
	line := fmt.Sprintf("%s: %s", o.file, &b)
	if o.file != files.StandardStream {
		line += "; to run it: " + export.SimulationCommand(o.file, t)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
	return err
}
