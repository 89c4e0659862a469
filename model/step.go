package model

import "utfbench/transport"

// Step applies a step in a transport's order and returns the sample.
func (c *Chip) Step(s transport.Step) transport.Sample {
	for range s.Clocks {
		c.ClockEdge(s.In, s.IO, s.Reset)
	}
	return c.end(s)
}

// Run applies steps in order and fills samples, which must be at least as long. It is faster if nothing is unknown.
func (c *Chip) Run(steps []transport.Step, samples []transport.Sample) {
	samples = samples[:len(steps)]
	for i := range steps {
		s := &steps[i]
		if s.Clocks == 1 && s.In&(READ|ROUT) == READ|ROUT && !s.Reset { // fast path for the most frequent edge
			c.read(s.In)
		} else {
			for range s.Clocks {
				c.ClockEdge(s.In, s.IO, s.Reset)
			}
		}
		switch { // the two usual uses of uio, which leave nothing unknown
		case s.Drive == 0 && s.In&READ != 0 && c.known:
			samples[i] = transport.Sample{Out: c.Out(s.In), IO: c.regs.Data}
		case s.Drive == 0xFF && s.In&READ == 0 && c.known:
			samples[i] = transport.Sample{Out: c.Out(s.In), IO: s.IO}
		default:
			samples[i] = c.end(*s)
		}
	}
}

func (c *Chip) end(s transport.Step) transport.Sample {
	if LatchesFloating(s) {
		c.known = false
	}
	return c.Sample(s)
}

// LatchesFloating reports whether the chip receives a byte with an undriven bit from uio in this step.
func LatchesFloating(s transport.Step) bool {
	return s.In&READ == 0 && s.Drive != 0xFF && s.Clocks > 0 &&
		!s.Reset && s.In&ROUT != 0 && s.In&(CIO|UIO|BIO) != CIO|UIO|BIO
}

// Sample returns the levels of the lines during s.
func (c *Chip) Sample(s transport.Step) transport.Sample {
	if s.In&READ == 0 { // the chip has released uio
		m := transport.Sample{IO: s.IO & s.Drive, IOX: ^s.Drive}
		if c.known {
			m.Out = c.Out(s.In)
		} else {
			m.OutX = 0xFF
		}
		return m
	}
	if !c.known {
		return transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}
	m := transport.Sample{Out: c.Out(s.In), IO: c.regs.Data}
	m.SetContention(s.Drive & (s.IO ^ c.regs.Data))
	return m
}
