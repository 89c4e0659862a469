package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/station"
)

// firstContact is the file that doctor --first writes.
const firstContact = "first-contact.json"

func newDoctor(d *design) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check each layer between bench and chip, up to one that fails",
		Long: `doctor goes from the port to the chip, a line for each layer: ok, or what is wrong and what to
do about it. On first contact with a board, --first also measures what the bench assumes about it,
and writes first-contact.json for the authors; see docs/first-board.md.

Exit codes: 0 all is well, 1 the chip or a wire, 4 a wire, 3 a layer before the chip, or the board differs from an
assumption, 5 all is well, but no sample was compared, 7 nothing differs, but lines that the tile uses are
unproven.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := struct {
				files.DocumentHead
				Verdict string            `json:"verdict"`
				Layers  []station.Finding `json:"layers"`
			}{DocumentHead: head()}
			verdict, err := t.examine(cmd, func(f station.Finding) {
				if d.Layers = append(d.Layers, f); !asJSON {
					fmt.Fprintln(cmd.OutOrStdout(), f)
				}
			})
			if d.Verdict = verdict.String(); t.FirstContact && len(d.Layers) > 1 { // otherwise no board was reached
				var text bytes.Buffer
				of := d
				of.Layers = station.AnonymiseFindings(d.Layers)
				werr := cmp.Or(files.WriteDocument(&text, of), files.Write(t.env.Path(firstContact), text.Bytes(), 0))
				if err = cmp.Or(err, benchFault(werr)); werr == nil && !asJSON {
					fmt.Fprintln(cmd.OutOrStdout(), firstContact+" has all of this: attach it to an issue in any case")
				}
			}
			switch {
			case asJSON && d.Layers != nil && cmd.Context().Err() == nil: // without layers there is only an error
				err = cmp.Or(files.WriteDocument(cmd.OutOrStdout(), d), err)
			case err == nil && !asJSON:
				report.WriteSuggestions(cmd.OutOrStdout(), []report.Suggestion{
					{Args: append([]string{"run"}, t.Args()...), Purpose: "every vector"}})
			case !asJSON && slices.ContainsFunc(d.Layers, station.Finding.HasWrongSamples):
				next := report.SuggestAfterWiring(verdict, append([]string{"doctor"}, t.Args()...), t.Args())
				next = next[min(len(t.Faults), len(next)-1):] // a mock needs no repair
				report.WriteSuggestions(cmd.OutOrStdout(), next)
			}
			return err
		},
	}
	t.flags(cmd, d, "at", "sample", "lead") // the wires are checked step by step
	cmd.Flags().BoolVar(&t.FirstContact, "first", false, "measure what the bench assumes about the board, and write "+
		firstContact)
	jsonFlag(cmd, &asJSON)
	return cmd
}
