// Package transport is the contract between the bench and whatever carries a chip: a model in memory, a demo board, a
// header full of wires, a simulator. It knows no chip, only the pins that every Tiny Tapeout tile has.
//
// # Words
//
//   - A line is one wire between bench and chip: ui[7:0], uo[7:0], uio[7:0], clk and rst_n.
//   - The bench drives a line when it sets its level, and releases it when it leaves the level to the chip.
//   - A step is one thing done to the chip: levels on the lines, then clock pulses, then a look at the lines.
//   - A sample is what the look saw. A bit that was neither 0 nor 1 is unknown, and equals nothing.
//   - Contention is two parties driving one line. The bench never asks for it; see the driver's lint.
//   - To park a chip is to leave it where it can hurt nobody: clk low, reset held, all of ui low, uio released.
//
// # Order within a step
//
// Every transport keeps this order, so that a bus can be turned around without a moment at which both sides drive it:
//
//  1. release the uio lines that the step does not drive
//  2. set ui and rst_n, and let them settle
//  3. drive the uio lines that the step drives, and let them settle
//  4. pulse clk, low to high to low, Clocks times
//  5. sample
//
// # Adding a transport
//
// Make a folder beside mock/, implement [Transport], call transporttest.Run in its test, and give it a Kind (see
// package station).
package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"utfbench/internal/failure"
)

// A Transport carries steps to one chip. One goroutine uses it at a time; Close may come from another.
type Transport interface {
	// String names the far end, as in "mock:tt09" or "rp2040:/dev/ttyACM0".
	fmt.Stringer

	// Apply puts each step on the lines in order and fills samples[i] from steps[i]; samples must be as long as steps.
	// It returns how many samples are good, counted from the first; the error is nil only when all of them are.
	// After an error other than ctx's own before the first step, the transport may refuse further work.
	Apply(ctx context.Context, steps []Step, samples []Sample) (int, error)

	// Close parks the chip and frees what was opened. It can be called again, and does nothing then; a later Apply
	// returns ErrClosed.
	Close() error
}

// A Pull is what holds a line that nobody drives.
type Pull uint8

// Pulls.
const (
	PullNone Pull = iota
	PullUp
	PullDown
)

// A Puller is a transport that can pull released lines and the chip's outputs, which reveals open ones. A pull stays
// until the next, yields to any driver, and ends with Close.
type Puller interface {
	// Pull fails with errors.ErrUnsupported where this end cannot.
	Pull(ctx context.Context, p Pull) error
}

// A FourStater is a transport that may be a simulation with an X beside 0 and 1, where a chip has a level.
type FourStater interface{ FourState() bool }

// FourState reports whether a transport is such a simulation.
func FourState(t Transport) bool {
	f, is := t.(FourStater)
	return is && f.FourState()
}

// A Knob is a time that a transport lets the bench choose.
type Knob struct {
	// pulse: the minimum half of a clock pulse; settle: the minimum time for changed levels
	Name      string
	Low, High time.Duration
	Default   time.Duration
}

// A Tuner is a transport with knobs. One without times of its own, as a simulation, is none.
type Tuner interface {
	// Knobs are the same whatever they were turned to: Default is the time that a knob is put back to. There may be
	// none, where it depends on the far end.
	Knobs() []Knob

	// Tune sets a knob from the next batch on, and returns the actual time, which may be rounded. A time out of range,
	// or an unknown name, is an error; after Close it is ErrClosed.
	Tune(name string, d time.Duration) (time.Duration, error)
}

// CheckKnob validates the arguments of Tune; the error lists what is allowed.
func CheckKnob(knobs []Knob, name string, d time.Duration) error {
	var names []string
	for _, k := range knobs {
		if k.Name == name && d >= k.Low && d <= k.High {
			return nil
		}
		if k.Name == name {
			return failure.Usagef("%s %s: allowed is %s to %s", name, d, k.Low, k.High)
		}
		names = append(names, k.Name)
	}
	return failure.Usagef("no knob %q: there are %s", name, strings.Join(names, ", "))
}

// A Meter is a transport that counts the bytes between it and its far end, since it was opened.
type Meter interface {
	Traffic() (sent, received int)
}

// ErrClosed is what Apply returns after Close.
var ErrClosed = errors.New("the transport is closed")

// A Step is levels, then Clocks pulses of clk, then a sample.
type Step struct {
	In     uint8 // ui[7:0]
	IO     uint8 // uio[7:0]; only the bits set in Drive count
	Drive  uint8 // the uio lines that the bench drives; it releases the others
	Reset  bool  // hold rst_n low
	Clocks uint8 // full pulses of clk; 0 only settles
}

// Park is the step that every transport applies last: all levels low, reset held, uio released, no clock.
var Park = Step{Reset: true}
