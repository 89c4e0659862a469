package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"github.com/spf13/cobra"

	"utfbench/cause/diagnose"
	"utfbench/desk"
	"utfbench/runs/explain"
	"utfbench/runs/page"
)

func newDiagnose() *cobra.Command {
	var runs runFinder
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diagnose RUN",
		Short: "Find the wire or register bit that explains what a run showed",
		Long: `diagnose simulates what may be wrong with the wires and the chip on the very steps of a run, and ranks it by what it
explains of what differed, and how few wrong bits it predicts that were not seen. Its conclusion is wire, register, revision,
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
			d, err := explain.Recording(c.Recording, c.Board, c.Tile, desk.Simulated(c.Origin()))
			switch {
			case err != nil:
				return benchFault(err)
			case asJSON:
				return json.NewEncoder(w).Encode(d)
			}
			printDiagnosis(w, c, d)
			return nil
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the diagnosis as a JSON object")
	return cmd
}

func printDiagnosis(w io.Writer, c *chip, d *explain.Diagnosis) {
	fmt.Fprintf(w, "%s, board %s, compared with the %s model: %d of %d executions are FAIL\n", d.Transport, d.Board, d.Revision, d.Failed, d.Executions)
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
			fmt.Fprintf(w, "  %s\n", c.command("run", "--run", "^"+regexp.QuoteMeta(name)+"$"))
		}
	case d.Ambiguous:
		fmt.Fprintln(w, "\nno other vector that the bench has tells them apart")
	}
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
			fmt.Fprintf(w, "\n%-28s %20s %22s\n", "less likely", "explains", "predicts, not seen")
		}
		fmt.Fprintf(w, "%-28s %9d of %-9d %21d\n", l.Name, l.Explained, l.Differs, l.Unseen)
	}
}

// printCommon prints what failing executions have in common.
func printCommon(w io.Writer, common []page.Trait) {
	for i, t := range common {
		if i == 0 {
			fmt.Fprintf(w, "\n%-40s %18s %18s\n", "where they first go wrong", "failing executions", "passing executions")
		}
		fmt.Fprintf(w, "%-40s %8d of %-7d %8d of %d\n", t.What, t.Failing, t.OfFailing, t.Passing, t.OfPassing)
	}
}
