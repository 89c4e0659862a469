package main

import (
	"github.com/spf13/cobra"

	"utfbench/sweep"
)

func newSweepCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare CERTIFICATE CERTIFICATE",
		Short: "Say in which blocks two certificates differ",
		Long: `compare reads two certificates of the same sweep and lists the blocks in which the chips did not
show the same.

Exit codes: 0 they are alike, 1 they differ, 2 one of them is no certificate, or they are of
other sweeps.`,
		Args: takes(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := sweep.ReadFile(args[0])
			if err != nil {
				return err
			}
			b, err := sweep.ReadFile(args[1])
			if err != nil {
				return err
			}
			alike, err := sweep.WriteComparison(cmd.OutOrStdout(), theTile, a, b, [2]string(args))
			if err == nil && !alike {
				return &exit{code: exitFail}
			}
			return err
		},
	}
}
