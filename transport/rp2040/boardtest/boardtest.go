//go:build unix

// Package boardtest simulates a demo board for tests. Real MicroPython runs in Node, on a pseudo-terminal. Its pins
// connect to a simulated shuttle with the chip's ROM, DIP switches, and the chip model as one of the designs.
//
// Real parts: MicroPython's compiler, its interpreter, its friendly and raw REPL, and the memory in use. Simulated
// parts: raw paste, Ctrl-C (in a paste, in a wait, in the SDK's start), soft resets, exhausted memory (compiling
// takes a multiple of a text's length, as measured on an RP2040), PWM on clk, pulls, the RP2350's erratum E9, and the
// parts of Tiny Tapeout's SDK that the bench uses, in three generations (testdata/micropython/sdk: 1.2.2, 2.0.4,
// 3.0.6). Waits take no time, except the SDK's start. Missing parts: viper, timers, USB's speed, fragmentation of the
// memory, and Ctrl-C in code that does not wait.
//
// Register addresses come from the datasheets independently of the transport, and the SDK has its own wirings, so both
// check the addresses and pins that the transport sends.
package boardtest

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
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

	"utfbench/fault"
	"utfbench/model"
	"utfbench/transport"
)

// Config configures the board. The zero value is a Pico whose chip is always selected; Pins is required.
type Config struct {
	Machine      string         // reported by the firmware; "" for "Raspberry Pi Pico with RP2040"
	Firmware     string         // MicroPython's version; "" for 1.27.0
	Pins         map[string]int // GPIO numbers by signal
	Mux          *Mux           // nil if the chip is always selected
	Revision     model.Revision
	Designs      map[int]fault.AsynchronousChip // further designs of the shuttle, by number
	SDK          *SDK                           // nil for stock MicroPython
	OutputDelays map[string]time.Duration       // delays of the chip's outputs, only in an emulator
	FreeMemory   int                            // free bytes of memory beside the SDK; 0 for 95,000
	LargestBlock int                            // largest free block beside the SDK in bytes; 0 for half of FreeMemory
	Switches     uint8                          // DIP switches that are on; they act through a resistor
	Shorts       uint8                          // inputs tied to the supply
	Pmod         Pmod                           // plugged into the board's headers
	Wires        []string                       // faults between board and chip: stuck, open or bridged lines
	HeldOutputs  uint8                          // outputs that the chip's design cannot raise, but other designs can
	Lines        map[int]bool                   // pins of the board held at a level, whatever drives them
	Unpulled     bool                           // the board has no pull-up at rst_n
	Inverted     bool                           // something inverts clk
	Pulse        int                            // rst_n is low for three samples after this many; 0 for never
	// the RP2350's erratum: a released pin with a pull-down stays high if it was high
	E9 bool
}

// A Pmod drives lines of the chip. In its masks, ui is the low byte and uio the high byte.
type Pmod struct {
	High, Low uint16 // override bench and chip
	Pulled    uint16 // pulled up; drivers override them
	Moving    uint8  // inputs that change every 13 samples, through a resistor
}

// A Mux is the shuttle's mux: its pins, the chip's ROM, and the number of the chip's design. Other designs drive
// nothing, except OtherDriver, which always drives uio and uo.
type Mux struct {
	NRst, Inc, Ena, Select int // Select is -1 on boards without a multiplexer of their own
	ROM                    string
	Number                 int
	OtherDriver            int // number of a design that drives uo and uio; 0 for none
	NumberOffset           int // offset of the selected number, for a mux that miscounts
}

// An SDK is Tiny Tapeout's software on the board, and its environment.
type SDK struct {
	Version string         // version, whose first digit is the generation
	Designs map[string]int // index of the chip's shuttle, numbers by name; nil if the release has none
	Clocks  map[string]int // in Hz, of designs with a section in config.ini
	Force   string         // force_shuttle of config.ini
	Carrier string         // only SDK 3: "" for a chip, "FPGA" or "none"
	// "" after main.py; "None" if tt is None, as after a Ctrl-C during the start; "absent" after a raw soft reset
	TT    string
	Start time.Duration // duration of main.py

	// Interrupted is the phase of the first start in which Ctrl-C was pressed: "imports", which leaves no tt, "ROM",
	// after which the ROM is unknown, or "index", after which tt is None.
	Interrupted string
}

// Free memory in bytes: beside an SDK with a minimal index, and after a soft reset in the raw REPL (SDK 2.0.4 on an
// RP2040, 3.0.6 on an RP2350).
const (
	besideSDK     = 95_000
	clearedRP2040 = 229_000
	clearedRP2350 = 412_000
)

// A Board is a running simulated board.
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

// RequireMicroPython skips the test if real MicroPython is not installed.
func RequireMicroPython(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("real MicroPython runs in Node, and there is no node in PATH")
	}
	if _, err := os.Stat(filepath.Join(pythonDir(), "node_modules")); err != nil {
		t.Skip("MicroPython is not installed: run npm ci in transport/rp2040/testdata/micropython")
	}
}

// Start starts a board that runs until the test ends.
func Start(t testing.TB, c Config) *Board {
	t.Helper()
	RequireMicroPython(t)
	c.Machine = cmp.Or(c.Machine, "Raspberry Pi Pico with RP2040")
	b := &Board{config: c}
	b.line, b.TTY = openPty(t)
	b.powerUp(t)
	t.Cleanup(func() { b.powerDown() })
	running.Store(b.TTY, b)
	t.Cleanup(func() { running.Delete(b.TTY) })
	return b
}

// powerUp starts the board's process and its pins. It returns after main.py or, if main.py takes simulated time, before
// it: on a busy machine the process may start so slowly that the bench would interrupt main.py.
func (b *Board) powerUp(t testing.TB) {
	t.Helper()
	b.pins = newPins(b.config)
	b.run(t, pythonDir(), b.pins.serve, "board.mjs", b.config.json(t))
	select {
	case <-b.pins.up:
	case <-time.After(2 * time.Minute):
		t.Fatal("the board has not started")
	}
}

// run starts Node in a folder, connected to the serial line. serve handles the messages from Node.
func (b *Board) run(t testing.TB, dir string, serve func(io.Reader, io.Writer), args ...string) {
	t.Helper()
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	b.node = exec.Command("node", args...)
	b.node.Dir, b.node.Stdin, b.node.Stdout, b.node.Stderr = dir, b.line, b.line, os.Stderr
	b.node.ExtraFiles = []*os.File{messages, answers}
	if err := b.node.Start(); err != nil {
		t.Fatal(err)
	}
	messages.Close()
	answers.Close()
	go serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
}

func (b *Board) powerDown() {
	b.node.Process.Kill()
	b.node.Wait()
}

// json encodes the configuration for board.mjs.
func (c *Config) json(t testing.TB) string {
	free := cmp.Or(c.FreeMemory, besideSDK)
	say := map[string]any{"interrupted": "", "machine": c.Machine, "firmware": cmp.Or(c.Firmware, "1.27.0"),
		"free": free, "largest": cmp.Or(c.LargestBlock, free/2),
		"cleared": clearedRP2040}
	if strings.Contains(c.Machine, "RP2350") {
		say["cleared"] = clearedRP2350
	}
	if s := c.SDK; s != nil {
		say["tt"], say["interrupted"] = s.TT, s.Interrupted
		say["sdk"] = map[string]any{"version": s.Version, "designs": s.Designs, "clocks": s.Clocks,
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

// openPty returns the board's end of a serial line, and the name of the bench's end.
func openPty(t testing.TB) (*os.File, string) {
	t.Helper()
	line, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { line.Close(); tty.Close() })
	if _, err := term.MakeRaw(int(tty.Fd())); err != nil { // else it echoes until the port is opened
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

// Unplug simulates a pulled cable: the bench's end of the line fails from now on.
func (b *Board) Unplug() {
	b.node.Process.Kill()
	b.line.Close()
}

// locked calls get with the board's pins while they are locked.
func locked[T any](b *Board, get func(*pins) T) T {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return get(b.pins)
}

// Lines returns the current levels of the chip's lines, as a step without clocks.
func (b *Board) Lines() transport.Step { return locked(b, (*pins).step) }

// Drives reports whether the board drives a signal.
func (b *Board) Drives(signal string) bool { return b.DrivesPin(b.config.Pins[signal]) }

// DrivesPin reports whether the board drives a pin.
func (b *Board) DrivesPin(pin int) bool {
	return locked(b, func(p *pins) bool { return p.oe>>pin&1 != 0 })
}

// Design returns the number of the selected design, or -1.
func (b *Board) Design() int { return locked(b, func(p *pins) int { return p.shuttle.selected() }) }

// Edges returns the number of rising clock edges so far.
func (b *Board) Edges() int { return locked(b, func(p *pins) int { return p.edges }) }

// Faults returns the contention and the invalid accesses that the bench has caused.
func (b *Board) Faults() []string {
	return locked(b, func(p *pins) []string { return slices.Clone(p.faults) })
}

// Check fails the test if Faults returns any.
func (b *Board) Check(t testing.TB) {
	t.Helper()
	for _, f := range b.Faults() {
		t.Error(f)
	}
}
