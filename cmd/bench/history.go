package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/runs/history"
)

func newHistory() *cobra.Command {
	var runs runFinder
	var f history.Filter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the runs of chips so far; show, compare, export and prune them",
		Long: `history lists the runs so far, the latest first. Every bench run is entered, but for those that
are answered by replay, with --no-history, or ended before the first vector for another reason
than the wires.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Last < 1 {
				return fmt.Errorf("-n %d: has to be 1 or more", f.Last)
			}
			return listHistory(cmd.OutOrStdout(), &runs, f, asJSON)
		},
	}
	runs.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.Board, "board", "", "only runs of this board, by name")
	fs.StringVar(&f.Tile, "of", "", "only runs of this tile, by name")
	fs.StringVar(&f.Device, "device", "", "only runs of this device, by its id")
	fs.IntVarP(&f.Last, "number", "n", 20, "no more than the latest so many")
	fs.BoolVar(&asJSON, "json", false, "every run as a JSON object, one a line")
	cmd.AddCommand(newHistoryShow(), newHistoryCompare(), newHistoryExport(), newHistoryPrune())
	return cmd
}

func listHistory(w io.Writer, runs *runFinder, f history.Filter, asJSON bool) error {
	h, err := runs.Open()
	if err != nil {
		return err
	}
	defer h.Close()
	if asJSON {
		err = history.JSON(w, h, f, false)
	} else {
		err = history.Table(w, h, f)
	}
	if err != nil {
		return benchFault(err)
	}
	return nil
}
