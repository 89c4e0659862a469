package demoboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/transport/rp2040"
)

// choose identifies the chip and selects the design: with the SDK, with the SDK's access to the mux if its index lacks
// the design, or by pulses on the mux.
func (b *Board) choose(ctx context.Context) error {
	if b.Facts.SDK != nil {
		if err := b.quiet(ctx); err != nil {
			return err
		}
	}
	fpga, err := b.carrier()
	if err != nil {
		return err
	}
	if fpga {
		return b.bitstream(ctx)
	}
	if err := b.readROM(ctx); err != nil {
		return err
	}
	if err := b.checkShuttle(); err != nil {
		return err
	}
	o := &b.options
	switch {
	case o.Design == "none":
		return nil
	case b.mux == nil && b.Facts.SDK == nil && o.Design == "":
		return nil // hand-wired chip
	case b.mux == nil && b.Facts.SDK == nil:
		return failure.Usagef("--design %s: the board %s does not describe the shuttle's mux, so the bench cannot "+
			"select a design: do it by other means, or name the mux's pins in a board file", o.Design, b.Wiring.Name)
	}
	c, err := b.look(ctx)
	if err != nil {
		return err
	}
	return b.selectDesign(ctx, c)
}

// quiet stops the SDK's clock before anything else uses clk.
func (b *Board) quiet(ctx context.Context) error {
	if clock := b.Facts.SDK.Clock; clock != 0 {
		b.note("the SDK clocked the project at %d Hz: stopped", clock)
		b.Facts.SDK.Clock = 0
	}
	hertz, err := b.StopClock(ctx)
	b.Facts.Hertz = hertz
	return err
}

// carrier reports whether an FPGA replaces the chip, and returns an error if the board has neither.
func (b *Board) carrier() (fpga bool, err error) {
	sdk := b.Facts.SDK
	if sdk == nil {
		return false, nil
	}
	if sdk.Shuttle == "FPGA" || sdk.Kind != nil && *sdk.Kind == 2 {
		return true, nil
	}
	if sdk.Kind != nil && *sdk.Kind == 0 || sdk.Kind == nil && sdk.PCB == 3 && sdk.Present == nil {
		return false, fmt.Errorf("the SDK %s found no carrier with a chip on the board when it started: is it "+
			"plugged in? bench park --reboot looks again", sdk.Version)
	}
	return false, nil
}

// bitstream loads a design into the FPGA breakout.
func (b *Board) bitstream(ctx context.Context) error {
	name := b.options.Design
	if name == "none" {
		b.note("the board carries the FPGA breakout, with the bitstream that was loaded before")
		return nil
	}
	k, err := b.FindDesign(ctx, name)
	if err == nil && (name == "" || k == nil) {
		names, err := b.Designs(ctx)
		if err != nil {
			return err
		}
		return failure.Usagef("the board carries the FPGA breakout and no chip: --design NAME loads a bitstream of "+
			"the board's folder /bitstreams (there: %s), --design none takes the one that is loaded",
			cmp.Or(strings.Join(names, ", "), "none"))
	}
	if err != nil {
		return err
	}
	if _, err := b.Enable(ctx, name, false); err != nil {
		return err
	}
	b.note("the FPGA breakout runs the bitstream %s", name)
	return b.quiet(ctx)
}

// readROM takes the ROM from the SDK if the SDK has really read it, and otherwise reads it.
func (b *Board) readROM(ctx context.Context) (err error) {
	sdk := b.Facts.SDK
	if sdk != nil && sdk.Read {
		b.ROM = &sdk.ROM
		return nil
	}
	if b.options.Design == "none" || b.mux == nil {
		return nil
	}
	if b.read, err = b.ReadROM(ctx, *b.mux, b.pins); err != nil {
		return err
	}
	index, err := boards.Shuttles()
	if err != nil {
		return err
	}
	b.ROM = rp2040.ParseROM(b.read)
	b.behindBadLine(index)
	if b.ROM == nil && b.options.Board == nil && b.Wiring.Name == "tt-demo-tt06" {
		return b.trySwapped(ctx)
	}
	if sdk != nil && b.ROM != nil && b.ROM.Shuttle != sdk.Shuttle {
		b.note("%s, and the chip's ROM says %s, which counts", chipOf(sdk), b.ROM.Shuttle)
	}
	return nil
}

// trySwapped reads the ROM through TT07's carrier, which swaps two lines of the mux. Up to 2.0.0 the SDK does not
// support it.
func (b *Board) trySwapped(ctx context.Context) error {
	swapped, err := boards.Open("tt-demo-tt07")
	if err != nil {
		return err
	}
	if err := b.wire(swapped); err != nil {
		return err
	}
	read, err := b.ReadROM(ctx, *b.mux, b.pins)
	if err != nil {
		return err
	}
	rom := rp2040.ParseROM(read)
	if rom == nil {
		return b.wire(b.Wiring)
	}
	b.ROM, b.Wiring = rom, swapped
	return nil
}

// A choice is a design to select. The number is 0 if only the SDK may know it.
type choice struct {
	name   string
	number int
	danger string
}

func (c choice) String() string {
	if c.name == "" {
		return fmt.Sprintf("design %d", c.number)
	}
	return fmt.Sprintf("design %s, number %d", c.name, c.number)
}

// look finds the design in the shuttle index.
func (b *Board) look(ctx context.Context) (choice, error) {
	design := cmp.Or(b.options.Design, b.options.Project)
	index, err := boards.Shuttles()
	if err != nil {
		return choice{}, err
	}
	var meant []*boards.Shuttle
	if b.ROM != nil {
		meant = index.ShuttlesByROM(b.ROM.Shuttle)
	}
	if n, err := strconv.Atoi(design); err == nil {
		return numbered(meant, n)
	}
	var found []boards.Design
	for _, s := range meant {
		found = append(found, s.DesignsNamed(design)...)
	}
	found = slices.CompactFunc(found, func(a, b boards.Design) bool { return a.Number == b.Number })
	switch {
	case len(found) == 1:
		return choice{design, found[0].Number, found[0].Danger}, nil
	case len(found) > 1:
		return choice{}, fmt.Errorf("%s may be number %d of %s or %d of %s, since the ROM of both says the same: "+
			"--design NUMBER takes one", design, found[0].Number, found[0].Shuttle, found[1].Number, found[1].Shuttle)
	}
	if b.Facts.SDK != nil {
		if k, err := b.FindDesign(ctx, design); err == nil && k != nil {
			return choice{design, k.Number, ""}, nil
		}
	}
	return choice{}, b.unknown(design, meant)
}

// numbered returns the design with a number, and its name if the index has one.
func numbered(meant []*boards.Shuttle, n int) (choice, error) {
	if n < 1 || n > boards.MaxNumber {
		return choice{}, failure.Usagef("--design %d: a number on the mux is 1 to %d", n, boards.MaxNumber)
	}
	c := choice{number: n}
	for _, s := range meant {
		for _, d := range s.DesignsAt(n) {
			c.danger = cmp.Or(c.danger, d.Danger)
			if len(meant) == 1 && len(s.DesignsAt(n)) == 1 {
				c.name = d.Name
			}
		}
	}
	return c, nil
}

// unknown returns the error for a design that the chip is not known to have.
func (b *Board) unknown(design string, meant []*boards.Shuttle) error {
	if line := constant(b.read); b.ROM == nil && line != "" {
		return fmt.Errorf("the chip's ROM answers with %s in all of its bytes, so it cannot be read: look at that "+
			"line. --design NUMBER, 1 to %d, selects the number that the shuttle's page says, and bench wiring then "+
			"finds what is wrong", line, boards.MaxNumber)
	}
	if b.ROM == nil {
		return fmt.Errorf("no chip's ROM answers, so the number of %s is not known: is the carrier with the chip on "+
			"the board? For a chip without a ROM --design NUMBER, 1 to %d, takes the one that the shuttle's page says",
			design, boards.MaxNumber)
	}
	if len(meant) == 0 {
		return fmt.Errorf("the number of %s on %s is not known: --design NUMBER, 1 to %d, takes the one that the "+
			"shuttle's page says; bench designs lists the shuttles that the bench knows",
			design, b.shuttle(), boards.MaxNumber)
	}
	hint := "bench designs --shuttle " + meant[0].Name + " lists them"
	if near := boards.Similar(meant[0].Designs(), design, 3); len(near) > 0 {
		hint = "near are " + strings.Join(near, ", ")
	}
	return fmt.Errorf("the shuttle %s of the chip has no design %s: is it the right chip? --design NAME or NUMBER "+
		"takes another (%s)", meant[0].Name, design, hint)
}

func errDanger(c choice, level string) error {
	why := "which can damage the chip"
	if level == dangers[1] {
		why = "so nobody knows that it cannot damage the chip"
	}
	return fmt.Errorf("%s is marked with the danger level %s, %s, and is not selected: --insist selects it all the "+
		"same", c, level, why)
}

func (b *Board) selectDesign(ctx context.Context, c choice) error {
	if c.danger != "" && !b.options.Insist {
		return errDanger(c, c.danger)
	}
	b.Number = c.number
	if b.Facts.SDK != nil && b.Wiring.Name != "tt-demo-tt07" { // only some releases support its swapped lines
		done, err := b.bySDKIndex(ctx, c)
		if done || err != nil {
			return err
		}
		err = b.SelectBySDK(ctx, c.number)
		if err == nil {
			b.note("%s of %s, selected by its number through the SDK %s, whose list of designs lacks it", c,
				b.shuttle(), b.Facts.SDK.Version)
			return nil
		}
		if b.mux == nil || !rp2040.IsRefusal(err) {
			return err
		}
		b.note("the SDK could not select a design: %v", err)
	}
	if err := b.Select(ctx, *b.mux, b.pins, c.number); err != nil {
		return err
	}
	b.note("%s of %s, selected by the mux", c, b.shuttle())
	return nil
}

// dangers are the SDK's levels.
var dangers = []string{"safe", "unknown", "medium", "high"}

// bySDKIndex selects a design with the SDK's index. done is false if the index lacks the design, or the board lacks the
// memory to read it.
func (b *Board) bySDKIndex(ctx context.Context, c choice) (done bool, err error) {
	if c.name == "" {
		return false, nil
	}
	k, err := b.FindDesign(ctx, c.name)
	switch {
	case rp2040.IsRefusal(err) || err == nil && k == nil:
		return false, nil
	case err != nil:
		return false, err
	case k.Number != c.number:
		return false, fmt.Errorf("%s of the shuttle %s is number %d by the shuttle index, and %d by the index of the "+
			"SDK %s on the board: --design NUMBER takes one", c.name, b.shuttle(), c.number, k.Number,
			b.Facts.SDK.Version)
	case k.Danger != 0 && !b.options.Insist:
		return false, errDanger(c, dangers[min(max(k.Danger, 0), len(dangers)-1)])
	}
	now, err := b.Enable(ctx, c.name, k.Danger != 0)
	if rp2040.IsRefusal(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if now == nil || now.Number != c.number {
		return false, errors.New("the SDK did not select " + c.String() + ", and does not say why")
	}
	b.note("%s of %s, selected through the SDK %s", c, b.shuttle(), b.Facts.SDK.Version)
	return true, b.quiet(ctx)
}
