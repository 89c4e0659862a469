package gpio

import (
	"fmt"
	"strconv"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// findLines returns the lines' offsets. A pin is either an offset or the kernel's name of a line.
func findLines(c chip, pins map[string]string) (offsets [transport.LineN]uint32, err error) {
	byName, err := names(c)
	if err != nil {
		return offsets, err
	}
	for i, s := range transport.Lines {
		pin := pins[s]
		n, notNumber := strconv.ParseUint(pin, 10, 32)
		named, ok := byName[pin]
		switch {
		case ok && named == ambiguous:
			return offsets, failure.Usagef("%s: the chip %s has several lines named %q: give the line by its offset",
				s, c.label(), pin)
		case ok:
			offsets[i] = named
		case notNumber != nil:
			return offsets, failure.Usagef("%s: the chip %s has no line named %q; gpioinfo lists its lines",
				s, c.label(), pin)
		case n >= uint64(c.lines()):
			return offsets, failure.Usagef("%s: the chip %s has no line %s: its lines are 0 to %d", s, c.label(),
				pin, c.lines()-1)
		default:
			offsets[i] = uint32(n)
		}
	}
	return offsets, twice(offsets)
}

// ambiguous replaces the offset of a name that several lines share.
const ambiguous = ^uint32(0)

func names(c chip) (map[string]uint32, error) {
	byName := map[string]uint32{}
	for n := range c.lines() {
		info, err := c.line(n)
		if err != nil {
			return nil, fmt.Errorf("%s: looking at line %d: %w", c.label(), n, err)
		}
		if _, twice := byName[info.name]; twice {
			n = ambiguous
		}
		if info.name != "" {
			byName[info.name] = n
		}
	}
	return byName, nil
}

func checkFree(c chip, name string, offsets [transport.LineN]uint32) error {
	for i, n := range offsets {
		info, err := c.line(n)
		if err != nil {
			return fmt.Errorf("%s: looking at line %d: %w", name, n, err)
		}
		if !info.used {
			continue
		}
		called := ""
		if info.name != "" {
			called = fmt.Sprintf(" (%s)", info.name)
		}
		by := "the kernel"
		if info.consumer != "" {
			by = strconv.Quote(info.consumer)
		}
		return fmt.Errorf("%s: line %d%s, which is to be %s, is in use by %s: end that program or "+
			"switch that driver off", name, n, called, transport.Lines[i], by)
	}
	return nil
}
