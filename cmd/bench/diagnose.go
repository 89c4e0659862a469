package main

import (
	"bufio"
	"encoding/json"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/runs/explain"
)

func newDiagnose() *cobra.Command {
	var runs runFinder
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diagnose RUN",
		Short: "Find the wire or register bit that explains what a run showed",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and
ranks it by what it explains of what differed, and how few wrong bits it predicts that were not
seen. Its conclusion is wire, register, revision, intermittent (a line that comes and goes),
logic (the same questions are answered wrongly each time, and no such fault explains it),
unexplained, or nothing.` + runWords,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := runs.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			d, err := explain.Recording(c.Recording, c.Board, c.Tile, desk.Simulated(c.Origin()))
			switch {
			case err != nil:
				return benchFault(err)
			case asJSON:
				return json.NewEncoder(w).Encode(d)
			}
			d.Text(w, c.command)
			return nil
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the diagnosis as a JSON object")
	return cmd
}
