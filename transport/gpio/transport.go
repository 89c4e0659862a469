// Package gpio carries steps to a chip that is wired to GPIO lines of the machine that the bench runs on, such as the
// 40-pin header of a Raspberry Pi.
//
// Three back-ends do the same three things, *set these lines, turn these lines, read these lines*, and differ in where
// they work and in how long they take:
//
//	registers  the GPIO registers of a BCM2835, BCM2836, BCM2837 or BCM2711 (Raspberry Pi Zero to 4), mapped into
//	           memory
//	lines      any GPIO chip of Linux, through its character device: all 26 lines in one request
//	pins       any pin that periph.io knows by name, one after another
//
// The package keeps the order of [transport.Step] and leaves the moving of lines to the back-end. No back-end is asked
// to change two lines at the same time where it would matter which comes first: GPIO chips behind a bus, the RP1 of a
// Raspberry Pi 5 among them, change lines one after another.
package gpio

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"utfbench/internal/crash"
	"utfbench/transport"
)

// DefaultSettle is the minimum time for changed levels, and DefaultPulse for half a clock pulse. Short jumper wires
// ring for some tens of nanoseconds, and a Tiny Tapeout chip's multiplexer adds some 20 ns in each direction; 200 ns is
// well above their sum, equals the rp2040 transport's, and allows a million steps a second. It has not been measured on
// a board.
const (
	DefaultSettle = 200 * time.Nanosecond
	DefaultPulse  = 200 * time.Nanosecond
)

// Config says how the chip is wired, and how to reach the lines. All but Pins may stay zero.
type Config struct {
	Backend string            // registers, lines or pins; empty takes registers where it is safe, else lines
	Chips   []string          // labels that the GPIO chip may have, for lines
	Pins    map[string]string // by signal, clk, rst_n, ui0..ui7, uo0..uo7, uio0..uio7: a number or a name

	Settle time.Duration // after a change of levels; 0 waits for nothing
	Pulse  time.Duration // each half of a clock pulse; 0 waits for nothing
}

// A Transport is a chip at GPIO lines.
type Transport struct {
	back  backend
	guard *sentry // nil if nobody guards the lines
	done  func()  // it need not be parked after a crash any more
	can   abilities
	knobs []transport.Knob

	mu            sync.Mutex
	settle, pulse time.Duration
	levels        uint32 // that the bench puts on its lines
	drive         uint32 // the uio lines that it drives
	dead          error
	closed        bool
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ transport.Puller    = (*Transport)(nil)
)

// start takes over a back-end with parked lines.
func start(b backend, c Config) *Transport {
	t := &Transport{back: b, can: b.can(), knobs: newKnobs(c), settle: c.Settle, pulse: c.Pulse}
	t.done = crash.Keep(t.Close)
	return t
}

func (t *Transport) String() string { return "gpio:" + t.back.String() }

// stepsPerLook is how often Apply looks whether it was interrupted. The slowest back-end takes some 100 us a step.
const stepsPerLook = 256

// Apply implements transport.Transport.
func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if t.dead != nil {
		return 0, t.dead
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	for i := range steps {
		if i%stepsPerLook == stepsPerLook-1 && ctx.Err() != nil {
			return i, ctx.Err()
		}
		if err := t.step(steps[i], &samples[i]); err != nil {
			t.dead = fmt.Errorf("%s: %w", t, err)
			return i, t.dead
		}
	}
	return len(steps), nil
}

// step keeps the order that the package transport promises. Where uio keeps its direction, its data may change together
// with ui, since clk is low and nobody looks.
func (t *Transport) step(s transport.Step, sample *transport.Sample) error {
	drive, mask := uint32(s.Drive)<<transport.UIO, uint32(transport.MaskUI|transport.MaskRstN)
	levels := uint32(s.In) | uint32(s.IO&s.Drive)<<transport.UIO
	if !s.Reset {
		levels |= transport.MaskRstN
	}
	if gone := t.drive &^ drive; gone != 0 {
		if err := t.turn(t.drive&drive, t.levels); err != nil {
			return err
		}
	}
	if drive == t.drive {
		mask |= drive
	}
	if err := t.set(levels, mask); err != nil {
		return err
	}
	if drive != t.drive {
		if err := t.turn(drive, levels); err != nil {
			return err
		}
		wait(t.settle)
	}
	if err := t.clock(s.Clocks); err != nil {
		return err
	}
	return t.look(sample)
}

// set puts levels on the lines in mask, and lets them settle, if they are others than before.
func (t *Transport) set(levels, mask uint32) error {
	changed := (levels ^ t.levels) & mask
	if changed == 0 {
		return nil
	}
	t.levels ^= changed
	if err := t.back.set(t.levels, changed); err != nil {
		return err
	}
	wait(t.settle)
	return nil
}

// turn drives these uio lines, with these levels, and no others.
func (t *Transport) turn(drive, levels uint32) error {
	t.drive = drive
	t.levels = t.levels&^transport.MaskUIO | levels&drive
	return t.back.turn(t.levels, drive)
}

func (t *Transport) clock(pulses uint8) error {
	for range pulses {
		if err := t.back.set(t.levels|transport.MaskClk, transport.MaskClk); err != nil {
			return err
		}
		wait(t.pulse)
		if err := t.back.set(t.levels, transport.MaskClk); err != nil {
			return err
		}
		wait(t.pulse)
	}
	return nil
}

func (t *Transport) look(sample *transport.Sample) error {
	seen, err := t.back.read(t.drive)
	if err != nil {
		return err
	}
	if !t.can.readDriven {
		seen = seen&^t.drive | t.levels&t.drive
	}
	*sample = transport.Sample{Out: uint8(seen >> transport.UO), IO: uint8(seen >> transport.UIO)}
	return nil
}

// wait spins: the scheduler's shortest sleep is a thousand times longer than a clock pulse.
func wait(d time.Duration) {
	if d <= 0 {
		return
	}
	for start := time.Now(); time.Since(start) < d; {
	}
}

// Pull implements transport.Puller. The error is errors.ErrUnsupported where the back-end cannot pull.
func (t *Transport) Pull(_ context.Context, to transport.Pull) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return transport.ErrClosed
	}
	if err := t.back.pull(to); err != nil {
		return fmt.Errorf("%s: pulling lines: %w", t, err)
	}
	wait(t.settle)
	return nil
}

// Close parks the chip, and makes every line an input again, as it was found.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	defer t.done()
	var sample transport.Sample
	err := errors.Join(t.step(transport.Park, &sample), t.back.release())
	t.guard.end(err == nil)
	if err != nil {
		return fmt.Errorf("%s: the lines may still be driven: %w", t, err)
	}
	return nil
}
