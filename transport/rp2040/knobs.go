package rp2040

import (
	"context"
	"encoding/binary"
	"time"

	"utfbench/transport"
)

// # Times
//
// The step program waits in loops, whose duration the board measures at its start; on an RP2040 at 125 MHz it is taken
// as 8 cycles unless the measurement contradicts that. The bases are the durations of a half pulse and of a level
// change with zero loop iterations, in eighths of an iteration. They are the minimum over all steps, counted in
// emulators that run MicroPython's firmware (TestEmulatorTimes). For a real RP2350 they have not been counted and are
// assumed to be proportional to its loops.
const (
	loopTime = 64 * time.Nanosecond // RP2040

	// MaxWait is the maximum of a settle time and of half a pulse, so that a frame's answer takes less than a second.
	MaxWait = 100 * time.Microsecond
)

// A pace describes a board's waits: a loop's duration, and the minimum durations of a half pulse and a level change.
type pace struct{ loop, pulse, settle time.Duration }

func newPace(f *family, h *hello) pace {
	loop, pulse := max(1, h.loop), time.Duration(17) // in eighths of a loop
	switch {
	case !h.viper:
		return pace{loop: loop}
	case f.name != "RP2040":
		pulse = 18
	case h.loop == 0, agrees(h.loop):
		loop = loopTime
	}
	return pace{loop, loop * pulse / 8, loop * 22 / 8}
}

// loops returns the number of loops for a time d that includes base.
func (p pace) loops(d, base time.Duration) uint32 {
	return uint32(max(0, d-base+p.loop-1) / p.loop)
}

// whole rounds a time up to whole loops.
func (p pace) whole(d, base time.Duration) time.Duration {
	return base + time.Duration(p.loops(d, base))*p.loop
}

var _ transport.Tuner = (*Transport)(nil)

// agrees reports whether the measured time of an RP2040's loop differs from its known time by no more than the error of
// the measurement, which is a tick in 4,000 loops, plus interrupts.
func agrees(loop time.Duration) bool { return loop > loopTime*9/10 && loop < loopTime*11/10 }

// LoopTime returns the duration of a wait loop as measured by the board, and as known for its microcontroller; 0 means
// unknown. The transport uses the known duration if both agree.
func (t *Transport) LoopTime() (measured, known time.Duration, agree bool) {
	if !t.board.viper || t.family.name != "RP2040" {
		return 0, 0, false
	}
	return t.board.loop, loopTime, agrees(t.board.loop)
}

// Knobs implements transport.Tuner. A board without viper has none, since it is a hundred times slower.
func (t *Transport) Knobs() []transport.Knob { return t.knobs }

func newKnobs(p pace, h *hello, c *Config) []transport.Knob {
	if !h.viper {
		return nil
	}
	return []transport.Knob{
		{Name: "pulse", Low: max(p.pulse, p.loop), High: MaxWait, Default: p.whole(c.Pulse, p.pulse)},
		{Name: "settle", Low: max(p.settle, p.loop), High: MaxWait, Default: p.whole(c.Settle, p.settle)},
	}
}

// Tune implements transport.Tuner. It rounds up to whole loops, which are 64 ns on an RP2040.
func (t *Transport) Tune(ctx context.Context, name string, d time.Duration) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return 0, err
	}
	if err := transport.CheckKnob(t.knobs, name, d); err != nil {
		return 0, err
	}
	now, base, word := &t.pulse, t.pace.pulse, wordHigh
	if name == "settle" {
		now, base, word = &t.settle, t.pace.settle, wordSettle
	}
	*now = t.pace.whole(d, base)
	_, err := t.exchange(ctx, kindWords, words(word, t.pace.loops(d, base)))
	return *now, t.bury(err)
}

// sendWords sets the first words of a table, in as many frames as needed.
func (t *Transport) sendWords(ctx context.Context, kind byte, all []uint32) error {
	per := (t.board.payload - 2) / 4
	for at := 0; at < len(all); at += per {
		if _, err := t.exchange(ctx, kind, words(at, all[at:min(at+per, len(all))]...)); err != nil {
			return err
		}
	}
	return nil
}

// words returns the payload that sets words of the table from an index on.
func words(at int, values ...uint32) []byte {
	p := binary.LittleEndian.AppendUint16(nil, uint16(at))
	for _, v := range values {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	return p
}
