// Package native adds the targets that need processes or devices: GPIO lines and simulations. It opens tiles of the
// user's files. Package station has the other targets; only native names all kinds of transport.
//
// It also implements commands without their flags: [Outputs] writes the results of a run, [MeasureTiming] and
// [MeasureShmoo] measure a chip.
package native

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport"
	"utfbench/transport/gpio"
)

// Glossary explains the kinds of transport; see cli.Book.
//
//go:embed words.txt
var Glossary string

// Kinds returns all kinds of transport. A new kind is added here.
func Kinds() []station.Kind {
	return []station.Kind{station.Mock(), station.RP2040(), GPIO(), Verilog(), station.Netlist(), station.Replay()}
}

// KindNamesWhere returns the names of the kinds that satisfy is.
func KindNamesWhere(is func(*station.Kind) bool) (all []string) {
	for _, k := range Kinds() {
		if is(&k) {
			all = append(all, k.Name)
		}
	}
	return all
}

// NewTarget returns a target for the UTF chip, whose transport may be of any of Kinds.
func NewTarget(transport string) station.Target {
	t := station.NewTarget(transport)
	t.Kinds, t.CompareCommit, t.TileOpener = Kinds(), isCommit, openTile
	return t
}

// KindNames returns the names of Kinds.
func KindNames() []string { return KindNamesWhere(func(*station.Kind) bool { return true }) }

func kind(target string) (k station.Kind, found bool) {
	t := NewTarget(target)
	k, _, err := t.FindKind()
	return k, err == nil
}

// IsSimulation reports whether the transport with this name simulates a design without wires. The mock simulates them.
func IsSimulation(transport string) bool {
	k, _ := kind(transport)
	return k.Simulated
}

// CheckBoard finds the mistakes in a board's file that only its transport can detect. The error reports bad input.
func CheckBoard(b *boards.Board) error {
	k, found := kind(b.Transport)
	switch {
	case !found:
		return failure.Usagef("%s: unknown transport %q: allowed are %s", b.File, b.Transport,
			strings.Join(KindNames(), ", "))
	case k.CheckBoard != nil:
		return k.CheckBoard(b)
	}
	return nil
}

// GPIO returns the kind of a chip at this machine's GPIO lines.
func GPIO() station.Kind {
	return station.Kind{Name: "gpio", DefaultBoard: "rpi", HasWires: true, Open: openGPIO,
		Options: []string{"insist", "settle", "pulse"},
		CheckBoard: func(b *boards.Board) error {
			if b.Chips == nil {
				return failure.Usagef("%s: no chip: a board for gpio names the label of its GPIO chip, `chip: LABEL`; "+
					"gpiodetect lists labels", b.File)
			}
			return nil
		}}
}

// RunGuard guards a chip at GPIO lines if the process was started for that; see [gpio.RunAsGuard]. Call it first in
// main, and return if it returns true.
func RunGuard() bool { return gpio.RunAsGuard() }

// openGPIO opens a chip at GPIO lines. WHERE is the back-end; "" selects the best one.
func openGPIO(_ context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport, error) {
	if err := t.CheckTimes(gpio.MaxWait); err != nil {
		return nil, err
	}
	tr, err := gpio.Open(gpio.Config{Backend: where, Chips: c.Board.Chips, Pins: c.Board.PinNames(),
		Settle: t.Settle, Pulse: t.Pulse})
	if err != nil {
		return nil, fmt.Errorf("transport %s: %w", t.Transport, err)
	}
	return tr, nil
}
