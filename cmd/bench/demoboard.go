package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"utfbench/boards/shuttles"
	"utfbench/transport"
	"utfbench/transport/rp2040"
	"utfbench/transport/rp2040/demoboard"
)

// demoFlags are the flags of the transport rp2040.
type demoFlags struct {
	port, design string
	insist       bool
	patience     time.Duration
}

func (o *demoFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.port, "port", "", "serial port of an rp2040 board: device, VID:PID:SERIAL or serial number (default: the only board; see bench ports)")
	f.DurationVar(&o.patience, "patience", rp2040.DefaultPatience, "for an answer of an rp2040 board, and in proportion for its start; without one the run ends in ERROR")
	f.StringVar(&o.design, "design", "", "design to select on the shuttle's chip, by name or number (see bench designs); none leaves it alone (default: "+project+")")
	f.BoolVar(&o.insist, "insist", false, "go on where the bench refuses: select a design that is marked as dangerous, judge a chip that does not answer as this design")
}

// project is the chip's name on the shuttles that carry it.
const project = "tt_um_rebeccargb_hardware_utf8"

// dialDemoBoard opens the board's REPL; WHERE is the port.
func (t *target) dialDemoBoard(ctx context.Context, where string) (*demoboard.Board, error) {
	named, err := t.namedBoard("rp2040")
	if err != nil {
		return nil, err
	}
	if err := t.times.check(rp2040.Longest); err != nil {
		return nil, err
	}
	o := &t.demo
	b, err := demoboard.Dial(ctx, demoboard.Options{Port: cmp.Or(where, o.port), Board: named, Project: project, Design: o.design, Insist: o.insist,
		Patience: o.patience, Settle: max(t.times.settle, 1), Pulse: max(t.times.pulse, 1)})
	return b, boardFault(err)
}

// boardFault is an error of a board: bad input, or the bench's fault.
func boardFault(err error) error {
	if err == nil || errors.Is(err, demoboard.ErrUsage) {
		return err
	}
	return benchFault(err)
}

// openRP2040 opens a board at a serial port; WHERE is the port.
func (t *target) openRP2040(ctx context.Context, where string, c *chip) (transport.Transport, error) {
	b, err := t.dialDemoBoard(ctx, where)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	for _, l := range t.layers(b, c) {
		if err := l.Pass(ctx); err != nil {
			return nil, boardFault(err)
		}
	}
	c.notes, c.firmware = b.Notes, b.Facts.Machine+", MicroPython "+b.Facts.Firmware
	if r := b.ROM; r != nil {
		c.rom = fmt.Sprintf("%s, %s, commit %s", r.Shuttle, cmp.Or(r.Repo, "no repository"), cmp.Or(r.Commit, "unknown"))
	}
	return c.Transport, nil
}

// layers go from the REPL to a chip that is selected, known, and parked.
func (t *target) layers(b *demoboard.Board, c *chip) []demoboard.Layer {
	return append(b.Layers(),
		demoboard.Layer{Name: "chip ROM", Pass: func(context.Context) error { return t.revisionOf(b, c) }, Well: func() string { return "revision " + c.revision.String() + ", as the ROM and --revision say" }},
		demoboard.Layer{Name: "program upload", Pass: func(ctx context.Context) error {
			tr, err := b.Start(ctx)
			if err != nil {
				return err
			}
			c.Transport, c.board, c.device, c.at = tr, b.Wiring, b.Facts.ID, designOf(b)
			return nil
		}, Well: func() string { return "the step program runs, the chip is parked" }})
}

// revisionOf is the revision to compare with: the user's, or what follows from the shuttle and the commit that was fabricated, or the
// usual one until the chip was asked.
func (t *target) revisionOf(b *demoboard.Board, c *chip) error {
	named := t.revision != ""
	if b.ROM == nil {
		c.ask = !named
		if !named {
			b.Notes = append(b.Notes, fmt.Sprintf("no chip ROM was read, so the chip is taken for %s unless it answers otherwise; --revision takes another", c.revision))
		}
		return nil
	}
	index, err := shuttles.Load()
	if err != nil {
		return benchFault(err)
	}
	rev, known := revisionOn(index, b.ROM.Shuttle)
	note := ""
	switch {
	case !known && !named:
		c.ask, note = true, fmt.Sprintf("the chip's ROM says %s, and which revision that carries is not known: the chip is asked", b.ROM.Shuttle)
	case !named:
		c.revision, note = rev, fmt.Sprintf("the chip's ROM says %s, commit %s, so its revision is %s", b.ROM.Shuttle, cmp.Or(b.ROM.Commit, "unknown"), rev)
	case c.revision != rev || !known:
		note = fmt.Sprintf("the chip's ROM says %s, and --revision says %s", b.ROM.Shuttle, t.revision)
	}
	if note != "" {
		b.Notes = append(b.Notes, note)
	}
	return nil
}

// designOf says what is at the number that was selected, for a sentence; empty where that is not known.
func designOf(b *demoboard.Board) string {
	if b.ROM == nil || b.Number == 0 {
		return ""
	}
	index, err := shuttles.Load()
	if err != nil {
		return ""
	}
	for _, s := range index.Said(b.ROM.Shuttle) {
		if at := s.At(b.Number); len(at) > 0 {
			return fmt.Sprintf("number %d of %s is %s by the shuttle index; ", b.Number, s.Name, at[0].Name)
		}
	}
	return ""
}
