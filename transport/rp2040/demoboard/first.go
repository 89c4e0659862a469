package demoboard

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/transport/rp2040"
)

// A Measurement is the result of checking one of the bench's assumptions about a board on the board itself.
type Measurement struct {
	Name   string // name of its row in docs/first-board.md
	Agrees bool
	Text   string // what was measured, and what a disagreement means for later runs
}

// A contact collects the measurements of a first contact with a board.
type contact struct {
	*Board
	rp2040.Measurer
	all []Measurement
}

func (c *contact) add(name string, agrees bool, format string, args ...any) {
	c.all = append(c.all, Measurement{name, agrees, fmt.Sprintf(format, args...)})
}

// choose adds a measurement with one of two texts.
func (c *contact) choose(name string, agrees bool, well, ill string) {
	if !agrees {
		well = ill
	}
	c.add(name, agrees, "%s", well)
}

// behind describes the consequence of a bad line.
const behind = "a run does not judge the chip behind it"

// MeasureFirstContact measures the board before a design is selected; Identify must have passed. It stops the SDK's
// clock, and leaves another design selected unless the selected one is to stay.
func (b *Board) MeasureFirstContact(ctx context.Context) ([]Measurement, error) {
	c := &contact{Board: b, Measurer: rp2040.Measurer{Console: b.Console, Pins: b.pins}}
	if fpga, err := b.carrier(); err == nil && !fpga && b.options.Design != "none" {
		c.Mux = b.mux // otherwise pulses on its lines would deselect a design or load an FPGA
	}
	if b.Facts.SDK != nil {
		if err := b.quiet(ctx); err != nil {
			return nil, err
		}
	}
	for _, measure := range []func(context.Context) error{c.link, c.lines, c.pulls, c.shuttleMux} {
		if err := measure(ctx); err != nil {
			return c.all, err
		}
	}
	return c.all, nil
}

// firmwares lists the releases of MicroPython with which the bench was tested.
var firmwares = []string{"1.22", "1.23", "1.24", "1.25", "1.26", "1.27", "1.28"}

// link checks the firmware's release, and measures a round trip and an echo.
func (c *contact) link(ctx context.Context) error {
	is := c.Facts.Firmware
	tried := slices.ContainsFunc(firmwares, func(v string) bool { return strings.HasPrefix(is+".", v+".") })
	c.add("MicroPython", tried, "%s; %s to %s were tried, and where another one differs a run ends in an ERROR", is,
		firmwares[0], firmwares[len(firmwares)-1])
	whole, err := c.CheckEcho(ctx)
	latency, patience := c.Latency()
	c.add("round trip", latency <= rp2040.TypicalLatency, "%s for a short exchange, and %s at most is usual; runs "+
		"measure it as well, and wait %s for an answer", latency.Round(100*time.Microsecond), rp2040.TypicalLatency,
		patience.Round(100*time.Millisecond))
	c.choose("echo", whole, "4 kB came back as they were sent", fmt.Sprintf("4 kB did not come back as they were sent "+
		"(%v): try another cable, and no hub; a damaged frame ends a run in an ERROR", err))
	return err
}

// lines measures whether lines that only the bench drives follow it.
func (c *contact) lines(ctx context.Context) error {
	unled, err := c.FindUndriven(ctx)
	if err != nil {
		return err
	}
	well := "clk and the lines of the mux follow the bench"
	if c.Mux == nil || c.Mux.Select >= 0 {
		well = "clk follows the bench; the lines of the mux were not measured"
	}
	c.choose("driven lines", unled == nil, well, strings.Join(unled, ", ")+
		": look for a short, a button or another driver; "+behind)
	reset, err := c.MeasureResetLevels(ctx)
	if err != nil {
		return err
	}
	ill := fmt.Sprintf("it is %d when driven low, %d after its release, and %d with a pull-up, instead of 0, 1, 1: "+
		"look for a pressed button, a short or another driver; %s", reset[0], reset[1], reset[2], behind)
	if reset == [3]int{0, 0, 1} {
		ill = "the board does not pull it up; runs use the pull-up of the microcontroller, which is enough"
	}
	c.choose("rst_n", reset == [3]int{0, 1, 1}, "it follows the bench, and the board pulls it up once released", ill)
	return nil
}

// pulls measures whether a pin follows its pull-down.
func (c *contact) pulls(ctx context.Context) error {
	stays, err := c.HoldsAgainstPullDown(ctx)
	if err != nil {
		return err
	}
	c.choose("pull-downs", !stays || c.isRP2350(), "as the data sheet and its errata say; runs use none",
		"a released pin stays high against its pull-down, which is known of an RP2350 alone; runs use none")
	return nil
}

func (c *contact) isRP2350() bool { return strings.Contains(c.Facts.Machine, "RP2350") }

// shuttleMux measures the shuttle's mux with the ROM and the factory test, and the lines with the factory test.
func (c *contact) shuttleMux(ctx context.Context) error {
	if c.Mux == nil {
		return nil // the layer "design" reports that
	}
	at, shuttle, err := c.findROM(ctx)
	if err != nil {
		return err
	}
	if at == nil {
		c.add("mux", false, "no ROM answers at number 0, nor at 1: no chip, a chip without a ROM, or the mux does not "+
			"count as the bench assumes; a run ends in an ERROR unless the design answers")
		return nil
	}
	if err := c.undriven(ctx, at[0]); err != nil {
		return err
	}
	last := at[len(at)-1]
	c.choose("mux", last == 0, "the ROM answers at number 0, and not at 1", fmt.Sprintf("the ROM answers at number "+
		"%d, not at 0 alone: the mux does not count as the bench assumes, or nrst and inc are swapped; a run finds no "+
		"ROM or another design, and ends in an ERROR", last))
	if last != 0 {
		return nil
	}
	return c.factory(ctx, shuttle)
}

// undriven measures which lines of uio follow pulls while the ROM is selected, which drives none of them.
func (c *contact) undriven(ctx context.Context, rom int) error {
	if err := c.Select(ctx, *c.Mux, c.pins, rom); err != nil {
		return err
	}
	names, err := c.FindUnpulled(ctx, !c.isRP2350())
	if err != nil {
		return err
	}
	c.choose("uio released", names == nil, "its lines follow pulls while the chip drives none", strings.Join(names,
		", ")+" against a pull, while the chip drives none: unplug PMODs and look for shorts; "+behind)
	return nil
}

// olderTest lists shuttles whose factory test does not show ui.
var olderTest = []string{"tt03p5", "tt04", "tt05", "tt06"}

// factory measures the order of the lines and the edge of clk with the factory test.
func (c *contact) factory(ctx context.Context, shuttle string) error {
	if err := c.Select(ctx, *c.Mux, c.pins, 1); err != nil {
		return err
	}
	seen, err := c.MeasureFactoryResponse(ctx)
	if err != nil || !seen.Responds && slices.Contains(olderTest, shuttle) {
		return err // the measurement "factory test" reports that
	}
	if !seen.Responds {
		c.add("line order", false, "the design at number 1 does not show ui on uo during the reset: a line is bad, "+
			"rst_n does not reach the chip, or it is no factory test; "+behind)
		return nil
	}
	c.choose("line order", seen.Swapped == nil, "each line of ui and uio shows at its place on uo",
		strings.Join(seen.Swapped, ", ")+" are swapped: look at the wiring and the board file; "+behind)
	ill := "the factory test counts at no edge of clk: look at clk, rst_n and ui0; " + behind
	if seen.Edge == "falling" {
		ill = "the factory test counts when the bench lowers clk, so something inverts it: samples after whole " +
			"pulses are right all the same, and a run with --at ends in an ERROR"
	}
	c.choose("clock edge", seen.Edge == "rising", "the factory test counts when the bench raises clk", ill)
	return nil
}

// romTries is the number of places on the mux that are searched for the ROM; number 1, the factory test, is safe.
const romTries = 2

// findROM returns the numbers at which a ROM responds, and its shuttle if that can be read.
func (c *contact) findROM(ctx context.Context) (at []int, shuttle string, err error) {
	for number := range romTries {
		read, err := c.ReadROMAt(ctx, *c.Mux, c.pins, number)
		if err != nil {
			return nil, "", err
		}
		if rom := rp2040.ParseROM(read); rom != nil {
			at, shuttle = append(at, number), rom.Shuttle
		}
	}
	return at, shuttle, nil
}
