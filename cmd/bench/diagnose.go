package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/internal/document"
	"utfbench/netlist"
	"utfbench/netlist/layout"
	"utfbench/runs/explain"
)

func newDiagnose() *cobra.Command {
	var runs runFinder
	var asJSON bool
	var inside netlistFiles
	cmd := &cobra.Command{
		Use:   "diagnose RUN...",
		Short: "Find the wire, register bit or time that explains what a run, or several, showed",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and
ranks it by what it explains of what differed, and how few wrong bits it predicts that were not
seen. Its conclusion is wire, register, revision, intermittent (a line that comes and goes),
logic (the same questions are answered wrongly each time, and no such fault explains it),
unexplained, or nothing. Runs at speed (bench run --at) may be timing: too slow for it.

Several runs of one chip, at other periods, samples and leads, and step by step, are explained
together, those that pass too. So what fails slowly as well is no timing, and a time is known from
the setting at which it fails to the next at which it passes.

With --netlist and --liberty it also looks inside of the chip: which pin of which cell, if it were
stuck, explains a run; with --gds and --lef too, where on the die it is. ` + runWords,
		Example: `  bench diagnose last
  bench diagnose 7 8 9`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var n *netlist.Netlist
			var where *layout.Layout
			if inside.given() {
				if len(args) > 1 {
					return errors.New("--netlist and --liberty go with one RUN, and there are several")
				}
				var err error
				if n, err = inside.read(); err != nil {
					return err
				}
				if where, err = inside.layout(n); err != nil {
					return err
				}
			}
			return runs.all(args, func(first *chip, all []explain.Run) error {
				if err := explain.SameChip(all); err != nil {
					return err
				}
				w := bufio.NewWriter(cmd.OutOrStdout())
				defer w.Flush()
				done := working("looking for what explains it")
				d, err := explain.Recordings(all, first.Board, first.Tile, desk.Simulated(first.Origin()))
				if err == nil && n != nil {
					d.Inside, err = explain.Inside(cmd.Context(), first.Recording, first.Tile, n, where)
				}
				done()
				switch {
				case cmd.Context().Err() != nil:
					return &exit{exitInterrupted, errors.New("stopped: nothing is known")}
				case err != nil:
					return benchFault(err)
				case asJSON:
					d.Head = head()
					return printed(document.Write(cmd.OutOrStdout(), d), nil)
				}
				d.Text(w, first.command)
				return nil
			})
		},
	}
	runs.flags(cmd)
	inside.flags(cmd)
	jsonFlag(cmd, &asJSON)
	inside.layoutFlags(cmd)
	return cmd
}
