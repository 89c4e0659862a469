package mock

import (
	"math/bits"

	"utfbench/model"
	"utfbench/transport"
)

// drives is what the chip drives with these levels at its end. Where an unknown input would make a difference, the output
// is unknown too.
func (w *wires) drives(in level) (out level, mask uint32) {
	ui, unknown := uint8(in.v), uint8(in.x)
	base := w.look(ui)
	mask = maskUO
	if ui&model.READ != 0 || unknown&model.READ != 0 {
		mask |= maskUIO
	}
	for x := unknown; x != 0; x &= x - 1 {
		other := w.look(ui | 1<<bits.TrailingZeros8(x))
		base.x |= base.v ^ other.v | other.x
	}
	if unknown&model.READ != 0 {
		base.x |= maskUIO
	}
	base.v &^= base.x
	return base, mask
}

// look is what the chip shows with known inputs.
func (w *wires) look(ui uint8) level {
	if !w.chip.Known() {
		return level{x: maskUO | maskUIO}
	}
	return level{v: uint32(w.chip.Out(ui))<<lineUO | uint32(w.chip.Registers().Data)<<lineUIO}
}

// edge is a rising clk at the chip. When an unknown level would make a difference, nobody knows the registers any more.
func (w *wires) edge(in level) {
	if in.x&maskRst != 0 {
		w.chip.Forget()
		return
	}
	reset := in.v&maskRst == 0
	ui, uio := uint8(in.v), uint8(in.v>>lineUIO)
	before := *w.chip
	w.clock(w.chip, ui, uio, uint8(in.x>>lineUIO), reset)
	for x := uint8(in.x); x != 0 && !reset; x &= x - 1 {
		other := before
		w.clock(&other, ui|1<<bits.TrailingZeros8(x), uio, uint8(in.x>>lineUIO), reset)
		if other != *w.chip {
			w.chip.Forget()
			return
		}
	}
}

// clock gives one chip one edge, by the model's own rule for floating data.
func (w *wires) clock(c *model.Chip, ui, uio, uioX uint8, reset bool) {
	c.Step(transport.Step{In: ui, IO: uio, Drive: ^uioX, Reset: reset, Clocks: 1})
}

// stick forces the register bits that are stuck.
func (w *wires) stick() {
	if w.or|w.andNot == 0 {
		return
	}
	w.chip.SetRegisters(unpack(pack(w.chip.Registers())&^w.andNot | w.or))
}

// pack puts the registers into the order of RegisterBits.
func pack(r model.Registers) uint64 {
	p := uint64(r.V) | uint64(r.Data)<<32 | uint64(r.N&7)<<40 | uint64(r.C&7)<<43 | uint64(r.B&7)<<46 | uint64(r.U&7)<<49
	if r.Retry {
		p |= 1 << 52
	}
	if r.Written {
		p |= 1 << 53
	}
	return p
}

func unpack(p uint64) model.Registers {
	three := func(at int) uint8 { return uint8(p>>at) & 7 }
	return model.Registers{
		V: uint32(p), Data: uint8(p >> 32), N: three(40), C: three(43), B: three(46), U: three(49),
		Retry: p>>52&1 != 0, Written: p>>53&1 != 0,
	}
}
