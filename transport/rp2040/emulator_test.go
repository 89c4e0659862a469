//go:build unix

package rp2040

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/model"
	"utfbench/model/modeltest"
	"utfbench/transport"
	"utfbench/transport/transporttest"
)

const (
	emulatorDir = "testdata/emulator"
	clockMHz    = 125
)

// An access is one to the registers of the I/O block, and when it was.
type access struct {
	offset, value uint32
	cycle         uint32 // of the processor's clock; it wraps
}

// An emulator is a board in an emulator that counts cycles: MicroPython's own firmware, and so viper for real.
type emulator struct {
	python
	seen func(access) // unless nil
}

func startEmulator(t testing.TB, rev model.Revision) *emulator {
	t.Helper()
	folder := os.Getenv("BENCH_EMULATOR")
	if folder == "" {
		t.Skip("no emulator: scripts/emulate builds what this needs and runs it")
	}
	line, name := openPty(t)
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	cmd := exec.Command("node", "board.mjs", folder)
	if profile := os.Getenv("BENCH_PROFILE"); profile != "" {
		cmd.Args = append(cmd.Args, profile)
	}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = emulatorDir, line, line, os.Stderr
	cmd.ExtraFiles = []*os.File{messages, answers}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() })
	messages.Close()
	answers.Close()
	e := &emulator{python: python{pins: newSimPins(&families[0], tt06, rev), tty: name}}
	go e.serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
	e.connect(t)
	return e
}

// serve does what the messages say until they end: kind, offset, value, cycle.
func (e *emulator) serve(messages io.Reader, answers io.Writer) {
	var m [13]byte
	for {
		if _, err := io.ReadFull(messages, m[:]); err != nil {
			return
		}
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(m[1+4*i:]) }
		a := access{word(0), word(1), word(2)}
		e.pins.mu.Lock()
		switch m[0] {
		case 'R':
			answers.Write(binary.LittleEndian.AppendUint32(nil, e.pins.read(a.offset)))
		case 'W':
			e.pins.write(a.offset, a.value)
		case 'U':
			e.pins.pull = uint64(a.value)
			e.pins.settle(true)
		}
		if m[0] != 'U' && e.seen != nil {
			e.seen(a)
		}
		e.pins.mu.Unlock()
	}
}

func (e *emulator) watch(seen func(access)) {
	e.pins.mu.Lock()
	defer e.pins.mu.Unlock()
	e.seen = seen
}

func TestEmulatorConformance(t *testing.T) {
	steps := modeltest.Stimulus(1, 500)
	var e *emulator
	transporttest.Run(t, transporttest.Kit{
		Open: func(t testing.TB) transport.Transport {
			e = startEmulator(t, model.TT09)
			return e.open(t)
		},
		Stimulus: steps,
		Want:     modeltest.Answers(model.TT09, steps),
		Pins: func(transport.Transport) transport.Step {
			e.pins.mu.Lock()
			defer e.pins.mu.Unlock()
			return e.pins.step()
		},
	})
}

// TestEmulatorRunsTheChipSuite says how fast a board would be.
func TestEmulatorRunsTheChipSuite(t *testing.T) {
	e := startEmulator(t, model.TT09)
	tr := e.open(t)
	if !tr.board.viper {
		t.Error("the board runs the program without viper")
	}
	var first, last uint32
	some := false
	e.watch(func(a access) {
		if !some {
			first, some = a.cycle, true
		}
		last = a.cycle
	})
	r := driver.Runner{Transport: tr, Report: func(res *driver.Result) {
		if res.Verdict != driver.Pass && res.Verdict != driver.Skipped {
			t.Errorf("%s: %v: %s", res.Vector.Name, res.Verdict, res.Reason)
		}
	}}
	begin := time.Now()
	tally, err := r.Run(context.Background(), jobsOf(t, "chip.vec"))
	if err != nil || tally.Verdict() != driver.Pass {
		t.Errorf("chip: %+v, %v; want PASS", tally.Verdicts, err)
	}
	e.watch(nil)
	us := float64(last-first) / clockMHz
	t.Logf("%d steps in %.1f ms of the board's time, %.2f us each, %.0f steps/s (%v)", tally.Steps, us/1000, us/float64(tally.Steps), float64(tally.Steps)/us*1e6, time.Since(begin))
}
