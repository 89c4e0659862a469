package rp2040

import (
	"context"
	"encoding/binary"
	"time"

	"utfbench/transport"
)

// # Times
//
// The step loops wait in loops. The board measures one when it starts; on an RP2040 at 125 MHz it takes 8 cycles, which
// is known. What a half pulse or a change of levels takes with no loop, the base, was read from the cycles of emulators
// that run MicroPython's firmware (TestEmulatorTimes), in eighths of a loop, and is the least of all steps. Nobody has
// counted the cycles of a real RP2350: that a board whose loops are shorter has shorter bases too, in proportion, is
// all that is known of it.
const (
	loopTime = 64 * time.Nanosecond // RP2040

	// DefaultSettle and DefaultPulse are the minimum times for which changed levels settle, and for half a clock pulse.
	DefaultSettle = 200 * time.Nanosecond
	DefaultPulse  = 200 * time.Nanosecond

	// Longest is what either may be, so that a frame of steps is answered in a fraction of a second.
	Longest = 100 * time.Microsecond
)

// A pace is how a board waits.
type pace struct {
	loop   time.Duration
	pulse  time.Duration    // what a half pulse takes without a loop
	settle [2]time.Duration // what a change of levels takes without one: in a batch, in a run, which the board makes
}

// paceOf returns a family's pace from bases in eighths of a loop.
func paceOf(loop time.Duration, pulse, batch, run time.Duration) pace {
	return pace{loop, loop * pulse / 8, [2]time.Duration{loop * batch / 8, loop * run / 8}}
}

func newPace(f *family, h *hello) pace {
	loop := max(1, h.loop)
	switch {
	case !h.viper:
		return pace{loop: loop}
	case f.name == "RP2040":
		return paceOf(loopTime, 17, 30, 22)
	}
	return paceOf(loop, 18, 30, 22)
}

// loops returns the loops for d, of which base passes anyway.
func (p pace) loops(d, base time.Duration) uint32 {
	return uint32(max(0, d-base+p.loop-1) / p.loop)
}

// whole rounds a time to whole loops.
func (p pace) whole(d, base time.Duration) time.Duration {
	return base + time.Duration(p.loops(d, base))*p.loop
}

// wholeSettle rounds d to what a batch and a run can do, at least.
func (p pace) wholeSettle(d time.Duration) time.Duration {
	return min(p.whole(d, p.settle[0]), p.whole(d, p.settle[1]))
}

// settleLoops returns words of the table.
func (p pace) settleLoops(d time.Duration) []uint32 {
	return []uint32{p.loops(d, p.settle[0]), p.loops(d, p.settle[1])}
}

var _ transport.Tuner = (*Transport)(nil)

// Knobs implements transport.Tuner. A board without viper, which is a hundred times slower, has none.
func (t *Transport) Knobs() []transport.Knob { return t.knobs }

func newKnobs(p pace, h *hello, c *Config) []transport.Knob {
	if !h.viper {
		return nil
	}
	return []transport.Knob{
		{Name: "pulse", Low: max(p.pulse, p.loop), High: Longest, Default: p.whole(c.pulse(), p.pulse)},
		{Name: "settle", Low: max(p.wholeSettle(0), p.loop), High: Longest, Default: p.wholeSettle(c.settle())},
	}
}

// Tune implements transport.Tuner: the next time of a grid of one loop, 64 ns on an RP2040.
func (t *Transport) Tune(name string, d time.Duration) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(context.Background()); err != nil {
		return 0, err
	}
	if err := transport.CheckKnob(t.knobs, name, d); err != nil {
		return 0, err
	}
	now, took, payload := &t.pulse, t.pace.whole(d, t.pace.pulse), words(wordHigh, t.pace.loops(d, t.pace.pulse))
	if name == "settle" {
		now, took, payload = &t.settle, t.pace.wholeSettle(d), words(wordSettle, t.pace.settleLoops(d)...)
	}
	*now = took
	_, err := t.exchange(context.Background(), kindWords, payload)
	if err == nil {
		err = t.paceMaker(context.Background())
	}
	return *now, t.bury(err)
}

// words returns a frame's payload: words of the table from an index on.
func words(at int, values ...uint32) []byte {
	p := binary.LittleEndian.AppendUint16(nil, uint16(at))
	for _, v := range values {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	return p
}
