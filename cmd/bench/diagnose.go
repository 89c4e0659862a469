package main

import (
	"bufio"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/netlist"
	"utfbench/runs/explain"
)

func newDiagnose() *cobra.Command {
	var runs runFinder
	var asJSON bool
	var inside netlistFiles
	cmd := &cobra.Command{
		Use:   "diagnose RUN",
		Short: "Find the wire or register bit that explains what a run showed",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and
ranks it by what it explains of what differed, and how few wrong bits it predicts that were not
seen. Its conclusion is wire, register, revision, intermittent (a line that comes and goes),
logic (the same questions are answered wrongly each time, and no such fault explains it),
unexplained, or nothing.

With --netlist and --liberty it also looks inside of the chip: which pin of which cell, if it were
stuck, explains the run.` + runWords,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var n *netlist.Netlist
			if inside.given() {
				var err error
				if n, err = inside.read(); err != nil {
					return err
				}
			}
			c, err := runs.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			d, err := explain.Recording(c.Recording, c.Board, c.Tile, desk.Simulated(c.Origin()))
			if err == nil && n != nil {
				d.Inside, err = explain.Inside(cmd.Context(), c.Recording, c.Tile, n)
			}
			switch {
			case cmd.Context().Err() != nil:
				return &exit{exitInterrupted, errors.New("stopped: nothing is known")}
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
	inside.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the diagnosis as a JSON object")
	return cmd
}
