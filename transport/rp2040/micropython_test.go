//go:build unix

package rp2040

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"go.bug.st/serial"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// python is a board of boardtest with the bench's end of its serial line.
type python struct {
	*boardtest.Board
	pins     map[string]int
	port     io.ReadWriteCloser
	patience time.Duration // 0 means a long timeout, for a busy machine
}

func startPython(t testing.TB, c boardtest.Config) *python {
	t.Helper()
	if c.Pins == nil {
		c.Pins = tt06
	}
	p := &python{Board: boardtest.Start(t, c), pins: c.Pins}
	p.connect(t)
	return p
}

// connect opens the bench's end of the serial line.
func (p *python) connect(t testing.TB) {
	t.Helper()
	port, err := serial.Open(p.TTY, &serial.Mode{BaudRate: 115200})
	if err != nil {
		t.Fatalf("open %s: %v", p.TTY, err)
	}
	p.port = port
}

func (p *python) open(t testing.TB) *Transport {
	t.Helper()
	return p.openWith(t, Config{})
}

func (p *python) openWith(t testing.TB, c Config) *Transport {
	t.Helper()
	console, ctx := dial(t, p)
	c.Pins, c.Patience = p.pins, cmp.Or(p.patience, time.Minute)
	tr := testkit.Must(console.Start(ctx, c))(t)
	t.Cleanup(func() {
		tr.Close()
		p.Check(t)
	})
	return tr
}

// boardsUnderTest lists a board of each family, with the pins of a demo board.
var boardsUnderTest = []struct {
	machine string
	pins    map[string]int
}{
	{"Raspberry Pi Pico with RP2040", tt06},
	{"Raspberry Pi Pico2 with RP2350", etr},
}

func TestMicroPythonConformance(t *testing.T) {
	testkit.SkipUnlessFull(t) // TestConformance covers the fake, and TestMicroPythonRunsASuite this board
	boardtest.RequireMicroPython(t)
	t.Parallel()
	steps := testkit.Stimulus(1, 500)
	for _, b := range boardsUnderTest {
		t.Run(b.machine, func(t *testing.T) {
			var p *python
			testkit.RunTransport(t, testkit.TransportKit{
				Open: func(t testing.TB) transport.Transport {
					p = startPython(t, boardtest.Config{Machine: b.machine, Pins: b.pins})
					return p.open(t)
				},
				Stimulus: steps,
				Want:     testkit.ModelSamples(model.TT09, steps),
				ExpectedSamples: func(steps []transport.Step) []transport.Sample {
					return testkit.ModelSamples(model.TT09, steps)
				},
				Pins: func(transport.Transport) transport.Step { return p.Lines() },
			})
		})
	}
}

func TestMicroPythonRunsASuite(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{})
	r := driver.Runner{Transport: p.open(t), Tile: utf.TT09, Report: func(res *driver.Result) {
		if res.Verdict != driver.Pass && res.Verdict != driver.Skipped {
			t.Errorf("%s: %v: %s", res.Vector.Name, res.Verdict, res.Reason)
		}
	}}
	tally, err := r.Run(context.Background(), testkit.Jobs[driver.Job](t, "structural.vec"))
	if err != nil || tally.Verdict() != driver.Pass {
		t.Errorf("structural: %+v, %v; want PASS", tally.Verdicts, err)
	}
	t.Logf("%d vectors, %d steps", tally.Executions(), tally.Steps)
}

// If the host dies, the program parks the chip and restores the prompt, and another host can open the board.
func TestMicroPythonParksWhenTheHostIsSilent(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{})
	p.patience = DefaultPatience // sets the board's timeout, too
	tr := p.open(t)
	steps := testkit.Stimulus(1, 50)
	if _, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps))); err != nil {
		t.Fatal(err)
	}
	tr.mu.Lock() // prevents pings
	defer tr.mu.Unlock()
	var got transport.Step
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(50 * time.Millisecond) {
		got = p.Lines()
		if got == transport.ParkStep {
			return
		}
	}
	t.Errorf("after a minute of silence the pins are %+v; want them parked", got)
}

// After an interrupted run, Close parks the chip and restores the prompt, whatever was in flight.
func TestMicroPythonInterrupted(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{})
	tr := p.open(t)
	steps := testkit.Stimulus(1, 200_000)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if n, err := tr.Apply(ctx, steps, make([]transport.Sample, len(steps))); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Apply = %d, %v; want the context's error", n, err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if got := p.Lines(); got != transport.ParkStep {
		t.Errorf("after Close the pins are %+v; want them parked", got)
	}
}

// If the host dies within a frame, the board waits for the rest of the frame until the next host recovers it.
func TestMicroPythonAfterHalfAFrame(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{})
	p.patience = DefaultPatience
	tr := p.open(t)
	tr.mu.Lock() // prevents pings
	whole := frame{kindSteps, tr.seq, make([]byte, 1024)}.append(nil)
	tr.link.send(whole[:100])
	time.Sleep(100 * time.Millisecond)
	tr.link.close()
	tr.closed = true
	tr.mu.Unlock()

	p.patience = 10 * DefaultPatience // the machine may be busy
	p.connect(t)
	steps := testkit.Stimulus(1, 50)
	got := make([]transport.Sample, len(steps))
	n, err := p.open(t).Apply(context.Background(), steps, got)
	if err != nil || !slices.Equal(got, testkit.ModelSamples(model.TT09, steps)) {
		t.Errorf("the next host's Apply = %d, %v, with samples %+v", n, err, got)
	}
}
