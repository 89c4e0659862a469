package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/shmoo"
	"utfbench/internal/files"
)

// shmooOptions are the flags of bench shmoo.
type shmooOptions struct {
	target              target
	selected            selection
	x, y                string
	count               int
	svg, png, csv, json string
	tagged              tagging
}

func newShmoo() *cobra.Command {
	var o shmooOptions
	cmd := &cobra.Command{
		Use:   "shmoo",
		Short: "Measure under which times a chip passes",
		Long: `shmoo runs vectors under each setting of one or two of the transport's knobs, and draws which
passed: pulse is how long each half of a clock pulse lasts at least, settle how long changed
levels are left at least. It can set what the transport controls and nothing else: mock (where
only the faults fmax and setup see it), gpio, and a demo board with an RP2040 have knobs; a
simulation has none.

Exit codes: 0 all cells were measured, whatever they showed; 2 bad input, or no such knob; 3 the
bench could not measure; 5 no vector is for this chip; 130 interrupted. What was measured until
then is drawn and written, and marked as not whole.`,
		Example: `  bench shmoo -x pulse=10ns..1us -y settle=0..100ns/6 --fault fmax=10MHz --fault uio3=setup:40ns`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	cmd.AddCommand(newShmooCompare())
	o.target.flags(cmd)
	o.selected.flags(cmd)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.x, "xaxis", "x", "pulse=20ns..2us", "the knob to the right, KNOB=LOW..HIGH[/POINTS]")
	f.StringVarP(&o.y, "yaxis", "y", "", "the knob upwards (default: none)")
	f.IntVar(&o.count, "count", 3, "run the vectors this often in each cell, to tell FLAKY from FAIL")
	f.StringVar(&o.svg, "svg", "", "draw it into this file, in the colours of the web page that it is put into")
	f.StringVar(&o.png, "png", "", "draw it into this file")
	f.StringVar(&o.csv, "csv", "", "write a line for each cell into this file")
	f.StringVar(&o.json, "json", "", "write it into this file, for other programs")
	return cmd
}

func (o *shmooOptions) run(cmd *cobra.Command) error {
	if o.count < 1 {
		return fmt.Errorf("--count %d: has to be 1 or more", o.count)
	}
	said, err := o.tagged.tags()
	if err != nil {
		return err
	}
	grid, err := shmoo.Parse(o.x, o.y)
	if err != nil {
		return err
	}
	if o.selected.Match == "" && len(o.selected.Suites)+len(o.selected.Files) == 0 {
		o.selected.Match = shmoo.EveryLine
	}
	jobs, err := o.selected.Jobs()
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return errNothing
	}
	var out files.Set
	defer out.Discard()
	draw, err := o.begin(&out)
	if err != nil {
		return err
	}
	c, err := o.target.open(cmd)
	if err != nil {
		return err
	}
	defer c.leave()
	bar := newBar(len(grid.Cells), "cells")
	bar.began = time.Time{} // it is shown at once, since a cell takes its time
	b := shmoo.Runner{Transport: c.Transport, Tile: c.Tile, Jobs: jobs, Count: o.count,
		Progress: func(done, _ int) { bar.at(done) }}
	if err := b.Check(grid); err != nil {
		return err
	}
	grid.About = b.About(version(), c.Board.Name)
	grid.About.Tags = c.Measured.With(said)
	merr := b.Measure(cmd.Context(), grid)
	if cerr := c.Close(); cerr != nil && merr == nil {
		merr = fmt.Errorf("parking the chip: %w", cerr)
	}
	if errors.Is(merr, shmoo.ErrNothing) {
		return &exit{exitNothing, merr}
	}
	if err := grid.Tell(cmd.OutOrStdout(), draw...); err != nil {
		return benchFault(err)
	}
	if merr != nil {
		return c.stopped(cmd.Context(), merr)
	}
	if trouble := grid.Trouble(); trouble != "" {
		return benchFault(fmt.Errorf("ERROR cells say nothing about the chip: %s", trouble))
	}
	return nil
}

// begin begins the files that were asked for, and gives what draws into each.
func (o *shmooOptions) begin(out *files.Set) (draw []func(*shmoo.Grid) error, err error) {
	for _, f := range []struct {
		flag, path string
		write      func(*shmoo.Grid, io.Writer) error
	}{{"--svg", o.svg, (*shmoo.Grid).SVG}, {"--png", o.png, (*shmoo.Grid).PNG}, {"--csv", o.csv, (*shmoo.Grid).CSV},
		{"--json", o.json, (*shmoo.Grid).JSON}} {
		if f.path == "" {
			continue
		}
		file, err := out.Create(f.flag, f.path, 0)
		if err != nil {
			return nil, err
		}
		draw = append(draw, func(g *shmoo.Grid) error { return f.write(g, file) })
	}
	return append(draw, func(*shmoo.Grid) error { return out.Commit() }), nil
}
