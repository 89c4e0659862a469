package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"utfbench/transport"
	"utfbench/transport/gpio"
)

// gpioFlags are for chips at GPIO lines.
type gpioFlags struct {
	settle, pulse time.Duration
}

func (g *gpioFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&g.settle, "settle", gpio.DefaultSettle, "for gpio: how long changed levels settle, at least; the wires ring, and the shuttle's mux takes its time")
	f.DurationVar(&g.pulse, "pulse", gpio.DefaultPulse, "for gpio: how long each half of a clock pulse is, at least; for the same reasons")
}

// openGPIO opens a chip at GPIO lines; WHERE is the back-end, or nothing for the best one.
func (t *target) openGPIO(_ context.Context, where string, c *chip) (transport.Transport, error) {
	tr, err := gpio.Open(gpio.Config{Backend: where, Chips: c.board.Chips, Pins: c.board.Names(), Settle: t.gpio.settle, Pulse: t.gpio.pulse})
	if err == nil {
		return tr, nil
	}
	err = fmt.Errorf("--transport %s: %w", t.transport, err)
	var input *gpio.InputError
	if errors.As(err, &input) {
		return nil, err
	}
	return nil, benchFault(err)
}
