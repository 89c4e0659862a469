//go:build unix

package boardtest

import (
	"slices"

	"utfbench/transport"
)

// A Pulse reports that a pin without a line was driven high.
type Pulse struct {
	Pin   int
	Edges int            // of clk at the chip, so far
	Lines transport.Step // levels of the chip's lines
}

// most is the maximum number of pulses kept.
const most = 10_000

// pulsed records rising edges of pins without a line.
func (p *pins) pulsed(was uint64) {
	rose := p.driven() &^ was
	for _, pin := range p.signal {
		rose &^= 1 << pin
	}
	for pin := range 64 {
		if rose>>pin&1 != 0 && len(p.pulses) < most {
			p.pulses = append(p.pulses, Pulse{pin, p.edges, p.step()})
		}
	}
}

// Pulses returns a pin's pulses so far.
func (b *Board) Pulses(pin int) []Pulse {
	all := locked(b, func(p *pins) []Pulse { return slices.Clone(p.pulses) })
	return slices.DeleteFunc(all, func(p Pulse) bool { return p.Pin != pin })
}
