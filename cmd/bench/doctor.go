package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/internal/printable"
	"utfbench/runs/next"
	"utfbench/station"
)

func newDoctor(d *design) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check each layer between bench and chip, with a hint for the first that fails",
		Long: `doctor goes from the port to the chip, a line for each layer: ok, or what is wrong and what to
do about it.

Exit codes: 0 all is well, 1 the chip or a wire, 2 bad input, 3 a layer before the chip, 5 all
is well of the mock alone: no chip was tested.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return t.doctorJSON(cmd)
			}
			_, err := t.examine(cmd, func(f station.Finding) { fmt.Fprintln(cmd.OutOrStdout(), f) })
			if err == nil {
				next.Write(cmd.OutOrStdout(), []next.Step{{Words: append([]string{"run"}, t.Words()...),
					Why: "every vector on that chip"}}, printable.Command)
			}
			return err
		},
	}
	t.flags(cmd, d)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// doctorJSON writes all layers as one document. Without a layer it returns only the error.
func (t *target) doctorJSON(cmd *cobra.Command) error {
	d := struct {
		document.Head
		Verdict string            `json:"verdict"`
		Layers  []station.Finding `json:"layers"`
	}{Head: head()}
	verdict, err := t.examine(cmd, func(f station.Finding) { d.Layers = append(d.Layers, f) })
	if d.Layers == nil || cmd.Context().Err() != nil {
		return err
	}
	d.Verdict = verdict.String()
	return cmp.Or(document.Write(cmd.OutOrStdout(), d), err)
}
