package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"utfbench/runs/plan"
)

func newShow(d *design) *cobra.Command {
	var selected selection
	cmd := &cobra.Command{
		Use:   "show VECTOR",
		Short: "Show a vector: its steps, expected samples and source",
		Args:  takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := selected.find(args[0])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			plan.Show(w, selected.Tile, job)
			return nil
		},
	}
	selected.fileFlag(cmd, d)
	cmd.Flags().Uint64Var(&selected.Seed, "seed", 1, "seed of the run, for a vector of random steps")
	return cmd
}
