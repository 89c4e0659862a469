package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/files"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport"
)

type shmooOptions struct {
	target    target
	selected  selection
	x, y      string
	count     int
	svg, json string
	tagTexts  []string
	said      files.Tags
}

func newShmoo(d *design) *cobra.Command {
	var o shmooOptions
	cmd := &cobra.Command{
		Use:   "shmoo",
		Short: "Draw the times at which a chip passes",
		Long: `shmoo runs vectors under each setting of one or two of the transport's knobs, and draws which passed:
pulse is the least length of each half of a clock pulse, settle how long changed levels are left at
least (mock, gpio, a demo board with an RP2040). At speed there are period, sample and lead as well, see
--at.

Exit codes: 0 all cells were measured, whatever they showed; 5 no vector is for this chip. After 3 and 130 what was
measured is drawn and written, and marked as incomplete.`,
		Example: `  bench shmoo -x pulse=10ns..1us -y settle=0..100ns/6 --fault fmax=10MHz --fault uio3=setup:40ns
  bench shmoo -x period=10ns..100ns/40 -y sample=0..50ns/20 --fault uo3=delay:25ns`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	o.selected.flags(cmd, d)
	tagFlag(cmd.Flags(), &o.tagTexts)
	f := cmd.Flags()
	f.StringVarP(&o.x, "xaxis", "x", "pulse=200ns..2us", "the knob to the right, KNOB=LOW..HIGH[/POINTS]; "+
		"default with --at: "+fastAxis)
	f.StringVarP(&o.y, "yaxis", "y", "", "the knob upwards (default: none)")
	f.Var(cli.AtLeast(&o.count, 3, 1), "count", "run the vectors N times in each cell, to tell FLAKY from FAIL")
	f.StringVar(&o.svg, "svg", "", "draw it into this file, in the colours of the web page that it is put into")
	f.StringVar(&o.json, "json", "", "write it into this file, for other programs; "+standardWords)
	return cmd
}

// fastAxis is the default axis for a chip at speed.
const fastAxis = "period=20ns..200ns"

func (o *shmooOptions) run(cmd *cobra.Command) (err error) {
	if o.said, err = parseTags(o.tagTexts); err != nil {
		return err
	}
	if o.target.Speed.Clock != "" && !cmd.Flags().Changed("xaxis") {
		o.x = fastAxis
	}
	grid, err := timing.ParseGrid(o.x, o.y)
	if err != nil {
		return err
	}
	out := files.Set{Out: standard(cmd, o.svg, o.json)}
	defer out.Discard()
	draw, err := files.CreateOutputs(&out, files.Output[*timing.Grid]{Flag: "--svg", Path: o.svg,
		Write: (*timing.Grid).WriteSVG},
		files.Output[*timing.Grid]{Flag: "--json", Path: o.json, Write: (*timing.Grid).WriteJSON})
	if err != nil {
		return err
	}
	speedy, every := grid.X.AtSpeed() || grid.Y.AtSpeed(), o.selected.SelectsAll()
	jobs, err := o.jobs(cmd.Context(), every && !speedy)
	if err != nil {
		return err
	}
	if speedy {
		o.target.atSpeed()
	}
	return o.target.withChip(cmd, func(c *station.Chip) error {
		if every && speedy {
			done := o.target.ShowActivity("choosing vectors")
			jobs, err = timing.ChooseJobs(cmd.Context(), c.Tile, jobs)
			if done(); err != nil {
				return cmp.Or(cmd.Context().Err(), benchFault(err))
			}
		}
		bar := o.target.progress.NewBar(len(grid.Cells), "cells")
		r := timing.ShmooRunner{Jobs: jobs, Count: o.count, Insist: o.target.Insist, Progress: bar.Set}
		set := func(knob string) bool {
			return cmd.Flags().Changed(strings.Replace(knob, transport.PeriodKnob, "at", 1))
		}
		begun, err := native.MeasureShmoo(cmd.Context(), c, &r, grid, version(), o.said, set)
		bar.End()
		if begun {
			return cmp.Or(benchFault(grid.WriteAll(cmd.OutOrStdout(), draw)), err)
		}
		return err
	})
}

// jobs returns the selected vectors: if few is set, a few that move every line, unless the tile has none of those.
func (o *shmooOptions) jobs(ctx context.Context, few bool) ([]driver.Job, error) {
	if few {
		o.selected.Match = timing.EveryLinePattern
		if jobs, err := o.selected.jobs(ctx); err != nil || len(jobs) > 0 {
			return jobs, err
		}
		o.selected.Match = ""
	}
	return o.selected.some(ctx)
}
