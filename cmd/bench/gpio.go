package main

import (
	"context"
	"errors"
	"fmt"

	"utfbench/transport"
	"utfbench/transport/gpio"
)

// openGPIO opens a chip at GPIO lines; WHERE is the back-end, or nothing for the best one.
func (t *target) openGPIO(_ context.Context, where string, c *chip) (transport.Transport, error) {
	if err := t.times.check(gpio.Longest); err != nil {
		return nil, err
	}
	tr, err := gpio.Open(gpio.Config{Backend: where, Chips: c.board.Chips, Pins: c.board.Names(), Settle: t.times.settle, Pulse: t.times.pulse})
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
