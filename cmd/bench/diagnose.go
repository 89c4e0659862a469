package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/terminal"
	"utfbench/netlist"
	"utfbench/netlist/layout"
	"utfbench/runs/explain"
	"utfbench/station"
	"utfbench/station/native"
)

// diagnoseOptions are the flags of bench diagnose.
type diagnoseOptions struct {
	runs   runFinder
	inside netlistFiles
	asJSON bool
	svg    string

	cells *netlist.Netlist // nil if nobody has given it
	where *layout.Layout   // the same
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

With --netlist it also looks inside of the chip: which pin of which cell, if it were
stuck, explains a run; with --gds and --lef too, where on the die it is. ` + runWords,
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
	o.inside.flags(cmd)
	o.inside.layoutFlags(cmd)
	jsonFlag(cmd, &o.asJSON)
	cmd.Flags().StringVar(&o.svg, "svg", "", "draw the die to this file, with the suspects marked; needs --gds "+
		"and --lef")
	return cmd
}

// read reads the chip's cells, and where they are, as far as they are given.
func (o *diagnoseOptions) read(runs []string) (err error) {
	switch {
	case !o.inside.given() && o.svg != "":
		return errNoLayout
	case !o.inside.given():
		return nil
	case len(runs) > 1:
		return failure.Usagef("--netlist goes with one RUN only")
	}
	if o.cells, err = o.inside.read(); err != nil {
		return err
	}
	o.where, err = o.inside.layout(o.cells)
	if err == nil && o.where == nil && o.svg != "" {
		err = errNoLayout
	}
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
	if err == nil && o.cells != nil {
		d.Inside, err = explain.Inside(cmd.Context(), first.Recording, first.Tile, o.cells, o.where)
	}
	done()
	switch {
	case cmd.Context().Err() != nil:
		return failure.Newf(failure.Interrupted, "stopped: nothing is known")
	case err != nil:
		return benchFault(err)
	}
	if o.svg != "" {
		die := cells.NewDie(o.cells, o.where)
		if d.Inside != nil {
			die.Mark(d.Inside)
		}
		if err := files.Write(o.svg, []byte(die.Picture()), 0); err != nil {
			return err
		}
	}
	if o.asJSON {
		d.Head = head()
		return document.Write(cmd.OutOrStdout(), d)
	}
	d.Text(w, func(words ...string) string { return pasted(first, words...) })
	return nil
}
