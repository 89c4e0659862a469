//go:build unix

// Package boardtest is a demo board without a board, for tests: real MicroPython in Node at a pseudo-terminal, and behind its
// pins the simulated shuttle of a chip with the chip's ROM, DIP switches, and the chip model as one of the designs.
//
// The addresses of registers are its own, from the datasheets, so that it checks those that the transport sends.
package boardtest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"

	"utfbench/model"
	"utfbench/transport"
)

// Config is the board. The zero value is a Pico whose chip is always selected; Pins is a must.
type Config struct {
	Machine  string         // what the firmware says; "" is "Raspberry Pi Pico with RP2040"
	Pins     map[string]int // GPIO numbers by signal
	Mux      *Mux           // nil: the chip is always selected
	Revision model.Revision
	SDK      *SDK  // nil: stock MicroPython
	Switches uint8 // DIP switches that are on, through a resistor
	Shorts   uint8 // inputs that are tied to the supply
}

// A Mux is the shuttle's mux: its pins, the chip's ROM, and which design is the chip.
type Mux struct {
	NRst, Inc, Ena, Select int // Select is -1 where the board has no multiplexer of its own
	ROM                    string
	Number                 int
}

// An SDK is what Tiny Tapeout's software on the board knows.
type SDK struct {
	Version  string         `json:"version"`
	Shuttle  string         `json:"shuttle"`
	Commit   string         `json:"commit"`
	Carrier  string         `json:"carrier"`
	Designs  map[string]int `json:"designs"`
	Enabled  string         `json:"enabled"`
	Clock    int            `json:"clock"`    // that it makes when it starts, Hz
	Shuttled []int          `json:"shuttled"` // the mux's pins, filled in by Start
}

// A Board is a running one.
type Board struct {
	TTY  string // the bench's end of the serial line
	pins *pins
	line *os.File
	node *exec.Cmd
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
	b := &Board{pins: newPins(c)}
	b.line, b.TTY = openPty(t)
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	b.node = exec.Command("node", "board.mjs", c.Machine, c.sdk(t))
	b.node.Dir, b.node.Stdin, b.node.Stdout, b.node.Stderr = pythonDir(), b.line, b.line, os.Stderr
	b.node.ExtraFiles = []*os.File{messages, answers}
	if err := b.node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.node.Process.Kill(); b.node.Wait() })
	messages.Close()
	answers.Close()
	go b.pins.serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
	return b
}

func (c *Config) sdk(t testing.TB) string {
	if c.SDK == nil {
		return ""
	}
	sdk := *c.SDK
	if m := c.Mux; m != nil {
		sdk.Shuttled = []int{m.NRst, m.Inc, m.Ena, m.Select}
	}
	text, err := json.Marshal(sdk)
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

// Lines is what is on the chip's lines now, as a step without clocks.
func (b *Board) Lines() transport.Step {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.step()
}

// Drives says whether the board drives a signal now.
func (b *Board) Drives(signal string) bool {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.oe&b.pins.bit(signal) != 0
}

// Design is the number of the design that is selected, -1 when none is.
func (b *Board) Design() int {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.shuttle.selected()
}

// Edges is how many clock edges the chip has seen.
func (b *Board) Edges() int {
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	return b.pins.edges
}

// Check fails the test when both sides drove a line, or the bench touched what it must not.
func (b *Board) Check(t testing.TB) {
	t.Helper()
	b.pins.mu.Lock()
	defer b.pins.mu.Unlock()
	for _, f := range b.pins.faults {
		t.Error(f)
	}
}
