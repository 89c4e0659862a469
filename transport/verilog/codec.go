package verilog

import (
	"encoding/binary"

	"utfbench/transport"
)

// Sizes of the formats in tile.v.
const (
	stepBytes   = 5
	sampleBytes = 8
)

// Flags of a step.
const (
	flagRstN   = 1 << iota
	flagFlush  // flush the output, since the bench waits for it
	flagLevels // ui or rst_n changes, or a line of uio is released
	flagDrive  // the bench's drive or data of uio changes
	flagLinger // released lines of uio stay driven until the first edge
)

// encode writes steps into the request. Unchanged parts of a step are not flagged.
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

// decode returns the sample of a step. It reports contention even if the levels agree, since on a chip they might not.
func (t *Transport) decode(s transport.Step, b []byte) (m transport.Sample) {
	value, unknown := binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint32(b[4:])
	if z := unknown &^ value; t.undriven != nil { // X has both bits
		*t.undriven = append(*t.undriven, transport.Outputs(z>>24)|transport.Outputs(z>>16&0xFF)<<8)
	}
	value &^= unknown
	m.Out, m.OutX = uint8(value>>24), uint8(unknown>>24)
	m.IO, m.IOX = uint8(value>>16), uint8(unknown>>16)
	m.IOX |= ^(s.Drive | uint8(value>>8)) // undriven lines, which a two-state simulator does not show
	both := uint8(value)
	if t.reset = t.reset || t.config.resets(s); t.twoState && !t.reset {
		m.OutX, m.IOX, both = 0xFF, m.IOX|^s.Drive, 0 // the simulator chose the registers' levels
	}
	m.Out &^= m.OutX
	m.IO &^= m.IOX
	m.SetContention(both)
	return m
}

func (c *Config) resets(s transport.Step) bool {
	if c.Reset == nil {
		return s.Reset && s.Clocks > 0
	}
	return s.Reset == c.Reset.Reset && (s.Clocks > 0 || c.Reset.Clocks == 0)
}
