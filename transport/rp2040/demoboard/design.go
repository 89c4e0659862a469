package demoboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// choose identifies the chip and selects the design by pulses on the shuttle's mux, as every generation of the SDK
// does. So a design can be selected even if the SDK does not know it, or is missing.
func (b *Board) choose(ctx context.Context) error {
	if b.Facts.SDK != nil {
		if err := b.quiet(ctx); err != nil {
			return err
		}
	}
	design := b.options.Design
	switch fpga, err := b.carrier(); {
	case err != nil:
		return err
	case fpga && design != "none":
		return failure.Usagef("the board carries the FPGA breakout and no chip: load a bitstream by the SDK, as with " +
			"tt.shuttle.NAME.enable() at the board's prompt, and run with --design none")
	case fpga:
		b.note("the board carries the FPGA breakout, with the bitstream that was loaded before")
		return nil
	}
	if err := b.readROM(ctx); err != nil {
		return err
	}
	if err := b.checkShuttle(); err != nil {
		return err
	}
	switch {
	case design == "none" || b.mux == nil && design == "":
		return nil
	case b.mux == nil:
		return failure.Usagef("--design %s: the board %s does not describe the shuttle's mux, so the bench cannot "+
			"select a design: do it by other means, or name the mux's pins in a board file", design, b.Wiring.Name)
	}
	c, err := b.look()
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

// readROM takes the ROM's contents from the SDK if that has really read the ROM, and otherwise reads the ROM.
func (b *Board) readROM(ctx context.Context) error {
	sdk := b.Facts.SDK
	if sdk != nil && sdk.Read {
		b.ROM = &sdk.ROM
		return nil
	}
	if b.options.Design == "none" || b.mux == nil {
		return nil
	}
	read, err := b.ReadROM(ctx, *b.mux, b.pins)
	if err != nil {
		return err
	}
	b.ROM, b.stuck = rp2040.ParseROM(read), constantOutputs(read)
	if sdk != nil && b.ROM != nil && b.ROM.Shuttle != sdk.Shuttle {
		b.note("%s, and the chip's ROM says %s, which counts", chipOf(sdk), b.ROM.Shuttle)
	}
	return nil
}

// constantOutputs returns the lines of uo with the same level in all bytes read, except uo7, which is low in any text.
// It returns "" if most lines are constant, as without a ROM.
func constantOutputs(read []byte) string {
	var names []string
	for bit := range 7 {
		ones := 0
		for _, b := range read {
			ones += int(b >> bit & 1)
		}
		if ones == 0 || ones == len(read) {
			names = append(names, fmt.Sprintf("%s at %d", transport.Lines[transport.UO+bit], min(ones, 1)))
		}
	}
	if len(names) > 2 {
		return ""
	}
	return strings.Join(names, " and ")
}

// A choice is a design to select. Its name is empty if the index does not know the number.
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

// factoryTest is the design at number 1 of each shuttle, known even if the ROM cannot be read.
const factoryTest = "tt_um_factory_test"

func (b *Board) look() (choice, error) {
	design := cmp.Or(b.options.Design, b.options.Project)
	index := boards.Shuttles()
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
	if b.ROM == nil && design == factoryTest {
		return choice{design, 1, ""}, nil
	}
	return choice{}, b.unknown(design, meant)
}

// numbered returns the design with the given number, and its name if the index contains it.
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
	switch {
	case meant == nil && b.stuck != "":
		return fmt.Errorf("the chip's ROM answers with %s in all of its bytes, so it cannot be read: look at that "+
			"line, which bench wiring --tile factory examines. --design NUMBER, 1 to %d, takes the number that the "+
			"shuttle's page says", b.stuck, boards.MaxNumber)
	case b.ROM == nil:
		return fmt.Errorf("no chip's ROM answers, so the number of %s is not known: is the carrier with the chip on "+
			"the board, and is it a board %s (--board)? For a chip without a ROM --design NUMBER, 1 to %d, takes the "+
			"one that the shuttle's page says; bench wiring --tile factory checks the lines", design, b.Wiring.Name,
			boards.MaxNumber)
	}
	if len(meant) == 0 {
		return fmt.Errorf("the number of %s on %s is not known: --design NUMBER, 1 to %d, takes the one that the "+
			"shuttle's page says; bench designs lists the shuttles that the bench knows",
			design, b.shuttle(), boards.MaxNumber)
	}
	hint := "bench designs --shuttle " + meant[0].Name + " lists them"
	return fmt.Errorf("the shuttle %s of the chip has no design %s%s: is it the right chip? --design NAME or NUMBER "+
		"takes another; %s", meant[0].Name, design, failure.DidYouMean(design, boards.DesignNames(meant[0].Designs())),
		hint)
}

func (b *Board) selectDesign(ctx context.Context, c choice) error {
	if c.danger != "" && !b.options.Insist {
		return fmt.Errorf("%s is marked with the danger level %s, so it can damage the chip, and is not selected: "+
			"--insist selects it all the same", c, c.danger)
	}
	b.Number = c.number
	if err := b.Select(ctx, *b.mux, b.pins, c.number); err != nil {
		return err
	}
	b.note("%s of %s is selected", c, b.shuttle())
	return nil
}
