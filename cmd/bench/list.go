package main

import (
	"io"

	"github.com/spf13/cobra"

	"utfbench/runs/plan"
)

func newList(d *design) *cobra.Command {
	var selected selection
	var asJSON, vectors bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List suites, or vectors with --suite or --run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			jobs, err := selected.some(cmd.Context())
			if err != nil {
				return err
			}
			text := plan.List
			if vectors || selected.Match != "" || len(selected.Suites) > 0 || selected.Smoke {
				text = plan.ListVectors
			}
			return write(cmd, asJSON, func(w io.Writer) error { return text(w, jobs) },
				func(w io.Writer) error { return plan.ListJSON(w, jobs) })
		},
	}
	selected.flags(cmd, d)
	cmd.Flags().BoolVar(&asJSON, "json", false, "every selected vector as a JSON object, one a line")
	cmd.Flags().BoolVar(&vectors, "vectors", false, "every selected vector, a line each")
	return cmd
}
