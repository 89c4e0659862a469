// Package transport defines the contract between the bench and the carrier of a chip: a model in memory, a demo board,
// wires on a GPIO header, or a simulator. It depends on no chip, only on the pins that every Tiny Tapeout tile has.
//
// # Terms
//
//   - A line is one wire between bench and chip: ui[7:0], uo[7:0], uio[7:0], clk and rst_n.
//   - The bench drives a line when it sets its level, and releases it when it leaves the level to the chip.
//   - A step sets levels on the lines, pulses the clock, and then samples the outputs.
//   - A sample holds the output levels at the end of a step. A bit neither 0 nor 1 is unknown: it differs from
//     any level, while a bit unknown in an expected sample matches any.
//   - Contention occurs when bench and chip both drive a line. No step may cause it; see the tile's lint.
//   - To park a chip is to leave it in a safe state: clk low, reset held, all of ui low, uio released.
//
// # Order within a step
//
// Every transport keeps this order, so that a bus changes direction without both sides driving it at any moment:
//
//  1. release the uio lines that the step does not drive, unless it lingers and has a clock
//  2. set ui and rst_n, and let them settle
//  3. drive the uio lines that the step drives, and let them settle; lines that the previous step drove, too, may get
//     their levels with item 2
//  4. pulse clk, low to high to low, Clocks times; a lingering step releases the lines of item 1 right before its first
//     rising edge
//  5. sample
//
// # Adding a transport
//
// Make a folder beside mock/, implement [Transport], call testkit.RunTransport in its test, and give it a Kind (see
// package station).
package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Transport carries steps to one chip. One goroutine uses it at a time; Close may be called from another, and waits
// for a running Apply or ends it.
type Transport interface {
	// String names the far end, as in "mock:tt09" or "rp2040:/dev/ttyACM0".
	fmt.Stringer

	// Apply applies the steps in order and fills samples[i] from steps[i]; samples must be as long as steps. It returns
	// the number of good samples, counted from the first; the error is nil only if all are good. An error before the
	// first step leaves the transport usable; after any other it may refuse further work. Only an interrupt is a
	// context.Canceled: a transport that cancels work of its own returns another error.
	Apply(ctx context.Context, steps []Step, samples []Sample) (int, error)

	// Close parks the chip and releases its resources. Further calls do nothing; a later Apply returns ErrClosed. A
	// transport that drives hardware registers it with [failure.CloseOnPanic], so that a crash parks the chip, too.
	Close() error
}

// A Pull is a pull-up or pull-down on lines that nothing drives.
type Pull uint8

const (
	PullNone Pull = iota
	PullUp
	PullDown
)

// A Puller is a transport that can pull released lines and the chip's outputs, which reveals open wires. A pull lasts
// until the next one or Close, and any driver overrides it.
type Puller interface {
	// Pull fails with errors.ErrUnsupported if the far end has no pulls.
	Pull(ctx context.Context, p Pull) error
}

// A FourStater is a transport that may be a four-state simulation, in which a level may be X.
type FourStater interface{ FourState() bool }

// IsFourState reports whether a transport is a four-state simulation.
func IsFourState(t Transport) bool {
	f, is := t.(FourStater)
	return is && f.FourState()
}

// A Floater is a four-state simulation that distinguishes an undriven output from an unknown level.
type Floater interface {
	// UndrivenOutputs applies the steps again, and returns for each step the outputs that neither side drove.
	UndrivenOutputs(ctx context.Context, steps []Step) ([]Outputs, error)
}

// A Knob is an adjustable time of a transport.
type Knob struct {
	// "pulse" is the minimum time of half a clock pulse, "settle" the minimum time for levels to settle
	Name      string
	Low, High time.Duration
	Default   time.Duration
}

// A Tuner is a transport with knobs. A simulation has no time and no knobs; the mock has virtual time.
type Tuner interface {
	// Knobs returns the knobs with their defaults, which Tune does not change. Some far ends have none.
	Knobs() []Knob

	// Tune sets a knob from the next batch on and returns the actual time, which may be rounded. It returns an error
	// for an unknown name or a time out of range, and ErrClosed after Close.
	Tune(ctx context.Context, name string, d time.Duration) (time.Duration, error)
}

// CheckKnob validates the arguments of Tune; the error lists the allowed values.
func CheckKnob(knobs []Knob, name string, d time.Duration) error {
	var names []string
	for _, k := range knobs {
		if k.Name == name && d >= k.Low && d <= k.High {
			return nil
		}
		if k.Name == name {
			return usagef("%s %s: allowed is %s to %s", name, d, k.Low, k.High)
		}
		names = append(names, k.Name)
	}
	return usagef("no knob %q: there are %s", name, strings.Join(names, ", "))
}

// A usageError is an error that the user can correct. Package failure recognises it by its method.
type usageError string

func (e usageError) Error() string { return string(e) }

// Usage marks the error as the user's.
func (usageError) Usage() {}

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// ErrClosed is returned by Apply, Burst and Tune after Close.
var ErrClosed = errors.New("the transport is closed")

// A Step sets levels, then pulses clk Clocks times, then samples.
type Step struct {
	In     uint8 // ui[7:0]
	IO     uint8 // uio[7:0]; only bits set in Drive matter
	Drive  uint8 // uio lines that the bench drives; it releases the others
	Reset  bool  // hold rst_n low
	Clocks uint8 // full pulses of clk; 0 for none

	// Linger keeps driving the lines that the step releases until right before its first rising edge. At the edge the
	// chip samples the levels that their charge retains; if it then drives them, there is no contention. Without a
	// clock Linger has no effect. If a transport cannot release within a microsecond, it returns RejectLinger's error.
	Linger bool
}

// ErrLinger reports a transport that cannot apply lingering steps.
var ErrLinger = errors.New("this end cannot release uio right before an edge; bench import --release makes vectors " +
	"without such steps")

// RejectLinger returns ErrLinger with the number of the first lingering step, or nil.
func RejectLinger(steps []Step) error {
	for i := range steps {
		if steps[i].Linger {
			return fmt.Errorf("step %d lingers: %w", i+1, ErrLinger)
		}
	}
	return nil
}

// LingeringLines returns the lines of uio that step i of a vector releases only right before its first edge. A
// transport does not call it: its batches split vectors, so it compares with the lines that it drives.
func LingeringLines(steps []Step, i int) uint8 {
	if i == 0 || !steps[i].Linger || steps[i].Clocks == 0 {
		return 0
	}
	return steps[i-1].Drive &^ steps[i].Drive
}

// Flags encodes Reset and Linger as bits 0 and 1.
func (s *Step) Flags() (b byte) {
	if s.Reset {
		b = 1
	}
	if s.Linger {
		b |= 2
	}
	return b
}

// SetFlags decodes Reset and Linger from bits 0 and 1.
func (s *Step) SetFlags(b byte) { s.Reset, s.Linger = b&1 != 0, b&2 != 0 }

// ParkStep is the step that every transport applies last: all levels low, reset held, uio released, no clock.
var ParkStep = Step{Reset: true}
