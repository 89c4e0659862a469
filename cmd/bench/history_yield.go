package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/runs/history"
	"utfbench/runs/lot"
)

func newHistoryYield() *cobra.Command {
	var runs runFinder
	var f history.Filter
	var by string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "yield",
		Short: "Say how many boards passed, by day, week or board",
		Long: `yield counts the runs of the history: of the boards that were judged how many passed in their first
run, and how many in their first run or in a retest, with the 95 % intervals. A board counts once
a day for the same vectors; what it was asked after that on the day is a retest. Runs that ended
in ERROR or WIRING say nothing of a chip, and those of models are left out. A board is known by
its id, and without one by the way to it.

Exit codes: 0 told, 2 bad input, 3 the history cannot be read.`,
		Example: `  bench history yield
  bench history yield --by week --of utf --board tt-demo-rp2040`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(lot.Bys, by) {
				return fmt.Errorf("--by %s: has to be one of %s", by, strings.Join(lot.Bys, ", "))
			}
			h, err := runs.Open()
			if err != nil {
				return err
			}
			defer h.Close()
			past, err := lot.NewPast(h.Runs(f), by)
			if err != nil {
				return benchFault(err)
			}
			if asJSON {
				err = past.JSON(cmd.OutOrStdout(), version())
			} else {
				err = past.Text(cmd.OutOrStdout())
			}
			if err != nil {
				return benchFault(err)
			}
			return nil
		},
	}
	runs.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&by, "by", lot.Bys[0], "a line for each `PERIOD` or board: "+strings.Join(lot.Bys, ", "))
	fs.StringVar(&f.Board, "board", "", "only runs of this board, by name")
	fs.StringVar(&f.Tile, "of", "", "only runs of this tile, by name")
	fs.StringVar(&f.Device, "device", "", "only runs of this device, by its id")
	jsonFlag(cmd, &asJSON)
	return cmd
}
