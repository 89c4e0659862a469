package model

import (
	"slices"

	"utfbench/fault"
	"utfbench/transport"
)

// A Wired is a Chip that can be connected to faulty wires.
type Wired Chip

var _ fault.Registers = (*Wired)(nil)

// NewWired returns the chip itself, not a copy, as a Wired.
func NewWired(c *Chip) *Wired { return (*Wired)(c) }

// Model returns the chip itself.
func (c *Wired) Model() *Chip { return (*Chip)(c) }

// Bits names the 54 register bits of the chip: v0..v31 (the value), d0..d7 (the data register), n0..n2 (UTF-32 bytes
// received), c0..c2, b0..b2 and u0..u2 (read positions in UTF-32, UTF-8, UTF-16), retry and written.
var Bits = fault.BitNames(slices.Concat(fault.NumberedNames("v", 32), fault.NumberedNames("d", 8),
	fault.NumberedNames("n", 3), fault.NumberedNames("c", 3), fault.NumberedNames("b", 3), fault.NumberedNames("u", 3),
	[]string{"retry", "written"}))

func (c *Wired) Bits() fault.BitNames  { return Bits }
func (c *Wired) Registers() uint64     { return PackRegisters(c.Model().Registers()) }
func (c *Wired) SetRegisters(p uint64) { c.Model().SetRegisters(unpack(p)) }
func (c *Wired) PowerUp(p uint64)      { c.Model().PowerUp(unpack(p)) }

// Drives returns the chip's levels for these inputs. An output that depends on an unknown input is unknown.
func (c *Wired) Drives(in fault.Levels) (out fault.Levels, mask uint32) {
	ui, unknown := uint8(in.V), uint8(in.X)
	base := c.look(ui)
	mask = fault.MaskUO
	if ui&READ != 0 || unknown&READ != 0 {
		mask |= fault.MaskUIO
	}
	for high := unknown; high != 0; high = (high - 1) & unknown { // all levels of the unknown inputs
		other := c.look(ui | high)
		base.X |= base.V ^ other.V | other.X
	}
	if unknown&READ != 0 {
		base.X |= fault.MaskUIO
	}
	base.V &^= base.X
	return base, mask
}

// look returns the chip's levels for known inputs.
func (c *Wired) look(ui uint8) fault.Levels {
	if !c.Model().StateKnown() {
		return fault.Levels{X: fault.MaskUO | fault.MaskUIO}
	}
	return fault.Levels{V: uint32(c.Model().Out(ui))<<fault.UO | uint32(c.Model().Registers().Data)<<fault.UIO}
}

// ClockEdge applies a rising edge of clk. If the result depends on an unknown level, the registers become unknown.
func (c *Wired) ClockEdge(in fault.Levels) {
	chip := c.Model()
	if in.X&(fault.MaskRst|fault.MaskClk) != 0 {
		chip.Forget()
		return
	}
	reset := in.V&fault.MaskRst == 0
	ui, uio := uint8(in.V), uint8(in.V>>fault.UIO)
	before := *chip
	clock(chip, ui, uio, uint8(in.X>>fault.UIO), reset)
	for high := uint8(in.X); high != 0 && !reset; high = (high - 1) & uint8(in.X) {
		other := before
		clock(&other, ui|high, uio, uint8(in.X>>fault.UIO), reset)
		if other != *chip {
			chip.Forget()
			return
		}
	}
}

// clock applies an edge to one chip, with the model's own rule for floating data.
func clock(c *Chip, ui, uio, uioX uint8, reset bool) {
	c.ClockEdge(ui, uio, reset)
	if uioX != 0 && LatchesFloating(transport.Step{In: ui, Drive: ^uioX, Reset: reset, Clocks: 1}) {
		c.Forget()
	}
}

// PackRegisters packs the registers in the order of Bits.
func PackRegisters(r Registers) uint64 {
	p := uint64(r.V) | uint64(r.Data)<<32 | uint64(r.N&7)<<40 | uint64(r.C&7)<<43 | uint64(r.B&7)<<46 |
		uint64(r.U&7)<<49
	if r.Retry {
		p |= 1 << 52
	}
	if r.Written {
		p |= 1 << 53
	}
	return p
}

func unpack(p uint64) Registers {
	three := func(at int) uint8 { return uint8(p>>at) & 7 }
	return Registers{
		V: uint32(p), Data: uint8(p >> 32), N: three(40), C: three(43), B: three(46), U: three(49),
		Retry: p>>52&1 != 0, Written: p>>53&1 != 0,
	}
}
