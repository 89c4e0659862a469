//go:build unix

package boardtest

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A RegisterAccess is an access to a register of the emulated I/O block, with its time.
type RegisterAccess struct {
	Offset uint32
	// Value is the value written. For a read it counts the nominal cycles in which the board waited for the host; it
	// wraps.
	Value uint32
	At    float64 // nanoseconds since the emulator's start
}

// ClockMHz is the nominal frequency of the processor. These tests count its cycles.
const ClockMHz = 125

// An Emulator is a demo board's microcontroller in a cycle-accurate emulator that runs MicroPython's own firmware,
// including viper.
type Emulator struct {
	Board
	seen func(RegisterAccess) // optional
	stop func()               // stops it after it has written its output
}

// emulatorFolder returns the folder in BENCH_EMULATOR, or skips the test.
func emulatorFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("BENCH_EMULATOR")
	if folder == "" {
		t.Skip("no emulator: run scripts/emulator, and set BENCH_EMULATOR to the folder it prints")
	}
	return folder
}

// EmulatedMicrocontroller returns the microcontroller of the emulator in BENCH_EMULATOR, RP2040 or RP2350, or skips the
// test.
func EmulatedMicrocontroller(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(emulatorFolder(t), "node_modules", "rp2040js")); err == nil {
		return "RP2040"
	}
	return "RP2350"
}

// RequireClockedPIO skips the test unless the emulator clocks its PIO, as rp2350js does, with rp2040js for an RP2040.
func RequireClockedPIO(t testing.TB) {
	t.Helper()
	if !HasClockedPIO(t) {
		t.Skip("needs a PIO that runs by the clock: rp2350js beside rp2040js")
	}
}

// HasClockedPIO reports whether the emulator clocks its PIO.
func HasClockedPIO(t testing.TB) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(emulatorFolder(t), "node_modules", "rp2350js"))
	return err == nil
}

// StartEmulator starts the emulator in BENCH_EMULATOR, or skips the test; scripts/emulator prepares one for an RP2040.
// board.mjs defines the options.
func StartEmulator(t testing.TB, c Config, options ...string) *Emulator {
	t.Helper()
	folder := emulatorFolder(t)
	c.Machine = EmulatedMicrocontroller(t)
	e := &Emulator{Board: Board{config: c, pins: newPins(c)}}
	e.line, e.TTY = openPty(t)
	if profile := os.Getenv("BENCH_PROFILE"); profile != "" {
		options = append(options, "--profile", profile)
	}
	e.run(t, filepath.Join(filepath.Dir(pythonDir()), "emulator"), e.serve,
		append(append([]string{"board.mjs"}, options...), folder)...)
	ended := make(chan struct{})
	e.stop = func() { e.node.Process.Signal(os.Interrupt); <-ended }
	go func() { e.node.Wait(); e.line.Close(); close(ended) }() // closing unblocks readers when the board ends
	t.Cleanup(e.stop)
	return e
}

// serve handles messages, each of kind, offset, value and nanoseconds, until they end.
func (e *Emulator) serve(messages io.Reader, answers io.Writer) {
	var m [17]byte
	for {
		if _, err := io.ReadFull(messages, m[:]); err != nil {
			return
		}
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(m[1+4*i:]) }
		now := math.Float64frombits(binary.LittleEndian.Uint64(m[9:]))
		e.access(m[0], RegisterAccess{word(0), word(1), now}, answers)
	}
}

func (e *Emulator) access(kind byte, a RegisterAccess, answers io.Writer) {
	e.pins.mu.Lock()
	defer e.pins.mu.Unlock()
	if kind != 'P' {
		e.pins.now = a.At
	}
	switch kind {
	case 'P':
		answers.Write(binary.LittleEndian.AppendUint32(nil, uint32(e.pins.past.levels(a.At)>>a.Offset)))
		a.Offset = e.pins.banks[len(e.pins.banks)-1].in // this counts as a sample
	case 'R':
		answers.Write(binary.LittleEndian.AppendUint32(nil, e.pins.read(a.Offset)))
	case 'W':
		e.pins.write(a.Offset, a.Value)
	case 'U': // pulled-up pins of a bank
		shift := 32 * a.Offset
		e.pins.change(func() { e.pins.pull = e.pins.pull&^(0xFFFFFFFF<<shift) | uint64(a.Value)<<shift })
		return
	}
	if e.seen != nil {
		e.seen(a)
	}
}

// Watch calls seen for each access from now on; nil stops the calls.
func (e *Emulator) Watch(seen func(RegisterAccess)) {
	e.pins.mu.Lock()
	defer e.pins.mu.Unlock()
	e.seen = seen
}
