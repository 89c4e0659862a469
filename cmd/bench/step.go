package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"utfbench/driver/step"
)

func newStep() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "step",
		Short: "Apply steps from standard input, one a line; the door for other programs",
		Long: `step reads a step a line and answers each with a line.

  in   UI UIO OE RST CLK   two hex digits each for UI, UIO and OE (the uio bits that the
                           bench drives); RST is the level of rst_n, CLK the number of
                           clock pulses, 0 to 255
  out  UO UIO              two hex digits each, x for a digit with an unknown bit

Blank lines and lines that begin with # are skipped. Answers are flushed at once unless more
input is already waiting. A bad line, or one in which bench and chip would both drive uio, ends
it with exit code 2, after everything before it was answered.`,
		Example: `  printf 'FF 00 00 0 1\n6F 41 FF 1 1\nFF 00 00 1 0\n' | bench step`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := t.open(cmd)
			if err != nil {
				return err
			}
			defer c.leave()
			return c.steps(cmd)
		},
	}
	t.flags(cmd)
	return cmd
}

func (c *chip) steps(cmd *cobra.Command) error {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	d := step.Door{Chip: c, Tile: c.Tile, Person: isTerminal(in) && isTerminal(out)}
	err := d.Serve(cmd.Context(), in, out)
	var bad *step.LineError
	switch {
	case errors.Is(err, context.Canceled):
		if d.Person {
			fmt.Fprintln(os.Stdout) // leave the prompt's line
		}
		return &exit{code: exitInterrupted}
	case err == nil, errors.As(err, &bad):
		return err
	}
	return benchFault(err)
}
