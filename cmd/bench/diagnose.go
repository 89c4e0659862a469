package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/terminal"
	"utfbench/runs/explain"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile/gates"
)

// diagnoseOptions are the flags of bench diagnose.
type diagnoseOptions struct {
	runs    runFinder
	netlist string
	asJSON  bool

	gates *gates.Design // of the netlist; nil without one
}

func newDiagnose(d *design) *cobra.Command {
	var o diagnoseOptions
	cmd := &cobra.Command{
		Use:   "diagnose RUN...",
		Short: "Find the wire, register bit or delay that explains a run",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and
ranks it by what it explains of what differed, and how few wrong bits it predicts that were not
seen. Its conclusion is wire, unclear (an output is at fault: its wire, the bench's pin, the chip's
pad or the design), register, revision, intermittent (a line that comes and goes), logic (the same
questions are answered wrongly each time, and no such fault explains it), unexplained, or nothing.
Runs at speed (bench run --at) may be timing: too slow for it.

Several runs of one chip, at other periods, samples and leads, and step by step, are explained
together, those that pass too. So what fails slowly as well is no timing, and a time is known from
the setting at which it fails to the next at which it passes.

With --netlist it also looks inside the chip: which pin of which cell, if it were stuck, or which two
nets, if they were bridged, explain a run. ` + runWords,
		Example: `  bench diagnose last
  bench diagnose 7 8 9`,
		Args: takes(1, many),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.read(args); err != nil {
				return err
			}
			return o.runs.all(args, func(first *station.Chip, all []explain.Run) error {
				return o.tell(cmd, first,
					all)
			})
		},
	}
	o.runs.flags(cmd, d)
	netlistFlag(cmd.Flags(), &o.netlist)
	jsonFlag(cmd, &o.asJSON)
	return cmd
}

// read reads the chip's cells, if they are given.
func (o *diagnoseOptions) read(runs []string) (err error) {
	switch {
	case o.netlist == "":
		return nil
	case len(runs) > 1:
		return failure.Usagef("--netlist goes with one RUN only")
	}
	o.gates, err = readNetlist(o.netlist)
	return err
}

// tell says what explains the runs.
func (o *diagnoseOptions) tell(cmd *cobra.Command, first *station.Chip, all []explain.Run) error {
	if err := explain.SameChip(all); err != nil {
		return err
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	defer w.Flush()
	done := terminal.Working("looking for what explains it")
	d, err := explain.Recordings(all, first.Board, first.Tile, native.Simulated(first.Origin()))
	if err == nil && o.gates != nil {
		d.Inside, err = explain.Inside(cmd.Context(), first.Recording, first.Tile, o.gates)
	}
	done()
	switch {
	case cmd.Context().Err() != nil:
		return failure.Newf(failure.Interrupted, "stopped: nothing is known")
	case err != nil:
		return benchFault(err)
	}
	if o.asJSON {
		d.Head = head()
		return document.Write(cmd.OutOrStdout(), d)
	}
	d.Text(w, func(words ...string) string { return pasted(first, words...) })
	return nil
}
