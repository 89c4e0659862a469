package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/runs/lot"
)

func newHistoryYield(d *design) *cobra.Command {
	var runs runFinder
	var f history.Filter
	var by string
	var within time.Duration
	var asJSON, ofLab bool
	cmd := &cobra.Command{
		Use:   "yield",
		Short: "Count the boards that passed, by day, week or board",
		Long: `yield counts the runs of the history: of the boards that were judged how many passed in their first
run, and how many in their first run or in a retest, with the 95 % intervals. A board counts once
a day for the same vectors; what it was asked after that on the day is a retest. Runs that ended
in ERROR or WIRING say nothing of a chip, and those of models are left out. A board is known by
its id, and without one by the way to it. With --lab it counts the runs that were handed in to the
lab.

Exit codes: 0 told, 2 bad input, 3 the history cannot be read.`,
		Example: `  bench history yield
  bench history yield --by week --of utf --board tt-demo-rp2040
  bench history yield --lab --within 720h`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(lot.Bys, by) {
				return failure.Usagef("--by %s: has to be one of %s", by, strings.Join(lot.Bys, ", "))
			}
			var since time.Time
			switch {
			case within < 0:
				return failure.Usagef("--within %s: has to be more than 0, e.g. 720h for 30 days", within)
			case within > 0:
				since = time.Now().Add(-within)
			}
			return runs.look(cmd, ofLab, func(from history.Source) error {
				past, err := lot.NewPast(from.Runs(f), by, since)
				if err != nil {
					return err
				}
				if asJSON {
					return past.JSON(cmd.OutOrStdout(), version())
				}
				return past.Text(cmd.OutOrStdout())
			})
		},
	}
	runs.flags(cmd, d)
	fs := cmd.Flags()
	fs.StringVar(&by, "by", lot.Bys[0], "a line for each `PERIOD` or board: "+strings.Join(lot.Bys, ", "))
	fs.StringVar(&f.Board, "board", "", "only runs of this board, by name")
	fs.StringVar(&f.Tile, "of", "", "only runs of this tile, by name")
	fs.StringVar(&f.Device, "device", "", "only runs of this device, by its id")
	fs.DurationVar(&within, "within", 0, "only runs that began within this time, e.g. 720h for 30 days")
	ofLabFlag(fs, &ofLab)
	jsonFlag(cmd, &asJSON)
	return cmd
}
