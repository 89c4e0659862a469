package main

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/station"
	"utfbench/sweep"
)

func newDiff(d *design) *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Compare two runs, or two boards, step by step",
		Long: `diff compares what two chips answered to the same steps, and the circumstances of the runs. Two files
of bench sweep --json are compared block by block. ` + runWords + `

Exit codes: 0 they are the same, 1 they differ, 3 nothing differs, but a run was stopped or a recording is cut
short, 5 nothing was compared.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.ContainsFunc(args, sweep.IsResult) {
				conclusion, err := sweep.Diff(cmd.OutOrStdout(), [2]string(args))
				return cmp.Or(err, conclusion.Err())
			}
			return d.withRecordings(args, func(all []*station.Chip) error {
				both := pair([2]string(args), all[0], all[1])
				both.Verbose = verbose
				conclusion, err := both.WriteText(cmd.OutOrStdout())
				return cmp.Or(err, conclusion.Err())
			})
		},
	}
	d.tileFlag(cmd)
	verboseFlag(cmd.Flags(), &verbose, "every vector, every divergence")
	return cmd
}
