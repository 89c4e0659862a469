package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/runs/explain"
)

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
	r, err := wiring.Check(ctx, c.Transport, c.Tile)
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
