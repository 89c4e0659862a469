package main

import (
	"context"

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
