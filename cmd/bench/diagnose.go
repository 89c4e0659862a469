package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/diagnose"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/record"
	"utfbench/report/page"
	"utfbench/transport"
)

func newDiagnose() *cobra.Command {
	var runs runFinder
	cmd := &cobra.Command{
		Use:   "diagnose RUN",
		Short: "Find the wire or register bit that explains what a run showed",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and ranks it by what it
explains of what differed, and by how little it foretells that was not seen. ` + runWords,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := runs.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			return explain(w, c)
		},
	}
	runs.flags(cmd)
	return cmd
}

// explain prints what explains a run.
func explain(w io.Writer, c *chip) error {
	rec := c.recording
	theCase, asked, err := caseOf(rec, c)
	if err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(w, "%s, board %s, compared with the %s model: %d of %d passes are FAIL\n", rec.Start.Transport, c.board.Name, c.revision, theCase.Failed, theCase.Passes)
	if rec.Cut != "" {
		fmt.Fprintf(w, "  the recording is not whole: %s\n", rec.Cut)
	}
	f := theCase.Diagnose()
	if len(f.Causes) == 0 {
		fmt.Fprintln(w, "nothing differs, so there is nothing to explain")
		return nil
	}
	printFinding(w, inWords(c.board, f))
	return tellApart(w, c, f, asked)
}

// caseOf reads the passes that were answered, and says which vectors they asked.
func caseOf(rec *record.Recording, c *chip) (*diagnose.Case, map[string]bool, error) {
	theCase, asked := &diagnose.Case{Revision: c.revision}, map[string]bool{}
	for p, err := range rec.Passes() {
		if err != nil {
			return nil, nil, err
		}
		if len(p.Got) > 0 {
			theCase.Add(p.Steps, p.Got)
			asked[p.Vector] = true
		}
	}
	return theCase, asked, nil
}

// inWords is what a finding says, with the places of the lines on a board.
func inWords(b *boards.Board, f diagnose.Finding) *page.Explanation {
	var best []diagnose.Hypothesis
	for _, cause := range f.Causes[:f.Ties] {
		best = append(best, cause.Hypothesis)
	}
	top := f.Causes[0]
	e := &page.Explanation{Verb: "explained by",
		Account: fmt.Sprintf("which explains %d of the %d bits that differ, and foretells %d otherwise than they were", top.Explained, top.Differs, top.Foretold)}
	for _, s := range diagnose.Suspects(best) {
		e.Suspects = append(e.Suspects, s.String()+places(b, s.Lines))
	}
	switch {
	case top.Explained < top.Differs/2:
		e.Verb = "no single fault that the bench knows explains it; the nearest is"
	case len(e.Suspects) > 1:
		e.Verb = "ambiguous between"
	}
	for _, cause := range f.Causes[f.Ties:] {
		if cause.Explained > 0 && len(e.Less) < 3 {
			e.Less = append(e.Less, page.Less{Name: cause.String(), Explained: cause.Explained, Differs: cause.Differs, Foretold: cause.Foretold})
		}
	}
	return e
}

func printFinding(w io.Writer, e *page.Explanation) {
	fmt.Fprintf(w, "\n%s:\n", e.Verb)
	for _, s := range e.Suspects {
		fmt.Fprintf(w, "  %s\n", s)
	}
	fmt.Fprintln(w, e.Account)
	for i, l := range e.Less {
		if i == 0 {
			fmt.Fprintf(w, "\n%-28s %20s %22s\n", "less likely", "explains", "foretells otherwise")
		}
		fmt.Fprintf(w, "%-28s %9d of %-9d %21d\n", l.Name, l.Explained, l.Differs, l.Foretold)
	}
}

// tellApart names vectors that were not asked and that would tell the causes apart.
func tellApart(w io.Writer, c *chip, f diagnose.Finding, asked map[string]bool) error {
	if f.Ties < 2 {
		return nil // one is left
	}
	suites, err := golden.Load(golden.FS())
	if err != nil {
		return err
	}
	var names []string
	var sequences [][]transport.Step
	var q driver.Sequence
	for _, s := range suites {
		for i := range s.Vectors {
			v := &s.Vectors[i]
			if q.Compile(v); !asked[v.Name] && driver.Lint(q.Steps) == nil {
				names, sequences = append(names, v.Name), append(sequences, slices.Clone(q.Steps))
			}
		}
	}
	picked := diagnose.Telling(f.Causes[:f.Ties], sequences, 3)
	if picked == nil {
		fmt.Fprintln(w, "\nno other vector that the bench has tells them apart")
		return nil
	}
	fmt.Fprintln(w, "\nvectors that would tell more of them apart:")
	for _, i := range picked {
		fmt.Fprintf(w, "  %s\n", c.command("run", "--run", "^"+regexp.QuoteMeta(names[i])+"$"))
	}
	return nil
}
