package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/transport/rp2040"
	"utfbench/transport/rp2040/demoboard"
)

func newInfo() *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Ask a board with MicroPython what it is, driving none of its pins",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := variables.Take(cmd.Flags()); err != nil {
				return err
			}
			b, err := t.DialDemoBoard(cmd.Context(), "")
			if err != nil {
				return err
			}
			defer b.Close()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), struct {
					Port string `json:"port"`
					*rp2040.Facts
				}{b.Port, b.Facts})
			}
			return printInfo(cmd.OutOrStdout(), b)
		},
	}
	t.prepare()
	t.demoFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func printInfo(w io.Writer, b *demoboard.Board) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	f := b.Facts
	line("port", "%s", b.Port)
	line("machine", "%s, at %g MHz, id %s", f.Machine, float64(f.Hertz)/1e6, f.ID)
	line("MicroPython", "%s, %d kB of memory free", f.Firmware, f.Free/1000)
	switch sdk := f.SDK; {
	case sdk != nil:
		line("SDK", "%s, on a board %s", sdk.Version, cmp.Or(sdk.Carrier, "that it does not name"))
		line("chip", "%s", chipOf(sdk))
		line("design", "%s", selected(sdk))
	case f.Installed:
		line("SDK", "on the board, not started: bench safe --reboot starts it")
	default:
		line("SDK", "none")
	}
	if w, err := b.Detect(); err == nil {
		line("board", "%s, %s", w.Name, w.Title)
	} else {
		line("board", "not known; give it to the other commands with --board")
	}
	return table.Flush()
}

// chipOf is what the SDK says of the chip.
func chipOf(sdk *rp2040.SDK) string {
	text := fmt.Sprintf("shuttle %s, commit %s", sdk.Shuttle, cmp.Or(sdk.Commit, "unknown"))
	if !sdk.Read {
		text += "; this is not from its ROM, which the bench reads itself"
	}
	return text
}

// selected is the design that the SDK has enabled.
func selected(sdk *rp2040.SDK) string {
	if sdk.Design == "" {
		return "none is selected"
	}
	text := fmt.Sprintf("%s, number %d", sdk.Design, sdk.Number)
	if sdk.Clock != 0 {
		text += fmt.Sprintf(", clocked at %d Hz", sdk.Clock)
	}
	return text
}
