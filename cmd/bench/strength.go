package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/internal/terminal"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// strengthOptions are the flags of bench strength.
type strengthOptions struct {
	asks     gradable // which vectors, by which gates
	verbose  bool
	mutants  int
	json     string
	shortest string
}

func newStrength(d *design) *cobra.Command {
	var o strengthOptions
	cmd := &cobra.Command{
		Use:   "strength [RUN]",
		Short: "List the faults that a run would have missed",
		Long: `strength grades vectors against the gates of a tile: it puts a stuck-at fault into each pin of each
cell, one after the other, and counts those that the vectors show at an output that is compared. It
lists the others by signal, with the reason: never activated (no vector gives the net the other
level), activated and never seen (no output shows it), or unknown (a faulty chip may or may not
show it). bench run says the same in one line; here no fault is left
out of the sample, and those that change nothing are proved untestable.

The gates are the tile's reference, or with --netlist those that were fabricated, which have to do
what the reference does.

With --mutants N it draws N mutations of the gates as well: a pin that is stuck, or inverted, always or
while another pin of its cell has a level. It proves of those that are not found whether they change
anything at all, and counts the others.

With RUN it takes the steps of a recorded run; --suite and --run take a part of it. ` + runWords + `

Exit codes: 0 the vectors are graded; 2 bad input; 3 the netlist is not this tile's, or the bench
could not find out; 5 nothing was selected; 130 interrupted.`,
		Example: `  bench strength last --tile .
  bench strength --tile . --file steps.vec -v
  bench strength --netlist tt09.v`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.asks.flags(cmd, d)
	f := cmd.Flags()
	f.Uint64Var(&o.asks.selected.Seed, "seed", 1, "seed for --random, --explore and --mutants")
	f.IntVar(&o.mutants, "mutants", 0, "grade this many mutations of the gates, too; see --seed")
	f.StringVar(&o.shortest, "shortest", "", "write a short list of vectors that find as many faults as all to this "+
		"file; vectors already in it stay")
	f.StringVar(&o.json, "json", "", "write all of it to this file, for other programs; "+standardWords)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "list every fault that is not found, as --fault cell: takes it")
	return cmd
}

func (o *strengthOptions) run(cmd *cobra.Command, args []string) error {
	t, vectors, err := o.asks.asked(cmd, args)
	if err != nil {
		return err
	}
	d, err := o.asks.gates(t)
	switch {
	case err != nil:
		return err
	case len(vectors) == 0:
		return errNothing
	case o.mutants < 0 || o.mutants > mostMutants:
		return failure.Usagef("--mutants %d: has to be from 0 to %d", o.mutants, mostMutants)
	}
	out := files.Set{Out: standard(cmd, o.json, o.shortest)}
	defer out.Discard()
	done := terminal.Working("simulating faults")
	got, drawn, err := o.graded(cmd.Context(), t, d, vectors)
	done()
	if err != nil {
		return simulated(cmd.Context(), err)
	}
	doc := newStrengthDocument(t, got, vectors, drawn)
	if err := doc.write(&out, o.json); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	by := tile.ReferenceOf(t.Revision())
	if o.asks.netlist != "" {
		by = "the netlist " + o.asks.netlist
	}
	fmt.Fprintf(w, "%s: %s, %s, graded by %s\n%s\n\n", t.Name(), printable.Count(doc.Vectors, "vector"),
		printable.Count(doc.Steps, "step"), by, doc.Gates)
	if err := o.write(w, doc, got); err != nil {
		return err
	}
	doc.Mutants.write(w)
	if o.shortest != "" {
		if err := o.shorten(cmd, got, vectors, &out); err != nil {
			return err
		}
	}
	return out.Commit()
}

// mostMutants is far more than a share needs.
const mostMutants = 100_000

// graded grades vectors without a limit of work, by the faults and by mutants.
func (o *strengthOptions) graded(ctx context.Context, t tile.Tile, d *gates.Design, vectors []grade.Vector) (got,
	drawn *grade.Grading, err error) {
	g := grade.Grader{List: grade.NewList(d), Vectors: vectors, Prove: true}
	if wrong := g.List.Check(vectors); wrong != nil && o.asks.netlist != "" {
		return nil, nil, cells.Hint(t, g.List, vectors, wrong)
	}
	if got, err = g.Grade(ctx); err != nil {
		return nil, nil, err
	}
	if own := station.GatesOf(t); own != nil && own.Design == d {
		got.Prove(own, vectors)
	}
	if o.mutants > 0 {
		l := g.List.Mutants(o.mutants, o.asks.selected.Seed)
		drawn, err = (&grade.Grader{List: l, Vectors: vectors, Only: l.All()}).Grade(ctx)
	}
	return got, drawn, err
}

// shorten writes a short list of vectors that find as much as all.
func (o *strengthOptions) shorten(cmd *cobra.Command, got *grade.Grading, vectors []grade.Vector,
	out *files.Set) error {
	kept, err := plan.ReadNames(o.shortest)
	if err != nil {
		return fmt.Errorf("--shortest: %w", err)
	}
	file, err := out.Create("--shortest", o.shortest, 0)
	if err != nil {
		return err
	}
	list, err := shortest(cmd.Context(), got, vectors, kept)
	if err != nil {
		return simulated(cmd.Context(), err)
	}
	fmt.Fprintf(file, "# %d vectors that find all stuck-at faults of the tile's cells that any vector finds.\n%s\n",
		len(list), strings.Join(list, "\n"))
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "\n%s: %d of %d vectors, find %d classes of faults, as all do\n",
		o.shortest, len(list), len(vectors), got.Count(grade.Found))
	return err
}

// shortest returns the names of vectors that find as much as all. Those kept come first, other revisions' as well.
func shortest(ctx context.Context, got *grade.Grading, vectors []grade.Vector, kept []string) (list []string,
	err error) {
	keep := func(v grade.Vector) bool { return slices.Contains(kept, v.Name) }
	first := slices.DeleteFunc(slices.Clone(vectors), func(v grade.Vector) bool { return !keep(v) })
	all := append(slices.Clone(first), slices.DeleteFunc(slices.Clone(vectors), keep)...)
	some, err := got.Compact(ctx, all, len(first))
	list = slices.Clone(kept)
	for _, i := range some {
		if i >= len(first) {
			list = append(list, all[i].Name)
		}
	}
	return list, err
}

// mostSpots is how many signals are listed unless the user wants all.
const mostSpots = 20

// write writes the counts, the signals, and in detail each fault.
func (o *strengthOptions) write(w io.Writer, doc *strengthDocument, g *grade.Grading) error {
	s := doc.Strength
	fmt.Fprintf(w, "would have shown %s\n\n", s.Share())
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range []struct {
		what string
		n    int
	}{{grade.Found.String(), s.Found}, {grade.Inactive.String(), s.Inactive}, {grade.Unseen.String(), s.Unseen},
		{grade.Unclear.String(), s.Unknown}, {"untestable, not counted above", s.Untestable},
		{"nets that never toggled", s.Idle}} {
		fmt.Fprintf(table, "%s\t%d\n", row.what, row.n)
	}
	if len(doc.Suites) > 1 {
		fmt.Fprint(table, "\nsuite\tvectors\tsteps\tfirst to find\n")
		for _, of := range doc.Suites {
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\n", of.Name, of.Vectors, of.Steps, of.Found)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if s.Found == s.Faults {
		return nil
	}
	if err := o.signals(w, g); err != nil || !o.verbose {
		return err
	}
	fmt.Fprintln(w, "\nnot found, and untestable:")
	for i, f := range g.Findings {
		if f.Outcome != grade.Found {
			writeClass(w, g, i)
		}
	}
	return nil
}

// writeClass writes a class that was not found.
func writeClass(w io.Writer, g *grade.Grading, i int) {
	class, reason := &g.Classes[i], g.Findings[i].Outcome.String()
	if g.Findings[i].Outcome == grade.Untestable {
		reason += ": " + class.Untestable
	}
	if same := sameAs(g, class); len(same) > 0 {
		reason += "; the same as " + strings.Join(same, ", ")
	}
	fmt.Fprintf(w, "%s   %s\n", g.Describe(class.Faults[0]), reason)
}

// signals writes where the vectors are blind.
func (o *strengthOptions) signals(w io.Writer, g *grade.Grading) error {
	spots := g.Blind()
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprint(table, "\nnot found at\tnever activated\tnever seen\tunknown\tsource\n")
	for i, s := range spots {
		if i == mostSpots && !o.verbose {
			break
		}
		if s.Signal == "" {
			s.Signal = "(cells without a name)"
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%s\n", s.Signal, s.Faults(grade.Inactive), s.Faults(grade.Unseen),
			s.Faults(grade.Unclear), s.Place)
	}
	err := table.Flush()
	if n := len(spots) - mostSpots; n > 0 && !o.verbose {
		fmt.Fprintf(w, "and %d more, with -v\n", n)
	}
	return err
}
