package rtl

import (
	"utfbench/fault"
	"utfbench/transport/verilog"
)

// wired is a reference at the end of wires. Each look at it is a question to the simulation, some ten microseconds. It
// cannot fork, so faults that come and go are not searched for in it.
//
// A rising clk and the falling one after it come at once: a design that uses both edges sees nothing else in between.
type wired struct {
	*reference

	pending []verilog.Move // an edge, to be sent with the next look
	last    verilog.Move   // the last look, and what it showed
	seen    verilog.View
	looked  bool
}

var _ fault.Mortal = (*wired)(nil)

// Wired implements tile.Wired.
func (r *reference) Wired() fault.Chip { return &wired{reference: r} }

// Err implements fault.Mortal.
func (w *wired) Err() error { return w.err }

// at is a move of levels at the chip's end. Whatever the wires show on uio is what the chip gets.
func at(in fault.Levels) verilog.Move {
	m := verilog.Move{Flags: verilog.MoveOwn, In: uint8(in.V >> fault.UI), InX: uint8(in.X >> fault.UI),
		IO: uint8(in.V >> fault.UIO), IOX: uint8(in.X >> fault.UIO), Drive: 0xFF}
	if in.V&fault.MaskRst != 0 {
		m.Flags |= verilog.MoveRstN
	}
	if in.X&fault.MaskRst != 0 {
		m.Flags |= verilog.MoveRstX
	}
	return m
}

// Drives implements fault.Chip.
func (w *wired) Drives(in fault.Levels) (out fault.Levels, lines uint32) {
	if m := at(in); !w.looked || m != w.last {
		w.look(m)
	}
	if w.err != nil {
		return fault.Levels{X: fault.MaskUO}, fault.MaskUO
	}
	v := w.seen
	driven := uint32(v.Enable|v.EnableX) << fault.UIO
	out.X = uint32(v.OutX)<<fault.UO | uint32(v.IOX|v.EnableX)<<fault.UIO&driven
	out.V = (uint32(v.Out)<<fault.UO | uint32(v.IO)<<fault.UIO&driven) &^ out.X
	return out, fault.MaskUO | driven
}

// Edge implements fault.Chip.
func (w *wired) Edge(in fault.Levels) {
	m := at(in)
	m.Clocks = 1
	if in.X&fault.MaskClk != 0 {
		m.Flags |= verilog.MoveClkX
	}
	w.pending, w.looked = append(w.pending, m), false
}

// look sends what is pending and a look after it.
func (w *wired) look(m verilog.Move) {
	w.last, w.looked = m, true
	moves := append(w.pending, m)
	w.pending = w.pending[:0]
	if w.err == nil && w.sim == nil {
		if w.sim, w.err = w.tile.take(&w.tile.usual); w.err == nil {
			moves[0].Flags |= verilog.MoveWake
		}
	}
	if w.err != nil {
		return
	}
	w.err = w.tile.failed(w.sim.Run(moves, func(_ int, views []verilog.View) { w.seen = views[len(views)-1] }))
}
