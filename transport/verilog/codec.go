package verilog

import (
	"encoding/binary"

	"utfbench/transport"
)

// The formats are tile.v's.
const (
	stepBytes   = 5
	sampleBytes = 8
)

// Flags of a step.
const (
	flagRstN   = 1 << iota
	flagFlush  // the bench waits for an answer after this step
	flagLevels // ui or rst_n changes, or a line of uio is released
	flagDrive  // what the bench drives into uio changes
	flagLinger // lines of uio that the step releases stay driven until its first edge
)

// encode puts steps into the request. A part of a step that changes nothing is not asked for.
func (t *Transport) encode(steps []transport.Step) {
	for i, s := range steps {
		b := t.request[i*stepBytes:][:stepBytes]
		b[0], b[1], b[2], b[3], b[4] = t.changes(s), s.Clocks, s.In, s.IO, s.Drive
		t.last, t.fresh = s, false
	}
	t.request[(len(steps)-1)*stepBytes] |= flagFlush
}

func (t *Transport) changes(s transport.Step) (f byte) {
	if !s.Reset {
		f |= flagRstN
	}
	released := t.last.Drive&^s.Drive != 0
	if s.Linger && s.Clocks > 0 && released && !t.fresh {
		f |= flagLinger
		released = false
	}
	if t.fresh || s.In != t.last.In || s.Reset != t.last.Reset || released {
		f |= flagLevels
	}
	if t.fresh && s.Drive != 0 || s.Drive&^t.last.Drive != 0 || (s.IO^t.last.IO)&s.Drive != 0 {
		f |= flagDrive
	}
	return f
}

// decode returns the sample of a step. Contention is reported even at equal levels, which are luck on a chip.
func (t *Transport) decode(s transport.Step, b []byte) (m transport.Sample) {
	value, unknown := binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint32(b[4:])
	value &^= unknown
	m.Out, m.OutX = uint8(value>>24), uint8(unknown>>24)
	m.IO, m.IOX = uint8(value>>16), uint8(unknown>>16)
	m.IOX |= ^(s.Drive | uint8(value>>8)) // driven by nobody, which a simulator of two states does not show
	both := uint8(value)
	if t.reset = t.reset || s.Reset && s.Clocks > 0; t.twoState && !t.reset {
		m.OutX, m.IOX, both = 0xFF, m.IOX|^s.Drive, 0 // what the registers hold is the simulator's choice
	}
	m.Out &^= m.OutX
	m.IO &^= m.IOX
	m.Contend(both)
	return m
}
