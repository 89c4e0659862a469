package main

import (
	"context"
	"fmt"
	"io"

	"utfbench/cause/wiring"
	"utfbench/runs/explain"
	"utfbench/runs/report"
	"utfbench/tile"
)

// badWires returns what checkWires found, with sep between suspects; nothing if the wires are not at fault.
func (c *chip) badWires(sep string) string {
	if c.broken == nil {
		return ""
	}
	return explain.Found(c.Board, c.broken, sep)
}

// wires returns what the check of the wires found if they alone do not explain it, or what it found before the run
// that is judged again.
func (c *chip) wires() *report.Wires {
	switch {
	case c.Recording != nil:
		return c.Recording.Start.Wires
	case c.doubtful != nil:
		return explain.Wires(c.doubtful)
	}
	return nil
}

// doubt returns what is wrong with the chip before the first vector, as the check of the wires found; it is empty if
// nothing is.
func (c *chip) doubt() string {
	w := c.wires()
	if w == nil {
		return ""
	}
	return "before the first vector: " + w.Why
}

// tellWires tells what checkWires found wrong, for what is not begun then, and returns its verdict as an error.
func (c *chip) tellWires(w io.Writer) error {
	found, what := c.broken, "the wiring is at fault, and the chip was not judged"
	if found == nil {
		found, what = c.doubtful, "the chip answers wrongly before the first case, and was not swept; --no-wiring "+
			"sweeps it all the same"
	}
	if found == nil {
		return nil
	}
	fmt.Fprintf(w, "%s, board %s: %s\n", c, c.Board.Name, what)
	explain.Wiring(w, c.Board, found, c.Asked.Unasked())
	return judged(found.Verdict)
}

// checkWires is what bench run does first where there are wires: a chip behind bad ones is not judged. Without a
// reference nobody knows what a chip shows behind them.
func (c *chip) checkWires(ctx context.Context) error {
	if _, silent := c.Tile.New().(tile.Silent); silent {
		c.Notes = append(c.Notes, "the wires are not checked, since that takes the tile's own "+
			"reference: see bench doctor")
		return nil
	}
	r, err := c.CheckWires(ctx)
	if err != nil {
		return c.stopped(ctx, err)
	}
	switch r.Verdict {
	case wiring.Bad:
		c.broken = r
	case wiring.Unclear:
		c.Notes = append(c.Notes, "before the first vector: "+explain.Found(c.Board, r, "; ")+"; see "+
			c.command("wiring"))
		c.doubtful = r
	}
	return nil
}
