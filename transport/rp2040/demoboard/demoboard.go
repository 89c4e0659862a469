// Package demoboard brings up a board with MicroPython, from its serial port to a chip that is selected, known and
// parked. The steps on the way are its layers, each of which stands on the one before: see [Board.Layers].
//
// What a board says is believed as far as it can know it. The SDK knows the board from its start, and its word for the
// wiring is taken; for the chip's shuttle only where the ROM was really read. The number of a design comes from the
// shuttle index (boards/shuttles), since no release of the SDK knows all shuttles.
//
// # The SDK's generations
//
// Read from its sources at the tags 1.2.2, 2.0.4 and 3.0.6, and MicroPython's at 1.24.0:
//
//   - All stop the clock by tt.clock_project_stop() and keep its frequency in tt.auto_clocking_freq; tt.project_clk is
//     gone since 2.0. All select by number with tt.shuttle.reset_and_clock_mux(n).
//   - The board is DemoboardDetect.PCB_str(): TT04/TT05, TT06+, or UNKNOWN before its probe; since 3.0 TTDBv3, and
//     CarrierVersion is 1 for a chip, 2 for the FPGA, 0 for none.
//   - A design that the index lacks is an AttributeError; in 3.0, on the FPGA, a ValueError. Since 2.0 a dangerous one
//     is refused and the previous one stays selected.
//   - A ROM that was not read is tt03p5 in 1.2, tt04 in 2.0, and unknown since 2.0.2.
//   - Free memory beside it: 113 kB in 1.2, 46 to 95 kB in pieces of 10 to 45 kB in 2.0, 407 kB in 3.0. main.py takes
//     3 s, 4.4 to 5.6 s, 1.3 s in an emulator.
//
// By default the SDK selects the factory test, clocks it at 10 Hz and sets the microcontroller to 133 MHz. A soft reset
// in the raw REPL keeps levels, selection and frequency, and does not run main.py.
package demoboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/transport/rp2040"
	"utfbench/transport/rp2040/ports"
)

// Options say what to open. All may stay zero but Project.
type Options struct {
	Port string // a device, VID:PID:SERIAL or a serial number; "" is the only board
	// Open opens the port of this name; nil finds and opens a port of this machine
	Open    func(ctx context.Context, port string) (io.ReadWriteCloser, error)
	Board   *boards.Board // nil: by the board's own word
	Project string        // the design that is selected when Design is ""
	Design  string        // by name or number, or "none" for what is selected already
	Insist  bool          // select a design that is marked as dangerous, too

	// for an answer of the step program; more than rp2040.DefaultPatience makes all waits longer
	Patience      time.Duration
	Settle, Pulse time.Duration // as in rp2040.Config
}

// A Board is a board at its raw REPL. Close it, also after Start.
type Board struct {
	*rp2040.Console
	Port   string
	Facts  *rp2040.Facts
	Wiring *boards.Board // nil before the layer "board" has passed
	ROM    *rp2040.ROM   // nil when the chip has none that was read
	Number int           // of the design on the mux; 0 when it is not known
	Notes  []string      // what a user should know, of all layers so far

	options Options
	pins    map[string]int
	high    []int
	taken   map[int]string
	read    []byte      // at the addresses of the chip's ROM; nil if the bench has not read it
	mux     *rp2040.Mux // nil when the bench does not reach it
}

// Dial finds the port, enters the REPL and identifies the board.
func Dial(ctx context.Context, o Options) (*Board, error) {
	if o.Patience <= 0 {
		return nil, failure.Usagef("--patience %s: has to be more than 0", o.Patience)
	}
	if o.Open == nil {
		name, err := findPort(o.Port)
		if err != nil {
			return nil, err
		}
		o.Port = name
		o.Open = func(context.Context, string) (io.ReadWriteCloser, error) { return ports.Open(name) }
	}
	port, err := o.Open(ctx, o.Port)
	if err != nil {
		return nil, err
	}
	return dial(ctx, port, o.Port, o)
}

func dial(ctx context.Context, port io.ReadWriteCloser, name string, o Options) (*Board, error) {
	console, err := rp2040.Dial(ctx, port, name, o.Patience)
	if err != nil {
		return nil, err
	}
	b := &Board{Console: console, Port: name, options: o}
	if b.Facts, err = console.Facts(ctx); err != nil {
		console.Close()
		return nil, err
	}
	return b, nil
}

func findPort(spec string) (string, error) {
	if strings.Contains(spec, "/") {
		return spec, nil
	}
	list, err := ports.List()
	if err != nil {
		return "", err
	}
	p, err := ports.Find(list, spec)
	return p.Name, portError(err)
}

// portError marks an ambiguous port as the user's error; a missing one is not.
func portError(err error) error {
	var several *ports.AmbiguousError
	if errors.As(err, &several) {
		return failure.Usagef("%v", err)
	}
	return err
}

func (b *Board) note(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// A Layer lies between the REPL and the chip.
type Layer struct {
	Name string
	Pass func(context.Context) error
	Well func() string // what to say where there is nothing to note
}

// Layers go from the REPL to a design that is selected. Start comes after them.
func (b *Board) Layers() []Layer {
	return []Layer{
		{"board", b.Identify, func() string { return b.Wiring.Name + ", " + b.Wiring.Title }},
		{"ui lines", b.held, func() string { return "nothing holds one, no DIP switch and no PMOD" }},
		{"design", b.choose, func() string { return "left as it is" }},
	}
}

// Start sends the step program, and leaves the chip parked.
func (b *Board) Start(ctx context.Context) (*rp2040.Transport, error) {
	o := &b.options
	return b.Console.Start(ctx, rp2040.Config{Name: b.Port, Pins: b.pins, High: b.high, Taken: b.taken,
		Patience: o.Patience, Settle: o.Settle, Pulse: o.Pulse}, b.memo())
}

// A memo is stored on a board that the bench had to use without the SDK, so that the next bench need not start that.
type memo struct {
	Board string `json:"board"`
	SDK   string `json:"sdk"` // its version
}

func (b *Board) memo() string {
	if b.options.Board != nil || b.Facts.SDK == nil {
		return b.Facts.Kept
	}
	text, err := json.Marshal(memo{b.Wiring.Name, b.Facts.SDK.Version})
	if err != nil {
		panic(err) // two texts
	}
	return string(text)
}

// Firmware says in a line what runs on the board.
func (b *Board) Firmware() string {
	f := b.Facts
	text := fmt.Sprintf("MicroPython %s on %s, %g MHz", f.Firmware, f.Machine, float64(f.Hertz)/1e6)
	switch {
	case f.SDK != nil:
		return text + ", SDK " + f.SDK.Version
	case f.Installed:
		return text + ", Tiny Tapeout's SDK is not started"
	}
	return text + ", without Tiny Tapeout's SDK"
}

// shuttle returns the shuttle in the chip's ROM, for a sentence.
func (b *Board) shuttle() string {
	if b.ROM == nil {
		return "a shuttle without a ROM"
	}
	return cmp.Or(b.ROM.Shuttle, "a shuttle without a name")
}
