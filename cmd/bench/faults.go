package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/terminal"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/runs/plan"
	"utfbench/tile"
)

// faultsOptions are the flags of bench faults.
type faultsOptions struct {
	gradable
	cells     netlistFiles
	json, csv string
	svg       string
	slow      bool
	shortest  string
	prove     bool
	extend    string
	steps     int
}

func newFaults(d *design) *cobra.Command {
	var o faultsOptions
	cmd := &cobra.Command{
		Use:   "faults [RUN]",
		Short: "Measure which faults inside a chip the vectors find",
		Long: `faults puts a stuck-at fault into each pin of each cell of a tile's netlist, one after the other, runs
the vectors, and says how many of these faults a line showed: of all, and of those that were not
proved untestable. What was not found is listed by cell and pin. The netlist without a fault has
to do what the tile's reference does.

With --transition a pin is not stuck but slow to rise, or to fall: a new level comes a clock too
late. A run with --at finds such a fault as far as its vectors show it.

With --extend it goes on: it puts pieces of the vectors together by chance, and writes those that
find something more to a file, each with the faults that it is for, for --file.

With --gds and --lef, --json says where each cell is on the die, and --svg draws it.

With RUN it takes the steps of a recorded run; --suite and --run take a part of it. ` + runWords + `

Exit codes: 0 it is known; 2 bad input, or a cell that cannot be simulated; 3 the netlist is not
this tile's, or the bench could not find out; 5 nothing was selected; 130 interrupted.`,
		Example: `  bench faults --netlist tile.v --json coverage.json
  bench faults --tile . --random 100000 --netlist tile.v --csv missed.csv`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.runs.flags(cmd, d)
	o.selected.flags(cmd, d)
	o.cells.flags(cmd)
	o.cells.layoutFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.revision, "revision", "", "revision of the chip that the netlist is of (default: the newest; of a "+
		"RUN, its own)")
	f.Uint64Var(&o.selected.Seed, "seed", 1, "seed for --random")
	f.BoolVar(&o.slow, "transition", false, "pins that are slow to rise or to fall, by a clock, in place of "+
		"stuck ones, as a run at speed can find")
	f.StringVar(&o.shortest, "shortest", "", "write the shortest list of vectors that find as many stuck-at "+
		"faults as all to this file; vectors already in it stay")
	f.BoolVar(&o.prove, "prove", false, "spend up to a minute on proving that undetected faults act only in "+
		"states that the chip cannot reach after a reset")
	f.StringVar(&o.extend, "extend", "", "look for vectors that find open faults, and write them to this file, for "+
		"--file")
	f.IntVar(&o.steps, "steps", 1_000_000, "approximate number of random steps for --extend; see --seed")
	f.StringVar(&o.json, "json", "", "write all of it to this file, for other programs; "+standardWords)
	f.StringVar(&o.csv, "csv", "", "write the faults that were not found to this file, a row for each")
	f.StringVar(&o.svg, "svg", "", "draw the die to this file, with the coverage of each cell; needs --gds and "+
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
	switch {
	case len(vectors) == 0:
		return o.selected.nothing()
	case o.steps < 1:
		return failure.Usagef("--steps %d: has to be 1 at least", o.steps)
	}
	out := files.Set{Out: standard(cmd, o.json, o.csv, o.shortest, o.extend)}
	defer out.Discard()
	if o.shortest != "" {
		return o.shorten(cmd, n, vectors, &out)
	}
	report, err := o.measure(cmd, t, n, vectors)
	if err != nil {
		return err
	}
	var picture func(io.Writer) error
	if where != nil {
		report.Place(n, where)
		picture = report.Die.SVG
	}
	if err := o.write(report, picture, &out); err != nil {
		return err
	}
	report.Text(cmd.OutOrStdout())
	if o.extend != "" {
		x := &cells.Extension{Tile: t, Netlist: n, Vectors: vectors, Open: report.Left(), Steps: o.steps,
			Seed: o.selected.Seed}
		if err := o.extended(cmd, x, &out); err != nil {
			return err
		}
	}
	return out.Commit()
}

// measure simulates the faults.
func (o *faultsOptions) measure(cmd *cobra.Command, t tile.Tile, n *netlist.Netlist,
	vectors []stuckat.Vector) (*cells.Report, error) {
	how := cells.Method{Model: cells.StuckAt, Prove: o.prove}
	if o.slow {
		how.Model = cells.Transition
	}
	done := terminal.Working("simulating faults")
	report, err := cells.Measure(cmd.Context(), t, n, how, vectors)
	done()
	if err != nil {
		return nil, simulated(cmd.Context(), err)
	}
	report.Bench = version()
	return report, nil
}

// write writes the report's files; picture is nil without a layout.
func (o *faultsOptions) write(report *cells.Report, picture func(io.Writer) error, out *files.Set) error {
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
	return nil
}

// extended searches for vectors that find open faults.
func (o *faultsOptions) extended(cmd *cobra.Command, x *cells.Extension, out *files.Set) error {
	file, err := out.Create("--extend", o.extend, 0)
	if err != nil {
		return err
	}
	done := terminal.Working("looking for vectors that find open faults")
	found, err := x.Find(cmd.Context())
	done()
	if err != nil {
		return simulated(cmd.Context(), err)
	}
	classes, steps := 0, 0
	for _, f := range found {
		classes += len(f.Classes)
		steps += len(f.Vector.Steps)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\n%s: %d vectors, %d steps, find %d of the %d classes that are open\n", o.extend,
		len(found), steps, classes, len(x.Open))
	if err := x.WriteVectors(file, found); err != nil {
		return benchFault(err)
	}
	return nil
}

// shorten writes the shortest list of vectors that find as much as all.
func (o *faultsOptions) shorten(cmd *cobra.Command, n *netlist.Netlist, vectors []stuckat.Vector,
	out *files.Set) error {
	if o.slow || o.prove || o.extend != "" || o.json != "" || o.csv != "" || o.svg != "" {
		return failure.Usagef("--shortest is for stuck-at faults, and writes only a list of vectors: leave " +
			"--transition, --prove, --extend, --json, --csv and --svg out")
	}
	kept, err := plan.ReadNames(o.shortest)
	if err != nil {
		return fmt.Errorf("--shortest: %w", err)
	}
	file, err := out.Create("--shortest", o.shortest, 0)
	if err != nil {
		return err
	}
	done := terminal.Working("looking for the shortest list of vectors")
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
