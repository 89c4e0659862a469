// Package factory is the factory test as a tile: design number 1 of every Tiny Tapeout chip. It shows ui on uo during
// reset, copies uio to uo, and counts, so that each line of a board can be proven without a user's design.
//
// The behaviour is that of the RTL and of the fabricated netlists since TT07 (read on 2026-11-21:
// tinytapeout-ihp-0p1's source, commit affdc8cd37, and the netlists of TT08 and TT09). TT04 to TT06 have an older
// design, which does not show ui.
//
//	rst_n low             uo is ui, uio is released, the counter is 00: no clock is needed
//	rst_n high, ui0 low   uo is uio, which is released
//	rst_n high, ui0 high  uo and uio are the counter, which counts clocks from the second one after the reset on
package factory

import (
	"fmt"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// Project is the design's name in the shuttles' index.
const Project = "tt_um_factory_test"

// sel is the bit of ui that selects the counter.
const sel uint8 = 1

// A Tile is the factory test.
type Tile struct{}

var (
	_ tile.Tile              = Tile{}
	_ tile.Namer             = Tile{}
	_ tile.StepDescriber     = Tile{}
	_ tile.Fabricated        = Tile{}
	_ tile.Recogniser        = Tile{}
	_ tile.WiringTester      = Tile{}
	_ tile.WiredReference    = reference{}
	_ fault.AsynchronousChip = (*chip)(nil)
)

// Name implements tile.Tile.
func (Tile) Name() string { return "factory" }

// Revision implements tile.Tile: there is one, made since TT07.
func (Tile) Revision() string { return "" }

// Others implements tile.Tile.
func (Tile) Others() []tile.Tile { return nil }

// New implements tile.Tile.
func (Tile) New() tile.Reference {
	c := &chip{}
	return reference{fault.New(c, nil, 0), c}
}

// Idle implements tile.Tile.
func (Tile) Idle() uint8 { return 0 }

// Drives implements tile.Tile.
func (Tile) Drives(s transport.Step) uint8 {
	if !s.Reset && s.In&sel != 0 {
		return 0xFF
	}
	return 0
}

// Lint implements tile.Tile. An undriven level of uio is harmless: uo shows it as unknown.
func (t Tile) Lint(steps []transport.Step) error {
	for i, s := range steps {
		if both := (s.Drive | transport.LingeringLines(steps, i)) & t.Drives(s); both != 0 {
			return &tile.IllegalStepError{Step: i, Reason: fmt.Sprintf("bench and chip would both drive %02X of uio: "+
				"ui0 is high, so the chip drives", both)}
		}
	}
	return nil
}

// Project implements tile.Fabricated.
func (Tile) Project() string { return Project }

// OfCommit implements tile.Fabricated: there is one revision. The design of TT04 to TT06 is a different tile.
func (t Tile) OfCommit(string) (tile.Tile, bool) { return t, true }

// Inputs implements tile.Namer.
func (Tile) Inputs() []string {
	return []string{"sel", "in1", "in2", "in3", "in4", "in5", "in6", "in7"}
}

// Outputs implements tile.Namer.
func (Tile) Outputs(uint8) []string { return transport.Lines[transport.UO : transport.UO+8] }

// Operation implements tile.StepDescriber.
func (Tile) Operation(s transport.Step) string {
	switch {
	case s.Reset:
		return "reset, ui to uo"
	case s.In&sel == 0:
		return "uio to uo"
	case s.Clocks == 0:
		return "show the counter"
	}
	return "count"
}

// Describe implements tile.StepDescriber.
func (t Tile) Describe(s transport.Step) string {
	text := t.Operation(s)
	switch {
	case s.Reset:
		text += fmt.Sprintf(" %02X", s.In)
	case s.Drive != 0:
		text += " " + tile.Hex(s.IO, ^s.Drive)
	}
	if s.Clocks > 1 {
		text += fmt.Sprintf(", %d clocks", s.Clocks)
	}
	return text
}
