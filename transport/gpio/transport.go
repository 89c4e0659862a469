// Package gpio applies steps to a chip wired to GPIO lines of the bench's machine, such as the 40-pin header of a
// Raspberry Pi.
//
// A back-end sets lines, changes their directions, and reads them. There are two, with different speeds:
//
//	registers  the GPIO registers of a BCM2835, BCM2836, BCM2837 or BCM2711 (Raspberry Pi Zero to 4), mapped into
//	           memory
//	lines      any GPIO chip of Linux, through its character device: all 26 lines in one request
//
// This package implements the order within a [transport.Step]; back-ends only change lines. GPIO chips behind a bus,
// such as the RP1 of a Raspberry Pi 5, change lines one after another. The package therefore never changes lines in one
// call if their order matters.
package gpio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// Config specifies the chip's wiring and the access to the lines. Pins is required, and Chips for the back-end lines.
type Config struct {
	Backend string            // registers or lines; empty for registers if safe, else lines
	Chips   []string          // possible labels of the GPIO chip, for lines
	Pins    map[string]string // numbers or names by signal: clk, rst_n, ui0..ui7, uo0..uo7, uio0..uio7

	Settle time.Duration // time after a change of levels; 0 for no wait
	Pulse  time.Duration // time of each half of a clock pulse; 0 for no wait
}

// A Transport is a chip wired to GPIO lines.
type Transport struct {
	back  backend
	guard *sentry // nil without a guard
	done  func()  // cancels the parking after a panic
	knobs []transport.Knob

	mu            sync.Mutex
	settle, pulse time.Duration
	levels        uint32 // levels of the lines that the bench drives
	drive         uint32 // uio lines that the bench drives
	dead          error
	closed        bool
}

var _ transport.Transport = (*Transport)(nil)

// start returns a transport for a back-end with parked lines.
func start(b backend, c Config) *Transport {
	t := &Transport{back: b, knobs: newKnobs(c), settle: c.Settle, pulse: c.Pulse}
	t.done = failure.CloseOnPanic(t.Close)
	return t
}

func (t *Transport) String() string { return "gpio:" + t.back.String() }

// stepsPerLook is the number of steps between Apply's checks of its context. The slowest back-end takes 100 us a step.
const stepsPerLook = 256

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
	if err := transport.RejectLinger(steps); err != nil {
		return 0, err // the kernel may interrupt the process between release and edge
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

// step keeps the order that package transport specifies. If uio keeps its direction, its data may change together with
// ui, since clk is low and nothing samples.
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

// set sets changed levels of the lines in mask and lets them settle.
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

// turn drives the given uio lines with these levels and releases the others.
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
	seen, err := t.back.read()
	if err != nil {
		return err
	}
	*sample = transport.Sample{Out: uint8(seen >> transport.UO), IO: uint8(seen >> transport.UIO)}
	return nil
}

// wait spins, because the scheduler's shortest sleep is a thousand times longer than a clock pulse.
func wait(d time.Duration) {
	if d <= 0 {
		return
	}
	for start := time.Now(); time.Since(start) < d; {
	}
}

// Close parks the chip and makes every line an input again.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	defer t.done()
	var sample transport.Sample
	err := errors.Join(t.step(transport.ParkStep, &sample), t.back.release())
	t.guard.end(err == nil)
	if err != nil {
		return fmt.Errorf("%s: the lines may still be driven: %w", t, err)
	}
	return nil
}

// A sentry is the process that parks the chip if the bench dies before it has done so.
type sentry struct {
	process *exec.Cmd
	link    io.Closer // held only by the bench; breaks when the bench dies
}

// end ends the sentry, which may be nil. If the chip was not parked, the sentry tries once more first.
func (s *sentry) end(parked bool) {
	if s == nil {
		return
	}
	if parked {
		_ = s.process.Process.Kill() // fails if it has ended, as Wait reports
	}
	s.link.Close()
	_ = s.process.Wait() // it has printed its error
}
