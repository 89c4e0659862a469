package tile_test

import (
	"fmt"
	"math/bits"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// accumulator is a tile that shares nothing with the UTF chip: an eight-bit register shown on uo. The operation in
// uio[1:0] changes it at a clock edge: 0 keeps it, 1 adds ui, 2 applies exclusive or with ui, 3 loads ui. The chip
// always drives uio[7:4]: carry of the last addition, parity, sign, zero. It has one revision, no pin names and no
// vectors.
type accumulator struct{}

func (accumulator) Name() string                  { return "accumulator" }
func (accumulator) Revision() string              { return "" }
func (accumulator) Others() []tile.Tile           { return nil }
func (accumulator) New() tile.Reference           { return &register{} }
func (accumulator) Idle() uint8                   { return 0 }
func (accumulator) Drives(s transport.Step) uint8 { return flags }

const (
	operation uint8 = 0x03
	flags     uint8 = 0xF0
)

// Lint requires an operation at each edge, and ignores the flags.
func (accumulator) Lint(steps []transport.Step) error {
	for i, s := range steps {
		switch {
		case s.Drive&flags != 0:
			return &tile.Illegal{Step: i, Why: fmt.Sprintf("bench and chip would both drive %02X of uio",
				s.Drive&flags)}
		case s.Clocks > 0 && !s.Reset && s.Drive&operation != operation:
			return &tile.Illegal{Step: i, Why: "nobody says which operation"}
		}
	}
	return nil
}

// register is the accumulator's reference, also behind wires.
type register struct {
	known bool
	sum   uint8
	carry bool
}

func (r *register) Step(s transport.Step) transport.Sample {
	for range s.Clocks {
		r.clock(s.In, s.IO, ^s.Drive, s.Reset)
	}
	if !r.known {
		return transport.Sample{OutX: 0xFF, IO: s.IO & s.Drive, IOX: ^s.Drive}
	}
	return transport.Sample{Out: r.sum, IO: s.IO&s.Drive | r.flags(), IOX: ^(s.Drive | flags)}
}

func (r *register) Run(steps []transport.Step, samples []transport.Sample) error {
	for i, s := range steps {
		samples[i] = r.Step(s)
	}
	return nil
}

// clock applies an edge; bits of uio set in unknown have no level.
func (r *register) clock(ui, uio, unknown uint8, reset bool) {
	switch {
	case reset:
		*r = register{known: true}
		return
	case unknown&operation != 0:
		r.known = false
	}
	switch uio & operation {
	case 1:
		sum := uint16(r.sum) + uint16(ui)
		r.sum, r.carry = uint8(sum), sum > 0xFF
	case 2:
		r.sum ^= ui
	case 3:
		r.sum = ui
	}
}

func (r *register) flags() (f uint8) {
	for i, set := range []bool{r.carry, bits.OnesCount8(r.sum)%2 != 0, r.sum&0x80 != 0, r.sum == 0} {
		if set {
			f |= 0x80 >> i
		}
	}
	return f
}

func (r *register) Wired() fault.Chip { return r }

// Drives implements fault.Chip: no output depends on an input without a clock.
func (r *register) Drives(fault.Levels) (out fault.Levels, lines uint32) {
	lines = transport.MaskUO | uint32(flags)<<transport.UIO
	if !r.known {
		return fault.Levels{X: lines}, lines
	}
	return fault.Levels{V: uint32(r.sum)<<transport.UO | uint32(r.flags())<<transport.UIO}, lines
}

// Edge implements fault.Chip. Any state that an unknown level may change becomes unknown.
func (r *register) Edge(in fault.Levels) {
	ui, uio := uint8(in.V>>transport.UI), uint8(in.V>>transport.UIO)
	reset := in.V&transport.MaskRstN == 0
	if in.X&(transport.MaskClk|transport.MaskRstN) != 0 || !reset && in.X&transport.MaskUI != 0 && uio&operation != 0 {
		r.known = false
		return
	}
	r.clock(ui, uio, uint8(in.X>>transport.UIO), reset)
}

func (r *register) Fork() fault.Chip {
	fork := *r
	return &fork
}

func (r *register) Same(fork fault.Chip) bool { return *r == *fork.(*register) }
