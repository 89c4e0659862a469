package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/station"
)

func newStep(d *design) *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "step",
		Short: "Apply steps from standard input: the interface for other programs",
		Long: `step reads a step a line and responds to each with a line.

` + driver.StepSyntax + `
Blank lines and lines that begin with # are skipped. Responses are flushed unless more input is
waiting. A bad line, or one in which bench and chip would both drive uio, ends it with exit code 2. On
a terminal help says what may be typed, and it continues after a bad line.`,
		Example: `  printf 'FF 00 00 0 1\n6F 41 FF 1 1\nFF 00 00 1 0\n' | bench step`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if k, _, err := t.FindKind(); err == nil && k.Simulated {
				t.Insist = true // nothing is judged, so any design may be driven
			}
			return t.withChip(cmd, func(c *station.Chip) error { return stepThrough(cmd, c) })
		},
	}
	t.flags(cmd, d)
	return cmd
}

func stepThrough(cmd *cobra.Command, c *station.Chip) error {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	d := driver.Stepper{Chip: c, Tile: c.Tile, Interactive: cli.IsTerminal(in) && cli.IsTerminal(out)}
	err := d.Serve(cmd.Context(), in, out)
	var bad *driver.StepError
	switch {
	case errors.Is(err, context.Canceled):
		if d.Interactive {
			fmt.Fprintln(out) // end the line of the prompt
		}
		return failure.AlreadyPrinted(failure.Interrupted)
	case err == nil, errors.As(err, &bad):
		return failure.Usage(err)
	}
	return benchFault(err)
}
