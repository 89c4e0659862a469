package main

import (
	"context"
	"strings"

	"utfbench/cause/wiring"
	"utfbench/runs/explain"
)

// badWires says what checkWires found; nothing if the wires are not at fault. The suspects are put after sep.
func (c *chip) badWires(sep string) string {
	if c.broken == nil {
		return ""
	}
	return c.broken.Why + ":" + sep + strings.Join(explain.Suspects(c.Board, c.broken), sep)
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
