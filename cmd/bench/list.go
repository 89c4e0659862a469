package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/plan"
)

func newList(d *design) *cobra.Command {
	var selected selection
	var asJSON, vectors bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List suites, or vectors with --suite or --run",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			jobs, err := selected.Jobs()
			if err != nil {
				return err
			}
			if len(jobs) == 0 {
				return failure.Newf(failure.Nothing, "no vector is selected: bench list shows the suites")
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			switch {
			case asJSON:
				return plan.ListJSON(w, jobs)
			case vectors || selected.Match != "" || len(selected.Suites) > 0 || selected.Smoke:
				plan.ListVectors(w, jobs)
			default:
				plan.List(w, jobs)
			}
			return nil
		},
	}
	selected.flags(cmd, d)
	cmd.Flags().BoolVar(&asJSON, "json", false, "every selected vector as a JSON object, one a line")
	cmd.Flags().BoolVar(&vectors, "vectors", false, "every selected vector, a line each")
	return cmd
}
