package rtl

import (
	"fmt"
	"hash/maphash"
	"sync"

	"utfbench/fault"
	"utfbench/transport/verilog"
)

// wired is a reference at the end of wires. Each look at it is a question to the simulation, some ten microseconds, so
// the tile remembers what was seen after the same moves: most hypotheses about wires ask the chip the same as a right
// one does, at least to begin with. Only where a history is new the simulation takes its moves, all that are missing at
// once.
//
// It cannot fork, so faults that come and go are not searched for in it. A rising clk and the falling one after it come
// at once: a design that uses both edges sees nothing else in between.
type wired struct {
	tile     *Tile
	with     *exchange // once there was a question
	slot     uint8
	question question // with the moves that the simulation has not taken
	err      error

	history uint64       // a digest of all moves
	last    verilog.Move // the last look, and what it showed
	seen    verilog.View
	looked  bool
}

var _ fault.Mortal = (*wired)(nil)

// A memory has what was seen after which moves.
type memory struct {
	mu    sync.Mutex
	seed  maphash.Seed
	views map[uint64]verilog.View
}

// mostRemembered is how many views are remembered, some 30 bytes each.
const mostRemembered = 1 << 20

// digest is that of a history with one more move.
func (m *memory) digest(history uint64, move verilog.Move) uint64 {
	return maphash.Comparable(m.seed, struct {
		before uint64
		move   verilog.Move
	}{history, move})
}

func (m *memory) recall(history uint64) (v verilog.View, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, known = m.views[history]
	return v, known
}

// keep forgets everything before it would remember too much.
func (m *memory) keep(history uint64, v verilog.View) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.views) >= mostRemembered {
		clear(m.views)
	}
	m.views[history] = v
}

// Wired implements tile.Wired. It wakes up anew, whatever r was asked before.
func (r *reference) Wired() fault.Chip { return &wired{tile: r.tile} }

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
	w.add(m)
	w.looked = false
}

// add appends a move.
func (w *wired) add(m verilog.Move) {
	w.question.moves = append(w.question.moves, m)
	w.history = w.tile.seen.digest(w.history, m)
}

// look takes what is remembered after this history, or asks.
func (w *wired) look(m verilog.Move) {
	w.last, w.looked = m, true
	w.add(m)
	var known bool
	if w.seen, known = w.tile.seen.recall(w.history); known || w.err != nil {
		return
	}
	if w.err = w.enter(); w.err != nil {
		return
	}
	for i := range w.question.moves {
		w.question.moves[i].Slot = w.slot
	}
	w.err = w.with.ask(&w.question)
	w.question.moves = w.question.moves[:0]
	if w.err == nil {
		w.seen = w.question.seen
		w.tile.seen.keep(w.history, w.seen)
	}
}

// enter takes a slot, with the first question.
func (w *wired) enter() (err error) {
	if w.with != nil {
		return nil
	}
	if w.with, err = w.tile.exchange(); err != nil {
		return err
	}
	var ok bool
	if w.slot, ok = w.with.slot(); !ok {
		w.with = nil
		return fmt.Errorf("more than %d chips at the end of wires are simulated at a time", slots)
	}
	w.question.done = make(chan struct{}, 1)
	w.question.moves[0].Flags |= verilog.MoveWake
	return nil
}

// Close leaves the slot.
func (w *wired) Close() error {
	if w.with != nil {
		w.with.leave(w.slot)
		w.with = nil
	}
	return nil
}
