package demoboard

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"utfbench/transport/rp2040"
)

// Info describes the board for users: microcontroller, firmware, SDK, chip and design. It does not affect any pin.
func (b *Board) Info(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	f := b.Facts
	line("port", "%s", b.Port)
	line("machine", "%s, at %g MHz, id %s", f.Machine, float64(f.Hertz)/1e6, f.ID)
	if celsius, known := f.Temperature(); known {
		line("temperature", "%.0f °C, by the microcontroller's own sensor", celsius)
	}
	line("MicroPython", "%s, %d kB of memory free", f.Firmware, f.Free/1000)
	switch sdk := f.SDK; {
	case sdk != nil:
		line("SDK", "%s, on a board %s", sdk.Version, cmp.Or(sdk.Carrier, "that it does not name"))
		line("chip", "%s", chipOf(sdk))
		line("design", "%s", selected(sdk))
	case f.Installed:
		line("SDK", "on the board, not started: bench safe --reboot starts it")
	default:
		line("SDK", "none")
	}
	if w, err := b.Detect(); err == nil {
		line("board", "%s, %s", w.Name, w.Title)
	} else {
		line("board", "not known; give it to the other commands with --board")
	}
	return table.Flush()
}

// chipOf describes the SDK's view of the chip.
func chipOf(sdk *rp2040.SDK) string {
	text := fmt.Sprintf("shuttle %s, commit %s", sdk.Shuttle, cmp.Or(sdk.Commit, "unknown"))
	if !sdk.Read {
		text += "; this is not from its ROM, which the bench reads itself"
	}
	return text
}

// selected returns the design that the SDK has enabled.
func selected(sdk *rp2040.SDK) string {
	if sdk.Design == "" {
		return "none is selected"
	}
	text := fmt.Sprintf("%s, number %d", sdk.Design, sdk.Number)
	if sdk.Clock != 0 {
		text += fmt.Sprintf(", clocked at %d Hz", sdk.Clock)
	}
	return text
}
