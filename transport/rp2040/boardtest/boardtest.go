//go:build unix

// Package boardtest is a demo board without a board, for tests: real MicroPython in Node at a pseudo-terminal, and
// behind its pins the simulated shuttle of a chip with the chip's ROM, DIP switches, and the chip model as one of the
// designs.
//
// What is real: MicroPython's compiler, its interpreter, its friendly and its raw REPL, and how many bytes of memory
// are in use. What is simulated: raw paste, Ctrl-C (in a paste, in a wait, in the SDK's start), soft resets, the end of
// the memory (a text that is compiled takes a multiple of its length, as was measured on an RP2040), PWM on clk, pulls,
// the RP2350's erratum E9, and the parts of Tiny Tapeout's SDK that the bench asks, in three generations
// (testdata/micropython/sdk: 1.2.2, 2.0.4, 3.0.6). Waits take no time, but for the SDK's start. What is not there:
// viper, timers, USB's speed, fragmentation of the memory, and Ctrl-C in code that does not wait.
//
// The addresses of registers are its own, from the datasheets, and the SDK has wirings of its own, so that they check
// those that the transport sends.
package boardtest

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"utfbench/model"
	"utfbench/transport"
)

// Config configures the board. The zero value is a Pico whose chip is always selected; Pins is required.
type Config struct {
	Machine  string         // what the firmware says; "" is "Raspberry Pi Pico with RP2040"
	Pins     map[string]int // GPIO numbers by signal
	Mux      *Mux           // nil: the chip is always selected
	Revision model.Revision
	SDK      *SDK                     // nil: stock MicroPython
	Late     map[string]time.Duration // lines of the chip, in an emulator: what it drives is there so much later
	Free     int                      // bytes of memory beside the SDK; 0 is 95,000
	Largest  int                      // bytes in one piece beside the SDK; 0 is half of Free
	Switches uint8                    // DIP switches that are on, through a resistor
	Shorts   uint8                    // inputs that are tied to the supply
	Pmod     Pmod                     // what is plugged into the board's headers
	Wires    []string                 // faults between board and chip: lines stuck, open or bridged
	Held     uint8                    // outputs that are low with the chip's design, and well with any other
	// the RP2350's erratum: a released pin with a pull-down stays high where it was high
	E9 bool
}

// A Pmod drives lines of the chip; its masks have ui in the low byte and uio in the high one.
type Pmod struct {
	High, Low uint16 // harder than bench and chip
	Pulled    uint16 // up, so that it gives way
	Moving    uint8  // inputs, through a resistor, to another level every 13 looks
}

// A Mux is the shuttle's mux: its pins, the chip's ROM, and which design is the chip. Whatever other design is selected
// drives nothing, but for Other, which drives uio and uo all the time.
type Mux struct {
	NRst, Inc, Ena, Select int // Select is -1 where the board has no multiplexer of its own
	ROM                    string
	Number                 int
	Other                  int // 0: none
}

// An SDK is Tiny Tapeout's software on the board, and its environment.
type SDK struct {
	Version string         // its first digit is the generation
	Designs map[string]int // the index of the chip's shuttle, numbers by name; nil: this release has none
	Danger  map[string]int // levels of designs that are not safe, 1 to 3; from 2.0 on
	Clocks  map[string]int // Hz, of designs that have a section in config.ini
	Force   string         // force_shuttle of config.ini
	Carrier string         // SDK 3 alone: "" a chip, "FPGA" or "none"
	// "" main.py has run; "None" tt is None, as after a Ctrl-C in the start; "absent" as after a raw soft reset
	TT    string
	Start time.Duration // that main.py takes

	// Interrupted is where somebody pressed Ctrl-C in the first start: "imports", which leaves no tt, "ROM", which is
	// read as unknown for good, or "index", which leaves None.
	Interrupted string
}

// Memory that is free in bytes: beside an SDK with hardly any index, and after a soft reset in the raw REPL (SDK 2.0.4
// on an RP2040, 3.0.6 on an RP2350).
const (
	besideSDK     = 95_000
	clearedRP2040 = 229_000
	clearedRP2350 = 412_000
)

// A Board is a running one.
type Board struct {
	TTY string // the bench's end of the serial line

	config Config
	pins   *pins
	line   *os.File
	node   *exec.Cmd
}

func pythonDir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "testdata", "micropython")
}

// Need skips the test where real MicroPython is not installed.
func Need(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("real MicroPython runs in Node, and there is no node in PATH")
	}
	if _, err := os.Stat(filepath.Join(pythonDir(), "node_modules")); err != nil {
		t.Skip("MicroPython is not installed: run npm ci in transport/rp2040/testdata/micropython")
	}
}

// Start starts a board, which ends with the test.
func Start(t testing.TB, c Config) *Board {
	t.Helper()
	Need(t)
	if c.Machine == "" {
		c.Machine = "Raspberry Pi Pico with RP2040"
	}
	b := &Board{config: c}
	b.line, b.TTY = openPty(t)
	b.powerUp(t)
	t.Cleanup(func() { b.powerDown() })
	running.Store(b.TTY, b)
	t.Cleanup(func() { running.Delete(b.TTY) })
	return b
}

// powerUp starts the board's process and its pins.
func (b *Board) powerUp(t testing.TB) {
	t.Helper()
	b.pins = newPins(b.config)
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	b.node = exec.Command("node", "board.mjs", b.config.json(t))
	b.node.Dir, b.node.Stdin, b.node.Stdout, b.node.Stderr = pythonDir(), b.line, b.line, os.Stderr
	b.node.ExtraFiles = []*os.File{messages, answers}
	if err := b.node.Start(); err != nil {
		t.Fatal(err)
	}
	messages.Close()
	answers.Close()
	go b.pins.serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
}

func (b *Board) powerDown() {
	b.node.Process.Kill()
	b.node.Wait()
}

// json returns the configuration for board.mjs.
func (c *Config) json(t testing.TB) string {
	free := cmp.Or(c.Free, besideSDK)
	say := map[string]any{"interrupted": "", "machine": c.Machine, "free": free, "largest": cmp.Or(c.Largest, free/2),
		"cleared": clearedRP2040}
	if strings.Contains(c.Machine, "RP2350") {
		say["cleared"] = clearedRP2350
	}
	if s := c.SDK; s != nil {
		say["tt"], say["interrupted"] = s.TT, s.Interrupted
		say["sdk"] = map[string]any{"version": s.Version, "designs": s.Designs, "danger": s.Danger, "clocks": s.Clocks,
			"force":   s.Force,
			"carrier": s.Carrier, "start": s.Start.Milliseconds(), "project": "tt_um_factory_test",
			"multiplexer": c.Mux != nil && c.Mux.Select >= 0}
	}
	text, err := json.Marshal(say)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// openPty gives the board's end of a line, and the name of the bench's.
func openPty(t testing.TB) (*os.File, string) {
	t.Helper()
	line, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { line.Close(); tty.Close() })
	if _, err := term.MakeRaw(int(tty.Fd())); err != nil { // or it echoes what the board says before the port is opened
		t.Fatal(err)
	}
	return line, tty.Name()
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// Unplug pulls the cable: the bench's end fails from now on.
func (b *Board) Unplug() {
	b.node.Process.Kill()
	b.line.Close()
}

// Lines returns the present levels of the chip's lines, as a step without clocks.
func (b *Board) Lines() transport.Step {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.step()
}

// Drives reports whether the board drives a signal.
func (b *Board) Drives(signal string) bool {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.oe&b.pins.bit(signal) != 0
}

// Design returns the number of the selected design, or -1.
func (b *Board) Design() int {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.shuttle.selected()
}

// Edges returns the number of clock edges so far.
func (b *Board) Edges() int {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.edges
}

// Faults reports contention, and forbidden accesses of the bench.
func (b *Board) Faults() []string {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return slices.Clone(b.pins.faults)
}

// Check fails the test for each of the Faults.
func (b *Board) Check(t testing.TB) {
	t.Helper()
	for _, f := range b.Faults() {
		t.Error(f)
	}
}
