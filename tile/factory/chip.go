package factory

import "utfbench/fault"

// A chip holds the factory test's registers: a counter, and a flip-flop that delays the end of reset by one clock.
// They are unknown before the first reset.
type chip struct {
	known   bool
	counter uint8
	running bool
}

// A reference is a chip behind wires without faults.
type reference struct {
	*fault.Wires
	chip *chip
}

func (r reference) FaultChip() fault.Chip { return r.chip }

// count applies a rising clk while rst_n is high.
func (c *chip) count() {
	if c.running {
		c.counter++
	}
	c.running = true
}

// Settle implements fault.AsynchronousChip: the reset is asynchronous. An unknown level of it makes the state unknown.
func (c *chip) Settle(in fault.Levels) {
	switch {
	case in.X&fault.MaskRst != 0:
		c.known = false
	case in.V&fault.MaskRst == 0:
		*c = chip{known: true}
	}
}

func (c *chip) ClockEdge(in fault.Levels) {
	switch {
	case in.X&(fault.MaskRst|fault.MaskClk) != 0:
		c.known = false
	case in.V&fault.MaskRst != 0:
		c.count()
	}
}

// Drives implements fault.Chip. If rst_n or ui0 is unknown, outputs that are equal for both its levels are known.
func (c *chip) Drives(in fault.Levels) (out fault.Levels, lines uint32) {
	for _, unknown := range []uint32{fault.MaskRst, uint32(sel) << fault.UI} {
		if in.X&unknown == 0 {
			continue
		}
		low, lowLines := c.Drives(fault.Levels{V: in.V, X: in.X &^ unknown})
		high, highLines := c.Drives(fault.Levels{V: in.V | unknown, X: in.X &^ unknown})
		lines = lowLines | highLines
		x := low.X | high.X | low.V ^ high.V | lowLines ^ highLines
		return fault.Levels{V: low.V &^ x, X: x & lines}, lines
	}
	ui, uio := in.V>>fault.UI&0xFF, in.V>>fault.UIO&0xFF
	counter := fault.Levels{V: uint32(c.counter)}
	if !c.known {
		counter = fault.Levels{X: 0xFF}
	}
	switch {
	case in.V&fault.MaskRst == 0:
		return fault.Levels{V: ui << fault.UO, X: in.X >> fault.UI & 0xFF << fault.UO}, fault.MaskUO
	case ui&uint32(sel) == 0:
		return fault.Levels{V: uio << fault.UO, X: in.X >> fault.UIO & 0xFF << fault.UO}, fault.MaskUO
	}
	return fault.Levels{V: counter.V<<fault.UO | counter.V<<fault.UIO, X: counter.X<<fault.UO | counter.X<<fault.UIO},
		fault.MaskUO | fault.MaskUIO
}

func (c *chip) Fork() fault.Chip {
	fork := *c
	return &fork
}

func (c *chip) Same(fork fault.Chip) bool { return *c == *fork.(*chip) }
