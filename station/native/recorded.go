package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"utfbench/cause/cells"
	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/internal/files"
	"utfbench/runs/explain"
	"utfbench/runs/export"
	"utfbench/runs/history"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/utf"
)

// A Past judges runs of a history again, for a browser. Paths of tiles in recordings are ignored: they may come from
// another machine.
type Past struct {
	Version string // of the program
	Lab     bool   // the history is a lab's
}

// open opens a run of a history.
func (Past) open(ctx context.Context, of *history.History, number int) (*station.Chip, error) {
	t := New("replay:" + strconv.Itoa(number))
	t.Tile, t.Recordings = utf.TT09, of.Recordings
	return t.Open(ctx)
}

func (p Past) judge(ctx context.Context, c *station.Chip, to report.Reporter) error {
	asked, err := c.PlanAgain(new(plan.Selection))
	if err != nil {
		return err
	}
	o, err := (&station.Run{Chip: c, Asked: asked, Version: p.Version}).Judge(ctx, to)
	switch {
	case err != nil:
		return err
	case o.Interrupted:
		return ctx.Err()
	case o.Trouble != "":
		return errors.New(o.Trouble)
	}
	return nil
}

// Report writes the page of a run, as bench report does.
func (p Past) Report(ctx context.Context, w io.Writer, of *history.History, number int) error {
	c, err := p.open(ctx, of, number)
	if err != nil {
		return err
	}
	defer c.Close()
	out := &explain.Page{Out: w, Origin: c.Origin(), From: &c.Recording.Start, Lab: p.Lab,
		Number: func() int { return number }}
	return p.judge(ctx, c, out.Diagnosed(c.Board, c.Tile, Simulated(c.Origin())))
}

// Bundle writes the zip of a run, as bench bundle does that asks no chip.
func (p Past) Bundle(ctx context.Context, w io.Writer, of *history.History, number int) error {
	c, err := p.open(ctx, of, number)
	if err != nil {
		return err
	}
	defer c.Close()
	b := export.Bundle{Recording: c.Recording, Tile: c.Tile, Version: p.Version,
		Judge: func(text io.Writer, told report.All) error {
			return p.judge(ctx, c, append(report.All{&report.Text{Out: text}}, told...))
		}}
	_, err = b.Write(w)
	return err
}

// Attach adds to a page what other commands wrote of the chip, files by path: a shmoo, its timing, and the cells that
// explain the run; "" is none.
func Attach(p *explain.Page, grid, measured, diagnosis string) (err error) {
	if grid != "" {
		if p.Shmoo, err = shmoo.ReadFile(grid); err != nil {
			return fmt.Errorf("--shmoo: %w", err)
		}
	}
	if measured != "" {
		if p.Timing, err = timing.ReadFile("timing", measured); err != nil {
			return err
		}
	}
	if diagnosis == "" {
		return nil
	}
	f, err := files.Diagnosis.Open(diagnosis)
	if err != nil {
		return fmt.Errorf("--diagnosis: %w", err)
	}
	defer f.Close()
	if p.Inside, err = cells.ReadLocated(f); err != nil {
		return fmt.Errorf("--diagnosis: %s: %w", diagnosis, err)
	}
	return nil
}
