package gpio

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// A backend moves the 26 lines. A line is the bit of a mask that its number in transport.Lines says; what it is on the
// machine is the back-end's affair.
//
// When a back-end is made, its lines are parked: ui, clk and rst_n are driven low, uo and uio are inputs.
type backend interface {
	fmt.Stringer

	// can returns the back-end's abilities.
	can() abilities

	// set puts levels on those lines in mask; the bench drives all of them.
	set(levels, mask uint32) error

	// turn makes the uio lines in drive outputs with these levels, and the other uio lines inputs.
	turn(levels, drive uint32) error

	// read gives the levels of uo and uio; other bits mean nothing. The bench drives the uio lines in drive.
	read(drive uint32) (uint32, error)

	// pull holds the lines that the bench does not drive; errors.ErrUnsupported where the back-end cannot.
	pull(to transport.Pull) error

	// release makes every line an input, and frees what was opened.
	release() error
}

// abilities are what back-ends differ in.
type abilities struct {
	readDriven bool // read shows the lines that the bench drives too, so that a short on one is seen
	turnsClean bool // a line that turns to an output shows its level at once, and no other line moves
}

// maskOwn are the lines that only the bench drives.
const maskOwn = transport.MaskUI | transport.MaskClk | transport.MaskRstN

// Backends lists the values of Config.Backend.
func Backends() []string { return []string{"registers", "lines", "pins"} }

// check validates a config, on any machine.
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
