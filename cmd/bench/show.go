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
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := selected.of().Find(args[0])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			plan.Show(w, selected.Tile, job)
			return nil
		},
	}
	selected.design = d
	fileFlag(cmd.Flags(), &selected.Selection)
	cmd.Flags().Uint64Var(&selected.Seed, "seed", 1, "seed of the run, for a vector of random steps")
	return cmd
}
