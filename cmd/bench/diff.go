package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"utfbench/runs/compare"
)

func newDiff(d *design) *cobra.Command {
	var runs runFinder
	var verbose, asJSON bool
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Compare two runs, or two boards, step by step",
		Long: `diff compares what two chips answered to the same steps, and the circumstances of the runs: bench,
board, ROM, vectors, tags. It says since when a board fails. ` + runWords + `

Where the reference leaves a line open, two good chips may differ, so that counts for nothing.

Exit codes: 0 they are the same, 1 they differ, 2 bad input, 3 nothing differs, but a recording is cut
short, 5 there are no samples to compare.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runs.both(args, func(both *compare.Runs) error {
				var conclusion compare.Conclusion
				both.Verbose = verbose
				err := write(cmd, asJSON, func(w io.Writer) (err error) {
					conclusion, err = both.Diff(w)
					return err
				}, func(w io.Writer) (err error) {
					conclusion, err = both.JSON(w, version())
					return err
				})
				for _, run := range args {
					if err == nil && !asJSON {
						err = runs.Since(cmd.OutOrStdout(), run)
					}
				}
				return cmp.Or(err, conclusion.Err())
			})
		},
	}
	runs.flags(cmd, d)
	jsonFlag(cmd, &asJSON)
	verboseFlag(cmd.Flags(), &verbose, "every vector, every divergence")
	return cmd
}
