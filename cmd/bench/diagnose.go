package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/desk"
	"utfbench/diagnose"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/record"
	"utfbench/report/page"
	"utfbench/transport"
)

func newDiagnose() *cobra.Command {
	var runs runFinder
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diagnose RUN",
		Short: "Find the wire or register bit that explains what a run showed",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and ranks it by what it
explains of what differed, and by how little it foretells that was not seen. Its conclusion is wire, register, revision,
intermittent (a line that comes and goes), logic (the same questions are answered wrongly each time, and no such fault explains
it), unexplained, or nothing. ` + runWords,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := runs.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			d, err := diagnosed(c)
			switch {
			case err != nil:
				return err
			case asJSON:
				return json.NewEncoder(w).Encode(d)
			}
			d.print(w)
			return nil
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the diagnosis as a JSON object")
	return cmd
}

// A diagnosis is what bench diagnose says; docs/formats.md describes its fields.
type diagnosis struct {
	Transport string `json:"transport"`
	Board     string `json:"board"`
	Revision  string `json:"revision"`
	Cut       string `json:"cut,omitempty"` // why the recording is not whole
	Passes    int    `json:"passes"`
	Failed    int    `json:"failed"`
	*page.Explanation
	Ask []string `json:"ask,omitempty"` // vectors that would tell more

	ambiguous bool
	command   func(words ...string) string // of bench, for the chip that was recorded
}

// diagnosed finds what explains a recorded run.
func diagnosed(c *chip) (*diagnosis, error) {
	rec := c.Recording
	theCase, asked, err := caseOf(rec, c)
	if err != nil {
		return nil, benchFault(err)
	}
	f := theCase.Diagnose()
	d := &diagnosis{Transport: rec.Start.Transport, Board: c.Board.Name, Revision: c.Revision.String(), Cut: rec.Cut,
		Passes: theCase.Passes, Failed: theCase.Failed, Explanation: inWords(c.Board, f), ambiguous: f.Ties > 1 && len(f.Common) == 0, command: c.command}
	if d.ambiguous {
		d.Ask, err = tellApart(f, asked)
	}
	return d, err
}

func (d *diagnosis) print(w io.Writer) {
	fmt.Fprintf(w, "%s, board %s, compared with the %s model: %d of %d passes are FAIL\n", d.Transport, d.Board, d.Revision, d.Failed, d.Passes)
	if d.Cut != "" {
		fmt.Fprintf(w, "  the recording is not whole: %s\n", d.Cut)
	}
	if d.Conclusion == string(diagnose.Nothing) {
		fmt.Fprintln(w, d.Why)
		return
	}
	fmt.Fprintf(w, "\nconclusion: %s\n%s\n", d.Conclusion, d.Why)
	printCauses(w, d.Explanation)
	printCommon(w, d.Common)
	switch {
	case len(d.Ask) > 0:
		fmt.Fprintln(w, "\nvectors that would tell more of them apart:")
		for _, name := range d.Ask {
			fmt.Fprintf(w, "  %s\n", d.command("run", "--run", "^"+regexp.QuoteMeta(name)+"$"))
		}
	case d.ambiguous:
		fmt.Fprintln(w, "\nno other vector that the bench has tells them apart")
	}
}

// caseOf reads the passes that were answered, and says which vectors they asked.
func caseOf(rec *record.Recording, c *chip) (*diagnose.Case, map[string]bool, error) {
	theCase, asked := &diagnose.Case{Revision: c.Revision, Simulated: desk.Simulated(rec.Start.Transport)}, map[string]bool{}
	for p, err := range rec.Passes() {
		if err != nil {
			return nil, nil, err
		}
		if len(p.Got) > 0 {
			theCase.Add(p.Vector, p.Steps, p.Got)
			asked[p.Vector] = true
		}
	}
	return theCase, asked, nil
}

// inWords is what a finding says, with the places of the lines on a board.
func inWords(b *boards.Board, f diagnose.Finding) *page.Explanation {
	e := &page.Explanation{Conclusion: string(f.Conclusion), Why: f.Why()}
	for _, t := range f.Common {
		e.Common = append(e.Common, page.Trait(t))
	}
	if len(f.Causes) == 0 || f.Causes[0].Explained < f.Causes[0].Differs/2 {
		return e // not even near
	}
	var best []diagnose.Hypothesis
	for _, cause := range f.Causes[:f.Ties] {
		best = append(best, cause.Hypothesis)
	}
	for _, s := range diagnose.Suspects(best) {
		e.Suspects = append(e.Suspects, s.String()+places(b, s.Lines))
	}
	top := f.Causes[0]
	e.Account = fmt.Sprintf("which explains %d of the %d bits that differ, and foretells %d otherwise than they were", top.Explained, top.Differs, top.Foretold)
	e.Verb = verb(f, len(e.Suspects))
	for _, cause := range f.Causes[f.Ties:] {
		if cause.Explained > 0 && len(e.Less) < 3 {
			e.Less = append(e.Less, page.Less{Name: cause.String(), Explained: cause.Explained, Differs: cause.Differs, Foretold: cause.Foretold})
		}
	}
	return e
}

func verb(f diagnose.Finding, suspects int) string {
	switch {
	case len(f.Common) > 0: // it is not the cause, or not known to be
		return "no single fault that the bench knows is sure to explain it; the nearest is"
	case len(f.Causes[0].Suspects()) > 1:
		return "explained together by"
	case suspects > 1:
		return "ambiguous between"
	}
	return "explained by"
}

func printCauses(w io.Writer, e *page.Explanation) {
	if len(e.Suspects) == 0 {
		return
	}
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

// printCommon prints what failing passes have in common.
func printCommon(w io.Writer, common []page.Trait) {
	for i, t := range common {
		if i == 0 {
			fmt.Fprintf(w, "\n%-40s %18s %18s\n", "where they first go wrong", "failing passes", "passing passes")
		}
		fmt.Fprintf(w, "%-40s %8d of %-7d %8d of %d\n", t.What, t.Failing, t.OfFailing, t.Passing, t.OfPassing)
	}
}

// tellApart names vectors that were not asked and that would tell the causes apart.
func tellApart(f diagnose.Finding, asked map[string]bool) (ask []string, err error) {
	suites, err := golden.Load(golden.FS())
	if err != nil {
		return nil, err
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
	for _, i := range diagnose.Telling(f.Causes[:f.Ties], sequences, 3) {
		ask = append(ask, names[i])
	}
	return ask, nil
}
