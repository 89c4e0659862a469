package station

import (
	"context"
	"fmt"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// uio checks whether something other than the bench drives uio, such as a module in a PMOD header. It holds the chip in
// reset, during which the recognised design releases uio.
func (e *examination) uio(ctx context.Context, c *Chip) error {
	const layer = "uio lines"
	quiet := transport.ParkStep
	high, low := quiet, quiet
	high.IO, high.Drive, low.Drive = 0xFF, 0xFF, 0xFF
	steps := []transport.Step{{In: c.Tile.Idle(), Reset: true, Clocks: 1}, high, low}
	if c.Tile.Drives(quiet) != 0 || c.Tile.Lint(steps) != nil {
		return nil // a tile that drives uio during reset hides other drivers
	}
	got := make([]transport.Sample, len(steps))
	if _, err := transport.Apply(ctx, c, steps, got); err != nil {
		return e.report(layer, "", failure.TransportError(ctx, err))
	}
	if text := driversText(got[2].IO&^got[2].IOX, ^got[1].IO&^got[1].IOX); text != "" {
		e.wrong(layer, text)
		return nil
	}
	e.well(layer, "nothing drives them against the bench")
	return nil
}

// driversText describes the uio lines that something else drives high or low, or returns "".
func driversText(high, low uint8) string {
	var all []string
	if high != 0 {
		all = append(all, uioNames(high)+" high")
	}
	if low != 0 {
		all = append(all, uioNames(low)+" low")
	}
	if all == nil {
		return ""
	}
	return fmt.Sprintf("something drives %s against the bench, and the chip is in reset and drives none: unplug the "+
		"uio PMOD header, and look for a short", strings.Join(all, " and "))
}

func uioNames(bits uint8) string {
	return (transport.Outputs(bits) << 8).String()
}
