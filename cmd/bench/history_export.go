package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/history"
)

func newHistoryExport(d *design) *cobra.Command {
	var runs runFinder
	var asJSON, asCSV, ofLab bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the history as JSON lines or CSV",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON && asCSV {
				return failure.Usagef("--json and --csv do not go together: give one of them")
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			err := runs.look(cmd, ofLab, func(from history.Source) error {
				if asCSV {
					return history.CSV(w, from)
				}
				return history.JSON(w, from, history.Filter{}, true)
			})
			if err != nil {
				return err
			}
			return w.Flush()
		},
	}
	runs.flags(cmd, d)
	ofLabFlag(cmd.Flags(), &ofLab)
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON, with the vectors that were not PASS (the default)")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "CSV, a line for each run")
	return cmd
}
