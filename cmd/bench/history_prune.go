package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
)

func newHistoryPrune(d *design) *cobra.Command {
	var runs runFinder
	var keep int
	var age time.Duration
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the recordings and vector lists of old runs",
		Long: `prune removes the recordings of old runs, and the lists of their vectors that were not PASS. The
runs themselves stay in the history, with their verdicts. With both flags a run has to be old by
both.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed
			switch {
			case !given("keep") && !given("older-than"):
				return failure.Usagef("nothing says what to prune: give --keep N or --older-than DURATION")
			case keep < 0:
				return failure.Usagef("--keep %d: has to be 0 or more", keep)
			case age < 0:
				return failure.Usagef("--older-than %s: has to be 0 or more", age)
			}
			h, err := runs.Open()
			if err != nil {
				return err
			}
			n, bytes, err := h.Prune(keep, time.Now().Add(-age))
			if err != nil {
				return benchFault(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(),
				"recordings pruned: %d, %d kB; the verdicts stay in the history\n", n,
				(bytes+999)/1000)
			return err
		},
	}
	runs.flags(cmd, d)
	cmd.Flags().IntVar(&keep, "keep", 0, "keep the latest N runs")
	cmd.Flags().DurationVar(&age, "older-than", 0, "keep runs that began within this time, e.g. 720h for 30 days")
	return cmd
}
