package gpio

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// A backend drives and reads the 26 lines. A line's bit in a mask is its number in transport.Lines.
//
// The lines of a new back-end are parked: ui, clk and rst_n are driven low, uo and uio are inputs.
type backend interface {
	fmt.Stringer

	// set sets the levels of the lines in mask, all of which the bench drives.
	set(levels, mask uint32) error

	// turn makes the uio lines in drive outputs with these levels, and the other uio lines inputs.
	turn(levels, drive uint32) error

	// read returns the levels of uo and uio, also where the bench drives, which reveals shorts. Others are undefined.
	read() (uint32, error)

	// release makes every line an input and frees all resources.
	release() error
}

// maskOwn holds the lines that only the bench drives.
const maskOwn = transport.MaskUI | transport.MaskClk | transport.MaskRstN

// Backends lists the values of Config.Backend.
func Backends() []string { return []string{"registers", "lines"} }

// check validates a config on any machine, whether or not it has GPIO lines.
func (c *Config) check() error {
	if c.Backend != "" && !slices.Contains(Backends(), c.Backend) {
		return failure.Usagef("unknown back-end %q: allowed are %s, or none for the best one here", c.Backend,
			strings.Join(Backends(), ", "))
	}
	if c.Settle < 0 || c.Pulse < 0 {
		return failure.Usagef("settle %s and pulse %s have to be 0 or more", c.Settle, c.Pulse)
	}
	owner := map[string]string{}
	for _, s := range transport.Lines {
		pin, ok := c.Pins[s]
		if !ok {
			return failure.Usagef("no pin for %s", s)
		}
		if other, taken := owner[pin]; taken {
			return failure.Usagef("pin %s is given to %s and to %s: give each signal a pin of its own", pin, other, s)
		}
		owner[pin] = s
	}
	return nil
}
