package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/transport/rp2040"
)

func newInfo() *cobra.Command {
	var demo demoFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Ask a board with MicroPython what it is, driving none of its pins",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := fromEnvironment(cmd); err != nil {
				return err
			}
			d, err := demo.dial(cmd.Context(), "")
			if err != nil {
				return err
			}
			defer d.Close()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), struct {
					Port string `json:"port"`
					*rp2040.Facts
				}{d.port, d.facts})
			}
			return d.print(cmd.OutOrStdout())
		},
	}
	demo.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (d *demoBoard) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	line("port", "%s", d.port)
	line("machine", "%s, at %g MHz, id %s", d.facts.Machine, float64(d.facts.Hertz)/1e6, d.facts.ID)
	line("MicroPython", "%s", d.facts.Firmware)
	if sdk := d.facts.SDK; sdk == nil {
		line("SDK", "none")
	} else {
		line("SDK", "%s, on a board %s", sdk.Version, cmp.Or(sdk.Carrier, "that it does not name"))
		line("chip", "shuttle %s, commit %s", sdk.Shuttle, cmp.Or(sdk.Commit, "unknown"))
		line("design", "%s", d.selected())
	}
	if b, err := d.detect(); err == nil {
		line("board", "%s, %s", b.Name, b.Title)
	} else {
		line("board", "not known; give it to the other commands with --board")
	}
	return table.Flush()
}

// selected is the design that the SDK has enabled.
func (d *demoBoard) selected() string {
	sdk := d.facts.SDK
	if sdk.Design == "" {
		return "none is selected"
	}
	text := fmt.Sprintf("%s, number %d", sdk.Design, sdk.Number)
	if sdk.Clock != 0 {
		text += fmt.Sprintf(", clocked at %d Hz", sdk.Clock)
	}
	return text
}
