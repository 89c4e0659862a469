// Package demoboard brings up an RP2040 or RP2350 board with MicroPython, from its serial port to an identified chip
// with a selected design, parked. It proceeds in layers, each of which depends on the previous one: see [Board.Layers].
// It lists the machine's serial ports, and opens one only on request, since a byte sent to the wrong device may harm
// it.
//
// A board's claims are trusted as far as their source is reliable. The SDK detects the board at its start, so its
// wiring is trusted; its shuttle is trusted only if the ROM was really read. The number of a design comes from the
// shuttle index (boards.Index), since no release of the SDK knows all shuttles.
//
// # The SDK's generations
//
// The following is from the SDK's sources at the tags 1.2.2, 2.0.4 and 3.0.6, and MicroPython's at 1.24.0:
//
//   - In all of them, tt.clock_project_stop() stops the clock, tt.auto_clocking_freq keeps its frequency, and
//     tt.shuttle.reset_and_clock_mux(n) selects by number. Since 2.0 there is no tt.project_clk.
//   - DemoboardDetect.PCB_str() returns the board: TT04/TT05, TT06+, or UNKNOWN before its probe; since 3.0 TTDBv3,
//     where CarrierVersion is 1 for a chip, 2 for the FPGA, 0 for none.
//   - Selecting a design that the index lacks raises an AttributeError or, in 3.0 on the FPGA, a ValueError. Since 2.0
//     a dangerous design is refused, and the previous one stays selected.
//   - If the ROM was not read, the shuttle is tt03p5 in 1.2, tt04 in 2.0, and unknown since 2.0.2.
//   - The SDK leaves 113 kB of memory free in 1.2, 46 to 95 kB in pieces of 10 to 45 kB in 2.0, and 407 kB in 3.0.
//     main.py takes 3 s, 4.4 to 5.6 s, and 1.3 s in an emulator.
//
// By default the SDK selects the factory test, clocks it at 10 Hz and sets the microcontroller to 133 MHz. A soft reset
// in the raw REPL keeps levels, selection and frequency, and does not run main.py.
package demoboard

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"utfbench/boards"
	"utfbench/transport/rp2040"
)

// Options control the bring-up. Only Project is required.
type Options struct {
	Port string // a device, VID:PID:SERIAL or serial number; "" for the only board
	// Open opens a port by name; nil for this machine's ports
	Open    func(ctx context.Context, port string) (io.ReadWriteCloser, error)
	Board   *boards.Board // nil to detect it
	Project string        // design to select if Design is ""
	Design  string        // name or number, or "none" to keep the selected design
	Insist  bool          // select a design even if it is marked as dangerous

	// timeout of the step program's answers; if above rp2040.DefaultPatience, all timeouts grow in proportion
	Patience      time.Duration
	Settle, Pulse time.Duration // as in rp2040.Config
}

// A Board is a board at its raw REPL. The caller must close it, even after Start.
type Board struct {
	*rp2040.Console
	Port   string
	Facts  *rp2040.Facts
	Wiring *boards.Board // nil until the layer "board" has passed
	ROM    *rp2040.ROM   // nil if the chip has none, or it was not read
	Number int           // number of the design on the mux; 0 if unknown
	Notes  []string      // remarks for the user from all layers so far

	options Options
	pins    map[string]int
	high    []int
	stuck   string      // lines of uo that do not change while the ROM is read
	mux     *rp2040.Mux // nil if the bench cannot access it
}

// Dial finds the port, enters the REPL and queries the board.
func Dial(ctx context.Context, o Options) (*Board, error) {
	if o.Open == nil {
		list, err := Ports()
		if err != nil {
			return nil, err
		}
		found, err := FindPort(list, o.Port)
		if err != nil {
			return nil, err
		}
		o.Port = found.Name
		o.Open = func(_ context.Context, name string) (io.ReadWriteCloser, error) { return OpenPort(name) }
	}
	port, err := o.Open(ctx, o.Port)
	if err != nil {
		return nil, err
	}
	console, err := rp2040.Dial(ctx, port, o.Port, o.Patience)
	if err != nil {
		return nil, err
	}
	b := &Board{Console: console, Port: o.Port, options: o}
	if b.Facts, err = console.ReadFacts(ctx); err != nil {
		console.Close()
		return nil, err
	}
	return b, nil
}

func (b *Board) note(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// A Layer is a stage of the bring-up between the REPL and the chip.
type Layer struct {
	Name    string
	Check   func(context.Context) error
	Summary func() string // message when there are no notes
}

// LayerInputs is the layer after which the pins are known and nothing drives the chip's inputs against the bench.
// LayerDesign is the layer that reads the ROM and selects the design.
const (
	LayerInputs = "ui lines"
	LayerDesign = "design"
)

// Layers returns the layers from the REPL to a selected design. Call Start after them.
func (b *Board) Layers() []Layer {
	return []Layer{
		{"board", b.Identify, func() string { return b.Wiring.Name + ", " + b.Wiring.Title }},
		{LayerInputs, b.held, func() string { return "nothing holds one, no DIP switch and no PMOD" }},
		{LayerDesign, b.choose, func() string { return "left as it is" }},
	}
}

// Start sends the step program and leaves the chip parked.
func (b *Board) Start(ctx context.Context) (*rp2040.Transport, error) {
	o := &b.options
	return b.Console.Start(ctx, rp2040.Config{Pins: b.pins, HighPins: b.high,
		Patience: o.Patience, Settle: o.Settle, Pulse: o.Pulse})
}

// Firmware describes the board's software in one line.
func (b *Board) Firmware() string {
	f := b.Facts
	text := fmt.Sprintf("MicroPython %s on %s, %g MHz, id %s, %d kB of memory free", f.Firmware, f.Machine,
		float64(f.Hertz)/1e6, f.ID, f.FreeMemory/1000)
	switch {
	case f.SDK != nil:
		return text
	case f.Installed:
		return text + ", Tiny Tapeout's SDK is not started"
	}
	return text + ", without Tiny Tapeout's SDK"
}

// shuttle describes the shuttle in the chip's ROM.
func (b *Board) shuttle() string {
	if b.ROM == nil {
		return "a shuttle without a ROM"
	}
	return cmp.Or(b.ROM.Shuttle, "a shuttle without a name")
}
