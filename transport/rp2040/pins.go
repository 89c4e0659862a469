package rp2040

import (
	"fmt"

	"utfbench/transport"
)

// checkPins returns an error if a pin has two uses, or a line no pin.
func (c *Config) checkPins() error {
	owner := map[int]string{}
	for _, p := range c.High {
		owner[p] = "a pin that is kept high"
	}
	for _, s := range transport.Lines {
		p, ok := c.Pins[s]
		switch {
		case !ok:
			return fmt.Errorf("the pin map has no pin for %s", s)
		case owner[p] != "":
			return fmt.Errorf("the pin map gives GPIO%d to %s, and it is %s already", p, s, owner[p])
		}
		owner[p] = s
	}
	if len(c.Pins) != transport.LineN {
		return fmt.Errorf("the pin map has %d signals, and the chip has %d", len(c.Pins), transport.LineN)
	}
	return nil
}
