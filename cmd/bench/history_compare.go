package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"utfbench/runs/compare"
)

func newHistoryCompare(d *design) *cobra.Command {
	var runs runFinder
	var verbose bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Summarise how two runs differ, and since when a board fails",
		Long:  "compare sums up how two runs differ; bench diff shows the steps. " + runWords,
		Args:  takes(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runs.both(args, func(both *compare.Runs) error {
				both.Verbose = verbose
				w := bufio.NewWriter(cmd.OutOrStdout())
				defer w.Flush()
				if err := both.Compare(w); err != nil {
					return benchFault(err)
				}
				for _, run := range args {
					if err := runs.Since(w, run); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	runs.flags(cmd, d)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every vector")
	return cmd
}
