//go:build unix

package boardtest

import (
	"fmt"

	"utfbench/fault"
	"utfbench/transport"
)

// wires holds faults between the board's and the chip's pins, as masks of pins.
type wires struct {
	stuck, high    uint64
	open, openHigh uint64 // open lines, and open lines that are high at the chip's end
	kept           uint64 // last driven level at the board's end of an open line
	bridges        []bridge
	design         uint8 // outputs that the design at Mux.Number holds low
}

// A bridge connects two pins. A high level wins if or is set, otherwise a low one.
type bridge struct {
	a, b uint64
	or   bool
}

// newWires parses faults as fault.BitNames.Parse does. Open lines float at the chip's end only.
func newWires(c Config) (w wires) {
	w.design = c.HeldOutputs
	for pin, high := range c.Lines {
		w.stuck |= 1 << pin
		if high {
			w.high |= 1 << pin
		}
	}
	for _, text := range c.Wires {
		f, err := fault.BitNames(nil).Parse(text)
		if err != nil {
			panic(err) // an error in a test
		}
		a, b := uint64(1)<<c.Pins[fault.Lines[f.A]], uint64(1)<<c.Pins[fault.Lines[f.B]]
		switch f.Kind {
		case fault.Stuck:
			w.stuck |= a
			if f.High {
				w.high |= a
			}
		case fault.Cut:
			w.open |= a
			if f.End == fault.High {
				w.openHigh |= a
			}
		case fault.BridgeAnd, fault.BridgeOr:
			w.bridges = append(w.bridges, bridge{a, b, f.Kind == fault.BridgeOr})
		default:
			panic(fmt.Sprintf("%s: boardtest has no such fault", text))
		}
	}
	return w
}

// joined returns the levels at both ends of intact lines.
func (w *wires) joined(levels uint64) uint64 {
	for _, b := range w.bridges {
		both, either := levels&b.a != 0 && levels&b.b != 0, levels&(b.a|b.b) != 0
		levels &^= b.a | b.b
		if both || b.or && either {
			levels |= b.a | b.b
		}
	}
	return levels&^w.stuck | w.high
}

// toChip returns the levels at the chip's end.
func (w *wires) toChip(levels uint64) uint64 { return levels&^w.open | w.openHigh }

// toBoard returns the levels at the board's end, which keeps its last driven level on open lines.
func (w *wires) toBoard(levels, driven, oe uint64) uint64 {
	w.kept = w.kept&^oe | driven&oe
	return levels&^w.open | w.kept&w.open
}

// holds clears the outputs that the selected design cannot raise.
func (w *wires) holds(s transport.Sample, chip bool) transport.Sample {
	if chip {
		s.Out &^= w.design
	}
	return s
}
