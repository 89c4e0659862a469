package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/terminal"
	"utfbench/station/native"
	"utfbench/transport/burst"
)

// shmooOptions are the flags of bench shmoo.
type shmooOptions struct {
	target         target
	selected       selection
	x, y           string
	count          int
	quick          bool
	svg, csv, json string
	tagged         tagging
}

func newShmoo(d *design) *cobra.Command {
	var o shmooOptions
	cmd := &cobra.Command{
		Use:   "shmoo",
		Short: "Draw the times at which a chip passes",
		Long: `shmoo runs vectors under each setting of one or two of the transport's knobs, and draws which
passed: pulse is how long each half of a clock pulse lasts at least, settle how long changed
levels are left at least. mock (where only faults of timing see it), gpio, and a demo board with
an RP2040 have those; a simulation has no knobs. Where a chip can be asked at speed there are
period (or frequency), sample and lead as well, see --at. exec:COMMAND is a command of yours that
sets a supply, a chamber or whatever else; where it fails the cell is ERROR.

Exit codes: 0 all cells were measured, whatever they showed; 2 bad input, or no such knob; 3 the
bench could not measure; 5 no vector is for this chip; 130 interrupted. What was measured until
then is drawn and written, and marked as not whole.`,
		Example: `  bench shmoo -x pulse=10ns..1us -y settle=0..100ns/6 --fault fmax=10MHz --fault uio3=setup:40ns
  bench shmoo -x period=10ns..100ns/40 -y sample=0..50ns/20 --quick --fault uo3=delay:25ns
  bench shmoo -t rp2040 -x pulse=136ns..1us -y exec:'psu set {}'=1.6..1.9/7`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	cmd.AddCommand(newShmooCompare())
	o.target.flags(cmd, d)
	o.selected.flags(cmd, d)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.x, "xaxis", "x", "pulse=200ns..2us", "the knob to the right, KNOB=LOW..HIGH[/POINTS]; "+
		"exec:COMMAND=LOW..HIGH runs a command of yours, with the number in place of each {}")
	f.StringVarP(&o.y, "yaxis", "y", "", "the knob upwards (default: none)")
	f.BoolVar(&o.quick, "quick", false, "leave out cells between others that all show the same")
	f.IntVar(&o.count, "count", 3, "run the vectors this often in each cell, to tell FLAKY from FAIL")
	f.StringVar(&o.svg, "svg", "", "draw it into this file, in the colours of the web page that it is put into")
	f.StringVar(&o.csv, "csv", "", "write a line for each cell into this file")
	f.StringVar(&o.json, "json", "", "write it into this file, for other programs; "+standardWords)
	return cmd
}

func (o *shmooOptions) run(cmd *cobra.Command) error {
	if o.count < 1 {
		return failure.Usagef("--count %d: has to be 1 or more", o.count)
	}
	said, err := o.tagged.tags()
	if err != nil {
		return err
	}
	grid, err := shmoo.Parse(o.x, o.y)
	if err != nil {
		return err
	}
	speedy := grid.X.AtSpeed() || grid.Y.AtSpeed()
	choose := o.selected.All()
	if choose && !speedy {
		o.selected.Match = shmoo.EveryLine
	}
	jobs, err := o.selected.Jobs()
	if err != nil {
		return err
	}
	if choose && len(jobs) == 0 { // another tile has vectors of its own
		o.selected.Match = ""
		if jobs, err = o.selected.Jobs(); err != nil {
			return err
		}
	}
	if len(jobs) == 0 {
		return o.selected.nothing()
	}
	out := files.Set{Out: standard(cmd, o.svg, o.csv, o.json)}
	defer out.Discard()
	draw, err := files.Begin(&out, files.Output[*shmoo.Grid]{Flag: "--svg", Path: o.svg, Write: (*shmoo.Grid).SVG},
		files.Output[*shmoo.Grid]{Flag: "--csv", Path: o.csv, Write: (*shmoo.Grid).CSV},
		files.Output[*shmoo.Grid]{Flag: "--json", Path: o.json, Write: (*shmoo.Grid).JSON})
	if err != nil {
		return err
	}
	if speedy {
		o.target.atSpeed()
	}
	c, err := o.target.open(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer leave(cmd, c)
	if choose && speedy {
		if jobs, err = timing.Choose(c.Tile, jobs); err != nil {
			return benchFault(err)
		}
	}
	bar := terminal.NewBar(len(grid.Cells), "cells")
	bar.Eager = true // since a cell takes its time
	tell := native.Counted(c, "cells")
	b := shmoo.Runner{Transport: c.Transport, Tile: c.Tile, Jobs: jobs, Count: o.count, Quick: o.quick,
		Insist:   o.target.Insist,
		Progress: func(done, of int) { bar.At(done); tell(done, of, "") }}
	if err := b.Check(grid); err != nil {
		return err
	}
	grid.About = b.About(version(), c.Board.Name)
	grid.About.Tile, grid.About.Device, grid.About.Made = c.Tile.Name(), c.Asked.Device, now()
	grid.About.Transport, grid.About.Tags = c.Slow().String(), c.Measured.With(said)
	for knob, flag := range map[string]string{burst.Period: "at", burst.Sample: "sample", burst.Lead: "lead"} {
		if !cmd.Flags().Changed(flag) { // it is an axis, or follows from one
			delete(grid.About.Tags, knob)
		}
	}
	merr := b.Measure(cmd.Context(), grid)
	if cerr := c.Close(); cerr != nil && merr == nil {
		merr = fmt.Errorf("parking the chip: %w", cerr)
	}
	if errors.Is(merr, shmoo.ErrNothing) {
		return failure.New(failure.Nothing, merr)
	}
	if err := grid.Tell(cmd.OutOrStdout(), draw); err != nil {
		return benchFault(err)
	}
	if merr != nil {
		return stopped(cmd.Context(), merr)
	}
	if trouble := grid.Trouble(); trouble != "" {
		return benchFault(fmt.Errorf("ERROR cells say nothing about the chip: %s", trouble))
	}
	return nil
}
