package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/internal/terminal"
	"utfbench/netlist/stuckat"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates/grade"
)

// strengthOptions are the flags of bench strength.
type strengthOptions struct {
	asks    gradable // which vectors
	verbose bool
	mutants int
	json    string
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

With --mutants N it draws N mutations of the gates as well: a pin that is stuck, or inverted, always or
while another pin of its cell has a level. It proves of those that are not found whether they change
anything at all, and counts the others.

With RUN it takes the steps of a recorded run; --suite and --run take a part of it. ` + runWords + `

Exit codes: 0 the vectors are graded; 2 bad input; 3 the bench could not find out; 5 nothing was
selected; 130 interrupted.`,
		Example: `  bench strength last --tile .
  bench strength --tile . --file steps.vec -v`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.asks.runs.flags(cmd, d)
	o.asks.selected.flags(cmd, d)
	f := cmd.Flags()
	f.Uint64Var(&o.asks.selected.Seed, "seed", 1, "seed for --random, --explore and --mutants")
	f.IntVar(&o.mutants, "mutants", 0, "grade this many mutations of the gates, too; see --seed")
	f.StringVar(&o.json, "json", "", "write all of it to this file, for other programs; "+standardWords)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "list every fault that is not found, as --fault cell: takes it")
	return cmd
}

func (o *strengthOptions) run(cmd *cobra.Command, args []string) error {
	t, vectors, err := o.asks.asked(cmd, args)
	switch {
	case err != nil:
		return err
	case len(vectors) == 0:
		return errNothing
	case station.GatesOf(t) == nil:
		return failure.Usagef("the reference of %s is no gates, so its faults are unknown: bench faults grades "+
			"vectors by a netlist", t.Name())
	}
	if o.mutants < 0 || o.mutants > mostMutants {
		return failure.Usagef("--mutants %d: has to be from 0 to %d", o.mutants, mostMutants)
	}
	out := files.Set{Out: standard(cmd, o.json)}
	defer out.Discard()
	done := terminal.Working("simulating faults")
	got, drawn, err := o.graded(cmd.Context(), t, vectors)
	done()
	if err != nil {
		return simulated(cmd.Context(), err)
	}
	doc := newStrengthDocument(t, got, drawn)
	doc.Vectors = len(vectors)
	for i := range vectors {
		doc.Steps += len(vectors[i].Steps)
	}
	if o.json != "" {
		file, err := out.Create("--json", o.json, 0)
		if err != nil {
			return err
		}
		if err := document.Write(file, doc); err != nil {
			return benchFault(err)
		}
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s: %s, %s, graded by %s\n\n", t.Name(),
		printable.Count(doc.Vectors, "vector"), printable.Count(doc.Steps, "step"),
		tile.ReferenceOf(t.Revision()))
	if err := o.write(w, got); err != nil {
		return err
	}
	doc.Mutants.write(w)
	return out.Commit()
}

// mostMutants is far more than a share needs.
const mostMutants = 100_000

// graded grades vectors without a limit of work, by the faults and by mutants.
func (o *strengthOptions) graded(ctx context.Context, t tile.Tile, vectors []stuckat.Vector) (got,
	drawn *grade.Grading, err error) {
	g := grade.Grader{List: grade.NewList(station.GatesOf(t).Design)}
	for _, v := range vectors {
		g.Vectors = append(g.Vectors, grade.Vector{Name: v.Name, Steps: v.Steps, Want: v.Want})
	}
	if got, err = g.Grade(ctx); err != nil {
		return nil, nil, err
	}
	got.Prove(station.GatesOf(t), g.Vectors)
	if err := got.ProveOpen(ctx); err != nil {
		return nil, nil, err
	}
	if o.mutants > 0 {
		l := g.List.Mutants(o.mutants, o.asks.selected.Seed)
		drawn, err = (&grade.Grader{List: l, Vectors: g.Vectors, Only: l.All()}).Grade(ctx)
	}
	return got, drawn, err
}

// mostSpots is how many signals are listed unless the user wants all.
const mostSpots = 20

// write writes the counts, the signals, and in detail each fault.
func (o *strengthOptions) write(w io.Writer, g *grade.Grading) error {
	s := plan.StrengthOf(g)
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
	if err := table.Flush(); err != nil {
		return err
	}
	if s.Found == s.Faults {
		return nil
	}
	if err := o.signals(w, g); err != nil || !o.verbose {
		return err
	}
	fmt.Fprintln(w, "\nnot found, and untestable, one of each class:")
	for i, f := range g.Findings {
		if f.Outcome == grade.Found {
			continue
		}
		class := &g.Classes[i]
		reason := f.Outcome.String()
		if f.Outcome == grade.Untestable {
			reason += ": " + class.Untestable
		}
		fmt.Fprintf(w, "%s   %s\n", g.Describe(class.Faults[0]), reason)
	}
	return nil
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
