package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/internal/files"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/runs/plan"
	"utfbench/tile"
)

// faultsOptions are the flags of bench faults.
type faultsOptions struct {
	runs      runFinder
	selected  selection
	cells     netlistFiles
	revision  string
	json, csv string
	svg       string
	slow      bool
	shortest  string
}

func newFaults() *cobra.Command {
	var o faultsOptions
	cmd := &cobra.Command{
		Use:   "faults [RUN]",
		Short: "Tell which faults inside of a chip the vectors find",
		Long: `faults puts a stuck-at fault into each pin of each cell of a tile's netlist, one after the other, runs
the vectors, and says how many of these faults a line showed: of all, and of those that were not
proved untestable. What was not found is listed by cell and pin. The netlist without a fault has
to do what the tile's reference does.

With --transition a pin is not stuck but slow to rise, or to fall: a new level comes a clock too
late. A run with --at finds such a fault as far as its vectors show it.

With --gds and --lef, --json says where each cell is on the die, and --svg draws it.

With RUN it takes the steps of a recorded run; --suite and --run take a part of it. ` + runWords + `

Exit codes: 0 it is known; 2 bad input, or a cell that cannot be simulated; 3 the netlist is not
this tile's, or the bench could not find out; 5 nothing was selected; 130 interrupted.`,
		Example: `  bench faults --netlist tile.v --liberty sky130_fd_sc_hd__tt_025C_1v80.lib --json coverage.json
  bench faults --tile . --random 100000 --netlist tile.v --liberty cells.lib --csv missed.csv`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.runs.flags(cmd)
	o.selected.flags(cmd)
	o.cells.flags(cmd)
	o.cells.layoutFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.revision, "revision", "", "revision of the chip that the netlist is of (default: the newest; of a "+
		"RUN, what it was compared with)")
	f.Uint64Var(&o.selected.Seed, "seed", 1, "seed for --random")
	f.BoolVar(&o.slow, "transition", false, "pins that are slow to rise or to fall, by a clock, in place of "+
		"stuck ones: what a run at speed can find")
	f.StringVar(&o.shortest, "shortest", "", "write the shortest list of vectors that find as many stuck-at "+
		"faults as all to this file;\nthose that it has already stay")
	f.StringVar(&o.json, "json", "", "write all of it to this file, for other programs; "+standardWords)
	f.StringVar(&o.csv, "csv", "", "write the faults that were not found to this file, a row for each")
	f.StringVar(&o.svg, "svg", "", "draw the die to this file, with what is found of each cell; needs --gds and "+
		"--lef")
	return cmd
}

func (o *faultsOptions) run(cmd *cobra.Command, args []string) error {
	n, err := o.cells.read()
	if err != nil {
		return err
	}
	where, err := o.cells.layout(n)
	if err != nil {
		return err
	}
	if where == nil && o.svg != "" {
		return errNoLayout
	}
	t, vectors, err := o.asked(cmd, args)
	if err != nil {
		return err
	}
	if len(vectors) == 0 {
		return errNothing
	}
	out := files.Set{Out: standard(cmd, o.json, o.csv, o.shortest)}
	defer out.Discard()
	if o.shortest != "" {
		return o.shorten(cmd, n, vectors, &out)
	}
	done := working("simulating faults")
	model := cells.StuckAt
	if o.slow {
		model = cells.Transition
	}
	report, err := cells.Measure(cmd.Context(), t, n, model, vectors)
	done()
	if err != nil {
		return simulated(cmd.Context(), err)
	}
	report.Bench = version()
	var picture func(io.Writer) error
	if where != nil {
		report.Place(n, where)
		picture = report.Die.SVG
	}
	for _, f := range []struct {
		flag, path string
		write      func(io.Writer) error
	}{{"--json", o.json, report.JSON}, {"--csv", o.csv, report.CSV}, {"--svg", o.svg, picture}} {
		if f.path == "" {
			continue
		}
		file, err := out.Create(f.flag, f.path, 0)
		if err != nil {
			return err
		}
		if err := f.write(file); err != nil {
			return benchFault(err)
		}
	}
	report.Text(cmd.OutOrStdout())
	return out.Commit()
}

// shorten writes the shortest list of vectors that find as much as all.
func (o *faultsOptions) shorten(cmd *cobra.Command, n *netlist.Netlist, vectors []stuckat.Vector,
	out *files.Set) error {
	if o.slow || o.json != "" || o.csv != "" || o.svg != "" {
		return errors.New("--shortest is about stuck-at faults, and writes a list of vectors alone: leave " +
			"--transition, --json, --csv and --svg out")
	}
	kept, err := plan.ReadNames(o.shortest)
	if err != nil {
		return fmt.Errorf("--shortest: %w", err)
	}
	file, err := out.Create("--shortest", o.shortest, 0)
	if err != nil {
		return err
	}
	done := working("looking for the shortest list of vectors")
	list, err := cells.Shortest(cmd.Context(), n, vectors, kept)
	done()
	if err != nil {
		return simulated(cmd.Context(), err)
	}
	if err := list.Write(file); err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d of %d vectors, %d steps, find %d classes of faults, as all do\n", o.shortest,
		len(list.Names), len(vectors), list.Steps, list.Found.Classes)
	return out.Commit()
}

// asked are the vectors, and the tile that they are asked of.
func (o *faultsOptions) asked(cmd *cobra.Command, args []string) (tile.Tile, []stuckat.Vector, error) {
	if len(args) > 0 {
		return o.recorded(cmd, args[0])
	}
	t := theTile
	if o.revision != "" {
		var known bool
		if t, known = tile.ByRevision(theTile, o.revision); !known {
			return nil, nil, fmt.Errorf("--revision: unknown revision %q: allowed are %s", o.revision,
				strings.Join(tile.Revisions(theTile), ", "))
		}
	}
	jobs, err := o.selected.Jobs()
	if err != nil {
		return nil, nil, err
	}
	vectors, err := cells.Vectors(cmd.Context(), t, jobs)
	if err != nil {
		return nil, nil, simulated(cmd.Context(), err)
	}
	return t, vectors, nil
}

// recorded are the vectors of a run, as far as they are selected.
func (o *faultsOptions) recorded(cmd *cobra.Command, run string) (tile.Tile, []stuckat.Vector, error) {
	for _, name := range []string{"file", "random", "seed", "revision"} {
		if cmd.Flags().Changed(name) {
			return nil, nil, fmt.Errorf("--%s does not go with a RUN: the recording says what it asked", name)
		}
	}
	c, err := o.runs.recording(run)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	p, err := o.selected.replayed(c)
	if err != nil {
		return nil, nil, err
	}
	vectors, err := cells.Vectors(cmd.Context(), c.Tile, p.Distinct())
	if err != nil {
		return nil, nil, simulated(cmd.Context(), err)
	}
	return c.Tile, vectors, nil
}

// simulated is the error of a simulation, which is no mistake of the user's.
func simulated(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exit{exitInterrupted, errors.New("stopped: nothing is known")}
	}
	return benchFault(err)
}
