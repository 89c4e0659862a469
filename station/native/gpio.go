package native

import (
	"context"
	"fmt"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport"
	"utfbench/transport/gpio"
)

// GPIO returns the kind of a chip at the lines of this machine.
func GPIO() station.Kind {
	return station.Kind{Name: "gpio",
		Board: "rpi", HasWires: true, Open: openGPIO,
		Options: []string{"insist", "settle", "pulse"},
		Check: func(b *boards.Board) error {
			if b.Chips == nil {
				return failure.Usagef("%s: no chip: a board for gpio names the label of its GPIO chip, `chip: LABEL`; "+
					"gpiodetect lists labels", b.File)
			}
			return nil
		}}
}

// RunGuard makes a program able to guard a chip at GPIO lines; see [gpio.RunAsGuard]. Call it first in main, and return
// from main if it returns true.
func RunGuard() bool { return gpio.RunAsGuard() }

// openGPIO opens a chip at GPIO lines; WHERE is the back-end, or nothing for the best one.
func openGPIO(_ context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport, error) {
	if err := t.CheckTimes(gpio.MaxWait); err != nil {
		return nil, err
	}
	tr, err := gpio.Open(gpio.Config{Backend: where, Chips: c.Board.Chips, Pins: c.Board.Names(),
		Settle: t.Settle, Pulse: t.Pulse})
	if err == nil {
		return tr, nil
	}
	err = fmt.Errorf("transport %s: %w", t.Transport, err)
	return nil, err
}
