package main

import (
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/history"
)

func newHistory(d *design) *cobra.Command {
	var runs runFinder
	var f history.Filter
	var asJSON, ofLab bool
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the runs so far",
		Long: `history lists the runs so far, the latest first. Every bench run is entered, but for those that
are answered by replay, with --no-history, or ended before the first vector for another reason
than the wires. With --lab it lists the runs that were handed in to the lab, and by which key.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Last < 1 {
				return failure.Usagef("-n %d: has to be 1 or more", f.Last)
			}
			if strings.Contains(f.Board, "/") { // a board of a lab, as -t lab:HOST/BOARD names it
				f.Transport, f.Board = "lab:"+strings.TrimPrefix(f.Board, "lab:"), ""
			}
			return runs.look(cmd, ofLab, func(from history.Source) error {
				if asJSON {
					return history.JSON(cmd.OutOrStdout(), from, f, false)
				}
				return history.Table(cmd.OutOrStdout(), from, f)
			})
		},
	}
	runs.flags(cmd, d)
	fs := cmd.Flags()
	fs.StringVar(&f.Board, "board", "", "only runs of this board: a pin map by name, or HOST/BOARD of a lab")
	fs.StringVar(&f.Tile, "of", "", "only runs of this tile, by name")
	fs.StringVar(&f.Device, "device", "", "only runs of this device, by its id")
	fs.IntVarP(&f.Last, "number", "n", 20, "at most the latest N")
	ofLabFlag(fs, &ofLab)
	fs.BoolVar(&asJSON, "json", false, "every run as a JSON object, one a line")
	cmd.AddCommand(newHistoryShow(d), newHistoryCompare(d), newHistoryExport(d), newHistoryPrune(d),
		newHistoryYield(d))
	return cmd
}
