package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/diagnose/explain"
	"utfbench/driver"
	"utfbench/wiring"
)

func newWiring() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "wiring",
		Short: "Tell whether a wire is at fault, and which, before the chip is judged",
		Long: `wiring puts some hundred steps on the lines and says which fault of a wire explains the answers, if one does:
a line stuck, open, shorted to another or swapped with it. bench run does the same first where there are wires.

Exit codes: 0 the wires are good, 1 the answers are wrong and the wires alone do not explain it, 2 bad input,
3 the bench could not find out, 4 the wiring is at fault.`,
		Example: `  bench wiring -t rp2040
  bench wiring --fault 'uio3~uio4=and'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return t.wiring(cmd) },
	}
	t.flags(cmd)
	return cmd
}

func (t *target) wiring(cmd *cobra.Command) error {
	c, err := t.open(cmd)
	if err != nil {
		return err
	}
	defer c.leave()
	r, err := wiring.Check(cmd.Context(), c.Transport, c.Revision)
	if err != nil {
		return c.stopped(cmd.Context(), err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s, board %s, compared with the %s model: %d steps\n", c, c.Board.Name, c.Revision, r.Steps)
	c.printWiring(cmd.OutOrStdout(), r)
	return judged(r.Verdict)
}

// stopped is the error of a transport, or an interrupt.
func (c *chip) stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exit{exitInterrupted, fmt.Errorf("stopped")}
	}
	return benchFault(err)
}

var wiringWords = map[driver.Verdict]string{wiring.Good: "GOOD", wiring.Bad: wiring.Bad.String(), wiring.Unclear: "UNCLEAR"}

func (c *chip) printWiring(w io.Writer, r *wiring.Report) {
	fmt.Fprintf(w, "%-7s  %s\n", wiringWords[r.Verdict], r.Why+c.Asked.Unasked())
	for _, s := range c.suspects(r) {
		fmt.Fprintf(w, "         %s\n", s)
	}
}

// suspects says of each wire what may be wrong with it, and where it is.
func (c *chip) suspects(r *wiring.Report) (all []string) {
	for _, s := range r.Lines() {
		all = append(all, s.String()+explain.Places(c.Board, s.Lines))
	}
	return all
}

// badWires says what checkWires found; nothing if the wires are not at fault. The suspects are put after sep.
func (c *chip) badWires(sep string) string {
	if c.broken == nil {
		return ""
	}
	return c.broken.Why + ":" + sep + strings.Join(c.suspects(c.broken), sep)
}

// checkWires is what bench run does first where there are wires: a chip behind bad ones is not judged.
func (c *chip) checkWires(ctx context.Context) error {
	r, err := wiring.Check(ctx, c.Transport, c.Revision)
	if err != nil {
		return c.stopped(ctx, err)
	}
	switch r.Verdict {
	case wiring.Bad:
		c.broken = r
	case wiring.Unclear:
		c.Notes = append(c.Notes, "before the first vector: "+r.Why+"; see "+c.command("wiring"))
	}
	return nil
}
