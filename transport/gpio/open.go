package gpio

import (
	"errors"
	"fmt"
	"io/fs"

	"utfbench/transport"
)

// A host holds Open's dependencies on the machine, which tests replace.
type host struct {
	machine machine
	kernel  kernel
	mapPage func() (page, error) // maps the GPIO block, which must not be touched before the SoC is known

	post func(Config) (*sentry, error) // starts a guard; nil for none
}

func (h *host) open(c Config) (*Transport, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	guard, err := h.guard(c)
	if err != nil {
		return nil, err
	}
	b, err := h.backend(c)
	if err != nil {
		guard.end(true) // a back-end that failed to open drives nothing
		return nil, err
	}
	t := start(b, c)
	t.guard = guard
	return t, nil
}

// guard starts a guard, if any, before a line is driven.
func (h *host) guard(c Config) (*sentry, error) {
	if h.post == nil {
		return nil, nil
	}
	return h.post(c)
}

func (h *host) backend(c Config) (backend, error) {
	switch c.Backend {
	case "registers":
		return orNil(h.registers(c))
	case "lines":
		return orNil(openLines(h.kernel, c.Chips, c.Pins))
	}
	return h.best(c)
}

// orNil returns a nil interface, rather than a typed nil pointer, on an error.
func orNil[B backend](b B, err error) (backend, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}

// best returns registers if all their checks pass, else lines, or both errors on a machine with known registers.
func (h *host) best(c Config) (backend, error) {
	r, why := h.registers(c)
	if why == nil {
		return r, nil
	}
	l, err := openLines(h.kernel, c.Chips, c.Pins)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(why, errNoRegisters):
		return nil, err
	}
	return nil, fmt.Errorf("%w; and registers: %w", err, why)
}

func (h *host) registers(c Config) (*registers, error) {
	soc, err := h.machine.soc()
	if err != nil {
		return nil, err
	}
	gpio, err := numbers(c.Pins)
	if err != nil {
		return nil, err
	}
	if err := h.checkFree(c.Chips, gpio); err != nil {
		return nil, err
	}
	p, err := h.mapPage()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, noPermission(h.kernel, gpiomem)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: this kernel has no driver for it: use -t gpio:lines", err)
	case err != nil:
		return nil, err
	}
	return newRegisters(soc, p, gpio)
}

// checkFree checks with the kernel, if possible, that the lines are free: registers bypass it and would disturb another
// user. On these SoCs the kernel's line numbers equal the registers'.
func (h *host) checkFree(labels []string, gpio [transport.LineN]uint8) error {
	path, c, err := findChip(h.kernel, labels)
	if err != nil {
		return nil
	}
	defer c.close()
	var offsets [transport.LineN]uint32
	for i, n := range gpio {
		offsets[i] = uint32(n)
	}
	return checkFree(c, path, offsets)
}

const gpiomem = "/dev/gpiomem"
