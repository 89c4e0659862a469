//go:build unix

package boardtest

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// An Access is one to the registers of the emulator's I/O block, and when it was.
type Access struct {
	Offset, Value uint32
	Cycle         uint32 // of the processor's clock; it wraps
}

// ClockMHz is the frequency at which the emulator counts.
const ClockMHz = 125

// An Emulator is a Pico in an emulator that counts cycles: MicroPython's own firmware, and so viper for real.
type Emulator struct {
	Board
	seen func(Access) // unless nil
}

// StartEmulator starts one from the folder in BENCH_EMULATOR, or skips the test; scripts/emulator makes one.
func StartEmulator(t testing.TB, c Config) *Emulator {
	t.Helper()
	folder := os.Getenv("BENCH_EMULATOR")
	if folder == "" {
		t.Skip("no emulator: run scripts/emulator, and set BENCH_EMULATOR to the folder it prints")
	}
	e := &Emulator{Board: Board{pins: newPins(c)}}
	e.line, e.TTY = openPty(t)
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	e.node = exec.Command("node", "board.mjs", folder)
	if profile := os.Getenv("BENCH_PROFILE"); profile != "" {
		e.node.Args = append(e.node.Args, profile)
	}
	e.node.Dir = filepath.Join(filepath.Dir(pythonDir()), "emulator")
	e.node.Stdin, e.node.Stdout, e.node.Stderr = e.line, e.line, os.Stderr
	e.node.ExtraFiles = []*os.File{messages, answers}
	if err := e.node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.node.Process.Signal(os.Interrupt); e.node.Wait() })
	messages.Close()
	answers.Close()
	go e.serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
	return e
}

// serve does what the messages say until they end: kind, offset, value, cycle.
func (e *Emulator) serve(messages io.Reader, answers io.Writer) {
	var m [13]byte
	for {
		if _, err := io.ReadFull(messages, m[:]); err != nil {
			return
		}
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(m[1+4*i:]) }
		e.access(m[0], Access{word(0), word(1), word(2)}, answers)
	}
}

func (e *Emulator) access(kind byte, a Access, answers io.Writer) {
	e.pins.mu.Lock()
	defer e.pins.mu.Unlock()
	switch kind {
	case 'R':
		answers.Write(binary.LittleEndian.AppendUint32(nil, e.pins.read(a.Offset)))
	case 'W':
		e.pins.write(a.Offset, a.Value)
	case 'U':
		e.pins.change(func() { e.pins.pull = uint64(a.Value) })
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
