package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"go.bug.st/serial"

	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// portVariable names the port where --port does not.
const portVariable = "BENCH_PORT"

// openRP2040 opens a board at a serial port; WHERE is the port.
func (t *target) openRP2040(ctx context.Context, where string, c *chip) (transport.Transport, error) {
	name := where
	for _, other := range []string{t.port, os.Getenv(portVariable)} {
		if name == "" {
			name = other
		}
	}
	if name == "" {
		return nil, fmt.Errorf("--transport rp2040 needs the board's serial port: --port /dev/ttyACM0, or the variable %s", portVariable)
	}
	pins, high, err := c.board.GPIO()
	if err != nil {
		return nil, err
	}
	port, err := serial.Open(name, &serial.Mode{BaudRate: 115200})
	if err != nil {
		return nil, benchFault(portError(name, err))
	}
	tr, err := rp2040.Open(ctx, port, rp2040.Config{Name: name, Pins: pins, High: high})
	if err != nil {
		return nil, benchFault(err)
	}
	return tr, nil
}

// portError adds what to do about it.
func portError(name string, err error) error {
	hint := ""
	var p *serial.PortError
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &p) && p.Code() == serial.PortNotFound:
		hint = ": is the board plugged in, and is that its port?"
	case errors.As(err, &p) && p.Code() == serial.PermissionDenied:
		hint = ": may you use it? On Linux the group that owns it does, often dialout or uucp"
	case errors.As(err, &p) && p.Code() == serial.PortBusy:
		hint = ": does another program use it?"
	}
	return fmt.Errorf("port %s: %w%s", name, err, hint)
}
