//go:build unix

package rp2040

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/creack/pty"
	"go.bug.st/serial"
	"golang.org/x/term"

	"utfbench/driver"
	"utfbench/model"
	"utfbench/model/modeltest"
	"utfbench/transport"
	"utfbench/transport/transporttest"
)

const pythonDir = "testdata/micropython"

// needPython skips the test where real MicroPython is not installed.
func needPython(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("real MicroPython runs in Node, and there is no node in PATH")
	}
	if _, err := os.Stat(filepath.Join(pythonDir, "node_modules")); err != nil {
		t.Skipf("MicroPython is not installed: run npm ci in transport/rp2040/%s", pythonDir)
	}
}

// A python is a process of MicroPython, a pty as its serial line, and a chip behind its pins.
type python struct {
	pins *simPins
	tty  string
	port io.ReadWriteCloser
}

func startPython(t testing.TB, f *family, pins map[string]int, rev model.Revision) *python {
	t.Helper()
	needPython(t)
	line, name := openPty(t)
	fromBoard, messages := pipe(t)
	answers, toBoard := pipe(t)
	cmd := exec.Command("node", "board.mjs", "a board with "+f.word)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = pythonDir, line, line, os.Stderr
	cmd.ExtraFiles = []*os.File{messages, answers}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	messages.Close()
	answers.Close()
	p := &python{pins: newSimPins(f, pins, rev), tty: name}
	go p.pins.serve(bufio.NewReaderSize(fromBoard, 1<<16), toBoard)
	p.connect(t)
	return p
}

// connect opens the bench's end of the line.
func (p *python) connect(t testing.TB) {
	t.Helper()
	port, err := serial.Open(p.tty, &serial.Mode{BaudRate: 115200})
	if err != nil {
		t.Fatalf("open %s: %v", p.tty, err)
	}
	p.port = port
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

func (p *python) open(t testing.TB) *Transport {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	tr, err := Open(ctx, p.port, Config{Name: "micropython", Pins: p.pins.signal, Patience: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tr.Close()
		p.pins.mu.Lock()
		defer p.pins.mu.Unlock()
		for _, f := range p.pins.faults {
			t.Error(f)
		}
	})
	return tr
}

// boardsUnderTest are the two families with a demo board's pins.
var boardsUnderTest = []struct {
	name   string
	family *family
	pins   map[string]int
}{
	{"RP2040", &families[0], tt06},
	{"RP2350", &families[1], etr},
}

func TestMicroPythonConformance(t *testing.T) {
	needPython(t)
	t.Parallel()
	steps := modeltest.Stimulus(1, 500)
	for _, b := range boardsUnderTest {
		t.Run(b.name, func(t *testing.T) {
			var p *python
			transporttest.Run(t, transporttest.Kit{
				Open: func(t testing.TB) transport.Transport {
					p = startPython(t, b.family, b.pins, model.TT09)
					return p.open(t)
				},
				Stimulus: steps,
				Want:     modeltest.Answers(model.TT09, steps),
				Pins: func(transport.Transport) transport.Step {
					p.pins.mu.Lock()
					defer p.pins.mu.Unlock()
					return p.pins.step()
				},
			})
		})
	}
}

func TestMicroPythonRunsTheChipSuite(t *testing.T) {
	t.Parallel()
	p := startPython(t, &families[0], tt06, model.TT09)
	r := driver.Runner{Transport: p.open(t), Report: func(res *driver.Result) {
		if res.Verdict != driver.Pass && res.Verdict != driver.Skipped {
			t.Errorf("%s: %v: %s", res.Vector.Name, res.Verdict, res.Reason)
		}
	}}
	tally, err := r.Run(context.Background(), jobsOf(t, "chip.vec"))
	if err != nil || tally.Verdict() != driver.Pass {
		t.Errorf("chip: %+v, %v; want PASS", tally.Verdicts, err)
	}
	t.Logf("%d vectors, %d steps", tally.Vectors(), tally.Steps)
}

// A host that dies: the program parks and gives the prompt back, and the next one can open the board.
func TestMicroPythonParksWhenTheHostIsSilent(t *testing.T) {
	t.Parallel()
	p := startPython(t, &families[0], tt06, model.TT09)
	tr := p.open(t)
	steps := modeltest.Stimulus(1, 50)
	if _, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps))); err != nil {
		t.Fatal(err)
	}
	tr.mu.Lock() // no more pings
	defer tr.mu.Unlock()
	var got transport.Step
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(50 * time.Millisecond) {
		p.pins.mu.Lock()
		got = p.pins.step()
		p.pins.mu.Unlock()
		if got == transport.Park {
			return
		}
	}
	t.Errorf("after 10 s of silence the pins are %+v; want them parked", got)
}

// A run that is interrupted parks the board and restores its prompt, whatever was in flight.
func TestMicroPythonInterrupted(t *testing.T) {
	t.Parallel()
	p := startPython(t, &families[0], tt06, model.TT09)
	tr := p.open(t)
	steps := modeltest.Stimulus(1, 200_000)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if n, err := tr.Apply(ctx, steps, make([]transport.Sample, len(steps))); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Apply = %d, %v; want the context's error", n, err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	p.pins.mu.Lock()
	defer p.pins.mu.Unlock()
	if got := p.pins.step(); got != transport.Park {
		t.Errorf("after Close the pins are %+v; want them parked", got)
	}
}

// A host that dies in the middle of a frame leaves a board that waits for the rest. The next one frees it.
func TestMicroPythonAfterHalfAFrame(t *testing.T) {
	t.Parallel()
	p := startPython(t, &families[0], tt06, model.TT09)
	tr := p.open(t)
	tr.mu.Lock() // no more pings
	whole := frame{kindSteps, tr.seq, make([]byte, 1024)}.append(nil)
	tr.link.send(whole[:100])
	time.Sleep(100 * time.Millisecond)
	tr.link.close()
	tr.closed = true
	tr.mu.Unlock()

	p.connect(t)
	steps := modeltest.Stimulus(1, 50)
	got := make([]transport.Sample, len(steps))
	n, err := p.open(t).Apply(context.Background(), steps, got)
	if err != nil || !slices.Equal(got, modeltest.Answers(model.TT09, steps)) {
		t.Errorf("the next host's Apply = %d, %v, with samples %+v", n, err, got)
	}
}

// Close leaves a prompt that works, and none of the program's names.
func TestMicroPythonIsLeftAsItWas(t *testing.T) {
	t.Parallel()
	p := startPython(t, &families[0], tt06, model.TT09)
	if err := p.open(t).Close(); err != nil {
		t.Fatal(err)
	}
	p.connect(t)
	l := newLink(p.port)
	defer l.close()
	l.send([]byte("print(6 * 7, '_steps' in globals(), 'ptr32' in globals())\r"))
	const want = "42 False False"
	if said, err := l.until(context.Background(), replPatience, want); err != nil {
		t.Errorf("the prompt says %q, %v; want %s", said, err, want)
	}
}
