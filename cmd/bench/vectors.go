package main

import (
	"bufio"
	"io"

	"github.com/spf13/cobra"

	"utfbench/runs/export"
)

func newVectors(d *design) *cobra.Command {
	var asJSON bool
	s := selection{design: d}
	cmd := &cobra.Command{
		Use:   "vectors [PATTERN]",
		Short: "List suites, or vectors with a name like PATTERN",
		Example: `  bench vectors
  bench vectors utf16
  bench vectors show chip/basic-reset`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				s.Match = args[0]
			}
			jobs, err := s.some(cmd.Context())
			if err != nil {
				return err
			}
			text := export.ListSuites
			if s.Match != "" || len(s.Suites) > 0 {
				text = export.ListVectors
			}
			return write(cmd, asJSON, func(w io.Writer) error { return text(w, jobs) },
				func(w io.Writer) error { return export.ListJSON(w, jobs) })
		},
	}
	d.tileFlag(cmd)
	suiteFlags(cmd.Flags(), &s.Selection)
	cmd.Flags().BoolVar(&asJSON, "json", false, "every selected vector as a JSON object, one a line")
	cmd.AddCommand(newVectorsShow(d))
	return cmd
}

func newVectorsShow(d *design) *cobra.Command {
	s := selection{design: d}
	cmd := &cobra.Command{
		Use:   "show VECTOR",
		Short: "Show a vector: its steps, expected samples and source",
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := s.of().Find(args[0])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			export.ShowVector(w, s.Tile, job)
			return nil
		},
	}
	d.tileFlag(cmd)
	fileFlag(cmd.Flags(), &s.Selection)
	cmd.Flags().Uint64Var(&s.Seed, "seed", 1, "seed of the run, for a vector of random steps")
	return cmd
}
