package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/history"
)

func newHistory(d *design) *cobra.Command {
	var f history.Filter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the runs so far",
		Long: `history lists the runs so far, the latest first. bench run adds each run, unless it
replays a recording, has --no-history, or ends before the first vector.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := d.runs.Open()
			if err != nil {
				return err
			}
			return benchFault(write(cmd, asJSON, func(w io.Writer) error { return history.WriteTable(w, from, f) },
				func(w io.Writer) error { return history.WriteJSON(w, from, f) }))
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.Board, "board", "", "only runs of this board: a pin map by name")
	fs.VarP(cli.AtLeast(&f.Limit, 20, 0), "number", "n", "at most the latest N; 0: all")
	fs.BoolVar(&asJSON, "json", false, "every run as a JSON object, one a line")
	cmd.AddCommand(newHistoryPrune(d))
	return cmd
}

func newHistoryPrune(d *design) *cobra.Command {
	var keep int
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the steps and samples of old runs, and keep their verdicts",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("keep") {
				return failure.Usagef("say what to prune: give --keep N")
			}
			h, err := d.runs.Open()
			if err != nil {
				return err
			}
			n, bytes, err := h.Prune(keep)
			if err != nil {
				return benchFault(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "recordings pruned: %d, %d kB; the verdicts stay in the history\n",
				n, (bytes+999)/1000)
			return err
		},
	}
	cmd.Flags().Var(cli.AtLeast(&keep, 0, 0), "keep", "keep the latest N runs")
	return cmd
}
