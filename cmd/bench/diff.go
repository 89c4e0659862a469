package main

import (
	"bufio"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/compare"
)

func newDiff(d *design) *cobra.Command {
	var runs runFinder
	var verbose, asJSON bool
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Compare two runs, or two boards, step by step",
		Long: `diff compares what two chips answered to the same steps. ` + runWords + `

Where the reference leaves a line open, two good chips may differ, so that counts for nothing.

Exit codes: 0 they are the same, 1 they differ, 2 bad input.`,
		Args: takes(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runs.both(args, func(both *compare.Runs) error {
				both.Verbose = verbose
				w := bufio.NewWriter(cmd.OutOrStdout())
				defer w.Flush()
				tell := both.Diff
				if asJSON {
					tell = func(io.Writer) (bool, error) { return both.JSON(cmd.OutOrStdout(), version()) }
				}
				same, err := tell(w)
				switch {
				case err != nil:
					return benchFault(err)
				case !same:
					return failure.Told(failure.Chip)
				}
				return nil
			})
		},
	}
	runs.flags(cmd, d)
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every vector, every divergence")
	return cmd
}
