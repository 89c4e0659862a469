package station

import (
	"cmp"
	"context"
	"fmt"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
	"utfbench/transport/rp2040"
	"utfbench/transport/rp2040/demoboard"
)

// RP2040 returns the kind of a chip on a demo board at a serial port.
func RP2040() Kind {
	return Kind{Name: "rp2040", HasWires: true, Open: openRP2040, CheckBoard: checkDemoBoard,
		Options:       []string{"design", "insist", "settle", "pulse", "at", "sample", "lead"},
		DeviceName:    func(t *Target, where string) string { return "rp2040:" + device(where) },
		AbsenceReason: absentPort, Park: parkDemoBoard, Reboot: rebootDemoBoard, HasFactoryTest: HasFactoryTest,
		examine: func(ctx context.Context, e *examination, where string) (*Chip, error) {
			return e.demoBoard(ctx, where)
		}}
}

func checkDemoBoard(b *boards.Board) error {
	_, _, err := b.PinNumbers()
	if err == nil && b.Mux != nil {
		_, err = b.MuxPinNumbers()
	}
	return err
}

// HasFactoryTest reports whether the bench can select the factory test on the target's chip.
func HasFactoryTest(t *Target, c *Chip) bool {
	return c.Board.Mux != nil && t.Design != "none" && t.Tile.Name() != (tile.FactoryTest{}).Name()
}

// DialDemoBoard opens the REPL of the board at a port, or of the only board for "". It drives no pin.
func (t *Target) DialDemoBoard(ctx context.Context, port string) (*demoboard.Board, error) {
	named, err := t.namedBoard(RP2040().Name)
	if err != nil {
		return nil, err
	}
	if err := t.CheckTimes(rp2040.MaxWait); err != nil {
		return nil, err
	}
	b, err := demoboard.Dial(ctx, demoboard.Options{Port: port, Open: t.OpenSerial, Board: named, Project: t.project(),
		Design: t.Design, Insist: t.Insist, Patience: t.Patience, Settle: max(t.Settle, 1), Pulse: max(t.Pulse, 1)})
	return b, err
}

// openRP2040 opens a board at a serial port, WHERE.
func openRP2040(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	b, err := t.DialDemoBoard(ctx, where)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	c.Info.Design = t.Design
	for _, l := range t.layers(b, c) {
		if err := l.Check(ctx); err != nil {
			return nil, leftBy(b, err)
		}
	}
	c.Notes, c.Firmware = b.Notes, firmware(b.Facts)
	if r := c.rom; r != nil {
		c.Info.ROM = fmt.Sprintf("%s, %s, commit %s", r.Shuttle, cmp.Or(r.Repo, "no repository"),
			cmp.Or(r.Commit, "unknown"))
	}
	return c.Transport, nil
}

// leftBy closes a board whose chip could not be opened, and adds its final state to the error.
func leftBy(b *demoboard.Board, err error) error {
	b.Close() // the board reports state that it could not restore
	if left, known := b.BoardState(); known && left.SDKInstalled {
		return &BoardStateError{"rp2040:" + b.Port + ": " + left.String(), err}
	}
	return err
}

// firmware describes the microcontroller of a run: machine, firmware, and the clock, which determines all times.
func firmware(f *rp2040.Facts) string {
	return fmt.Sprintf("%s, MicroPython %s, %g MHz", f.Machine, f.Firmware, float64(f.Hertz)/1e6)
}

// layers returns the layers from the REPL of a board to a selected and parked chip. Each layer that passes fills in b
// and c. After the last layer the chip is open but has no identity.
func (t *Target) layers(b *demoboard.Board, c *Chip) []demoboard.Layer {
	all := append(b.Layers(),
		demoboard.Layer{Name: "chip ROM", Check: func(ctx context.Context) error { return t.readROM(ctx, b, c) },
			Summary: func() string {
				return "revision " + c.Tile.Revision() + ", as the ROM and --revision say"
			}}, demoboard.Layer{Name: "program upload", Check: func(ctx context.Context) error {
			at, name := designOf(b)
			own := gates.TileOf(t.Tile)
			if own != nil && own.RTL == nil && name != "" && name != t.project() && !t.Insist {
				return failure.Usagef("%s, and the tile is %s: give no --design, or --insist", at, t.project())
			}
			tr, err := b.Start(ctx)
			if err != nil {
				return err
			}
			c.Transport, c.Board, c.Info.Device, c.at = tr, b.Wiring, b.Facts.ID, at
			return nil
		}, Summary: func() string { return "the step program runs, the chip is parked" }})
	return all
}

func (t *Target) readROM(ctx context.Context, b *demoboard.Board, c *Chip) error {
	c.rom = b.ROM
	note, err := t.revisionOf(ctx, b.ROM, c)
	if note != "" {
		b.Notes = append(b.Notes, note)
	}
	return err
}

// revisionOf sets the revision to compare with: the user's choice, or the one implied by the shuttle and the fabricated
// commit, or the default until the chip is probed. rom may be nil. The note is for the user.
func (t *Target) revisionOf(ctx context.Context, rom *rp2040.ROM, c *Chip) (note string, err error) {
	named := t.Revision != ""
	if rom == nil {
		c.ask = !named
		if !named {
			note = fmt.Sprintf("no chip ROM was read, so the chip is taken for %s unless it answers otherwise; "+
				"--revision takes another", c.Tile.Revision())
		}
		return note, nil
	}
	index := boards.Shuttles()
	switch own := t.Tile.(type) {
	case gates.DescribedTile: // its sources cannot be the reference
		return "", nil
	case *gates.Tile:
		if own.RTL != nil {
			return t.fabricated(ctx, own.About, index, rom.Shuttle)
		}
	}
	rev, known := t.revisionOn(index, rom.Shuttle)
	switch {
	case !known && !named:
		c.ask = true
		note = fmt.Sprintf("the chip's ROM says %s, a shuttle of unknown revision: the chip is probed", rom.Shuttle)
	case !named:
		c.Tile = rev
		note = said(rom, rev.Revision())
	case !known || c.Tile != rev:
		note = fmt.Sprintf("the chip's ROM says %s, and --revision says %s", rom.Shuttle, t.Revision)
	}
	return note, nil
}

// said describes the contents of a chip's ROM, and the revision that they imply if the design has several.
func said(rom *rp2040.ROM, revision string) string {
	text := fmt.Sprintf("the chip's ROM says %s, commit %s", rom.Shuttle, cmp.Or(rom.Commit, "unknown"))
	if revision == "" {
		return text
	}
	if !tile.HasModel(revision) {
		return text + ", so it is compared with " + tile.DescribeReference(revision)
	}
	return text + ", so its revision is " + revision
}

// designOf returns the design at the selected number, in words and by name. Both are "" if the design is unknown.
func designOf(b *demoboard.Board) (words, name string) {
	if b.ROM == nil || b.Number == 0 {
		return "", ""
	}
	for _, s := range boards.Shuttles().ShuttlesByROM(b.ROM.Shuttle) {
		if at := s.DesignsAt(b.Number); len(at) > 0 {
			return fmt.Sprintf("number %d of %s is %s by the shuttle index", b.Number, s.Name, at[0].Name), at[0].Name
		}
	}
	return "", ""
}
