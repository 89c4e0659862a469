package tile

import (
	"fmt"

	"utfbench/fault"
	"utfbench/transport"
)

// FactoryProject is the factory test's name in the shuttles' index.
const FactoryProject = "tt_um_factory_test"

// factorySelect is the bit of ui that selects the counter.
const factorySelect uint8 = 1

// A FactoryTest is the factory test as a tile: design number 1 of every Tiny Tapeout chip. It shows ui on uo during
// reset, copies uio to uo, and counts, so that it can test each line of a board without a user's design.
//
// It behaves like the RTL and the fabricated netlists since TT07 (read on 2026-11-21:
// tinytapeout-ihp-0p1's source, commit affdc8cd37, and the netlists of TT08 and TT09). TT04 to TT06 have an older
// design, which does not show ui.
//
//	rst_n low             uo is ui, uio is released, the counter is 00: no clock is needed
//	rst_n high, ui0 low   uo is uio, which is released
//	rst_n high, ui0 high  uo and uio are the counter, which counts clocks from the second one after the reset on
type FactoryTest struct{}

var (
	_ Tile                   = FactoryTest{}
	_ Namer                  = FactoryTest{}
	_ StepDescriber          = FactoryTest{}
	_ FabricatedTile         = FactoryTest{}
	_ Recogniser             = FactoryTest{}
	_ WiringTester           = FactoryTest{}
	_ WiredReference         = factoryReference{}
	_ fault.AsynchronousChip = (*factoryChip)(nil)
)

func (FactoryTest) Name() string { return "factory" }

// Revision implements Tile. There is one revision, fabricated since TT07.
func (FactoryTest) Revision() string { return "" }

func (FactoryTest) Others() []Tile { return nil }

func (FactoryTest) New() Reference {
	c := &factoryChip{}
	return factoryReference{fault.New(c, nil, 0), c}
}

func (FactoryTest) Idle() uint8 { return 0 }

func (FactoryTest) Drives(s transport.Step) uint8 {
	if !s.Reset && s.In&factorySelect != 0 {
		return 0xFF
	}
	return 0
}

// Lint implements Tile. An undriven level of uio is harmless: uo shows it as unknown.
func (t FactoryTest) Lint(steps []transport.Step) error {
	for i, s := range steps {
		if both := (s.Drive | transport.LingeringLines(steps, i)) & t.Drives(s); both != 0 {
			return &IllegalStepError{Step: i, Reason: fmt.Sprintf("bench and chip would both drive %02X of uio: "+
				"ui0 is high, so the chip drives", both)}
		}
	}
	return nil
}

func (FactoryTest) Project() string { return FactoryProject }

// RevisionOfCommit implements FabricatedTile. There is one revision; TT04 to TT06 have another design.
func (t FactoryTest) RevisionOfCommit(string) (Tile, bool) { return t, true }

func (FactoryTest) Inputs() []string {
	return []string{"sel", "in1", "in2", "in3", "in4", "in5", "in6", "in7"}
}

func (FactoryTest) Outputs(uint8) []string { return transport.Lines[transport.UO : transport.UO+8] }

func (FactoryTest) Operation(s transport.Step) string {
	switch {
	case s.Reset:
		return "reset, ui to uo"
	case s.In&factorySelect == 0:
		return "uio to uo"
	case s.Clocks == 0:
		return "show the counter"
	}
	return "count"
}

func (t FactoryTest) Describe(s transport.Step) string {
	text := t.Operation(s)
	switch {
	case s.Reset:
		text += fmt.Sprintf(" %02X", s.In)
	case s.Drive != 0:
		text += " " + Hex(s.IO, ^s.Drive)
	}
	if s.Clocks > 1 {
		text += fmt.Sprintf(", %d clocks", s.Clocks)
	}
	return text
}

// A factoryChip holds the factory test's registers: a counter, and a flip-flop that delays the end of reset by one
// clock. They are unknown before the first reset.
type factoryChip struct {
	known   bool
	counter uint8
	running bool
}

// A factoryReference is a factoryChip behind fault-free wires.
type factoryReference struct {
	*fault.Wires
	chip *factoryChip
}

func (r factoryReference) FaultChip() fault.Chip { return r.chip }

// count applies a rising edge of clk while rst_n is high.
func (c *factoryChip) count() {
	if c.running {
		c.counter++
	}
	c.running = true
}

// Settle implements fault.AsynchronousChip, since the reset is asynchronous. If rst_n is unknown, so is the state.
func (c *factoryChip) Settle(in fault.Levels) {
	switch {
	case in.X&fault.MaskRst != 0:
		c.known = false
	case in.V&fault.MaskRst == 0:
		*c = factoryChip{known: true}
	}
}

func (c *factoryChip) ClockEdge(in fault.Levels) {
	switch {
	case in.X&(fault.MaskRst|fault.MaskClk) != 0:
		c.known = false
	case in.V&fault.MaskRst != 0:
		c.count()
	}
}

// Drives implements fault.Chip. If rst_n or ui0 is unknown, an output is known only if it is the same for both levels.
func (c *factoryChip) Drives(in fault.Levels) (out fault.Levels, lines uint32) {
	for _, unknown := range []uint32{fault.MaskRst, uint32(factorySelect) << fault.UI} {
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
	case ui&uint32(factorySelect) == 0:
		return fault.Levels{V: uio << fault.UO, X: in.X >> fault.UIO & 0xFF << fault.UO}, fault.MaskUO
	}
	return fault.Levels{V: counter.V<<fault.UO | counter.V<<fault.UIO, X: counter.X<<fault.UO | counter.X<<fault.UIO},
		fault.MaskUO | fault.MaskUIO
}

func (c *factoryChip) Fork() fault.Chip {
	fork := *c
	return &fork
}

func (c *factoryChip) Same(fork fault.Chip) bool { return *c == *fork.(*factoryChip) }
