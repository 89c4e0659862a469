//go:build unix

package boardtest

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// An Access is one to the registers of the emulator's I/O block, and when it was.
type Access struct {
	Offset uint32
	// Value was written; of a read, it is the nominal cycles so far in which the board waited for the host, which wrap.
	Value uint32
	At    float64 // nanoseconds since the emulator began
}

// ClockMHz is the nominal frequency of the processor, in which cycles are counted here.
const ClockMHz = 125

// An Emulator is a demo board's microcontroller in an emulator that counts cycles: MicroPython's own firmware, and so
// viper for real.
type Emulator struct {
	Board
	seen func(Access) // unless nil
	stop func()       // ends it, after it has written what it was asked to
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

// EmulatedChip returns the microcontroller of the emulator in BENCH_EMULATOR, RP2040 or RP2350, or skips the test.
func EmulatedChip(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(emulatorFolder(t), "node_modules", "rp2040js")); err == nil {
		return "RP2040"
	}
	return "RP2350"
}

// ClockedPIO skips a test unless the emulator clocks its PIO, which needs rp2350js, beside rp2040js for an RP2040.
func ClockedPIO(t testing.TB) {
	t.Helper()
	if !HasClockedPIO(t) {
		t.Skip("needs a PIO that runs by the clock: rp2350js beside rp2040js")
	}
}

// HasClockedPIO reports whether it does.
func HasClockedPIO(t testing.TB) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(emulatorFolder(t), "node_modules", "rp2350js"))
	return err == nil
}

// StartEmulator starts the emulator in BENCH_EMULATOR, or skips the test; scripts/emulator makes one of an RP2040. The
// options are those of board.mjs.
func StartEmulator(t testing.TB, c Config, options ...string) *Emulator {
	t.Helper()
	folder := emulatorFolder(t)
	c.Machine = EmulatedChip(t)
	e := &Emulator{Board: Board{pins: newPins(c)}}
	e.line, e.TTY = openPty(t)
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	if profile := os.Getenv("BENCH_PROFILE"); profile != "" {
		options = append(options, "--profile", profile)
	}
	e.node = exec.Command("node", append(append([]string{"board.mjs"}, options...), folder)...)
	e.node.Dir = filepath.Join(filepath.Dir(pythonDir()), "emulator")
	e.node.Stdin, e.node.Stdout, e.node.Stderr = e.line, e.line, os.Stderr
	e.node.ExtraFiles = []*os.File{messages, answers}
	if err := e.node.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	e.stop = func() { e.node.Process.Signal(os.Interrupt); <-ended }
	go func() { e.node.Wait(); e.line.Close(); close(ended) }() // so that nobody waits for a board that is no more
	t.Cleanup(e.stop)
	messages.Close()
	answers.Close()
	go e.serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
	return e
}

// serve handles messages until they end: kind, offset, value, nanoseconds.
func (e *Emulator) serve(messages io.Reader, answers io.Writer) {
	var m [17]byte
	for {
		if _, err := io.ReadFull(messages, m[:]); err != nil {
			return
		}
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(m[1+4*i:]) }
		now := math.Float64frombits(binary.LittleEndian.Uint64(m[9:]))
		e.access(m[0], Access{word(0), word(1), now}, answers)
	}
}

func (e *Emulator) access(kind byte, a Access, answers io.Writer) {
	e.pins.mu.Lock()
	defer e.pins.mu.Unlock()
	if kind != 'P' {
		e.pins.now = a.At
	}
	switch kind {
	case 'P':
		answers.Write(binary.LittleEndian.AppendUint32(nil, uint32(e.pins.past.levels(a.At)>>a.Offset)))
		a.Offset = e.pins.banks[len(e.pins.banks)-1].in // a look like others
	case 'R':
		answers.Write(binary.LittleEndian.AppendUint32(nil, e.pins.read(a.Offset)))
	case 'W':
		e.pins.write(a.Offset, a.Value)
	case 'U': // which pins of a bank are pulled up
		shift := 32 * a.Offset
		e.pins.change(func() { e.pins.pull = e.pins.pull&^(0xFFFFFFFF<<shift) | uint64(a.Value)<<shift })
		return
	}
	if e.seen != nil {
		e.seen(a)
	}
}

// Watch has each access told to seen, or to nobody when it is nil.
func (e *Emulator) Watch(seen func(Access)) {
	e.pins.mu.Lock()
	defer e.pins.mu.Unlock()
	e.seen = seen
}
