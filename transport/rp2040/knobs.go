package rp2040

import (
	"context"
	"encoding/binary"
	"time"

	"utfbench/transport"
)

// # Times
//
// The step loops wait in loops of 8 cycles, at 125 MHz. What a half pulse or a change of levels takes with no loop was read from
// the cycles of an emulator that runs MicroPython's firmware on an RP2040 (TestEmulatorTimes); it is the least of all steps.
const (
	loopTime   = 64 * time.Nanosecond
	pulseBase  = 136 * time.Nanosecond
	settleBase = 224 * time.Nanosecond

	// DefaultSettle and DefaultPulse are how long changed levels are left, and how long each half of a clock pulse is, at least.
	DefaultSettle = 200 * time.Nanosecond
	DefaultPulse  = 200 * time.Nanosecond

	// Longest is what either may be, so that a frame of steps is answered in a fraction of a second.
	Longest = 100 * time.Microsecond
)

// loops are as many as d takes, of which base passes without.
func loops(d, base time.Duration) int { return int(max(0, d-base+loopTime-1) / loopTime) }

// whole is the time of whole loops.
func whole(d, base time.Duration) time.Duration {
	return base + time.Duration(loops(d, base))*loopTime
}

var _ transport.Tuner = (*Transport)(nil)

// Knobs implements transport.Tuner. There are none on a board without viper, nor on an RP2350, whose loops nobody has counted.
func (t *Transport) Knobs() []transport.Knob { return t.knobs }

func newKnobs(f *family, h *hello, c *Config) []transport.Knob {
	if f.name != "RP2040" || !h.viper {
		return nil
	}
	return []transport.Knob{
		{Name: "pulse", Low: pulseBase, High: Longest, Default: whole(c.pulse(), pulseBase)},
		{Name: "settle", Low: settleBase, High: Longest, Default: whole(c.settle(), settleBase)},
	}
}

// Tune implements transport.Tuner: the next time of a grid of 64 ns.
func (t *Transport) Tune(name string, d time.Duration) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(context.Background()); err != nil {
		return 0, err
	}
	if err := transport.CheckKnob(t.knobs, name, d); err != nil {
		return 0, err
	}
	word, base, now := wordHigh, pulseBase, &t.pulse
	if name == "settle" {
		word, base, now = wordSettle, settleBase, &t.settle
	}
	*now = whole(d, base)
	_, err := t.exchange(context.Background(), kindWords, words(word, uint32(loops(d, base))))
	return *now, t.bury(err)
}

// words is a frame's payload: words of the table from an index on.
func words(at int, values ...uint32) []byte {
	p := binary.LittleEndian.AppendUint16(nil, uint16(at))
	for _, v := range values {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	return p
}
