//go:build unix

package rp2040

import (
	"context"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/model"
	"utfbench/model/modeltest"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
	"utfbench/transport/transporttest"
)

type emulator struct {
	python
	*boardtest.Emulator
}

func startEmulator(t testing.TB) *emulator {
	t.Helper()
	e := boardtest.StartEmulator(t, boardtest.Config{Pins: tt06})
	p := &emulator{python{Board: &e.Board, pins: tt06}, e}
	p.connect(t)
	return p
}

func TestEmulatorConformance(t *testing.T) {
	steps := modeltest.Stimulus(1, 500)
	var e *emulator
	transporttest.Run(t, transporttest.Kit{
		Open: func(t testing.TB) transport.Transport {
			e = startEmulator(t)
			return e.open(t)
		},
		Stimulus: steps,
		Want:     modeltest.Answers(model.TT09, steps),
		Answers:  func(steps []transport.Step) []transport.Sample { return modeltest.Answers(model.TT09, steps) },
		Pins:     func(transport.Transport) transport.Step { return e.python.Lines() },
	})
}

// pulses measures how long clk is high, in cycles. clk is GPIO0.
type pulses struct{ rose, least, most uint32 }

func (p *pulses) see(a boardtest.Access) {
	const set, clr, clk = 0x14, 0x18, 1
	switch {
	case a.Offset == set && a.Value == clk:
		p.rose = a.Cycle
	case a.Offset == clr && a.Value == clk && p.rose != 0:
		high := a.Cycle - p.rose
		p.least, p.most = min(p.least, high), max(p.most, high)
	}
}

// TestEmulatorRunsTheChipSuite says how fast a board would be.
func TestEmulatorRunsTheChipSuite(t *testing.T) {
	e := startEmulator(t)
	tr := e.open(t)
	if !tr.board.viper {
		t.Error("the board runs the program without viper")
	}
	var first, last uint32
	some := false
	pulse := pulses{least: 1 << 30}
	e.Watch(func(a boardtest.Access) {
		if !some {
			first, some = a.Cycle, true
		}
		last = a.Cycle
		pulse.see(a)
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
	e.Watch(nil)
	const ns = 1000.0 / boardtest.ClockMHz
	t.Logf("clk is high for %.0f to %.0f ns", float64(pulse.least)*ns, float64(pulse.most)*ns)
	us := float64(last-first) / boardtest.ClockMHz
	t.Logf("%d steps in %.1f ms of the board's time, %.2f us each, %.0f steps/s (%v)", tally.Steps, us/1000, us/float64(tally.Steps), float64(tally.Steps)/us*1e6, time.Since(begin))
}

// A host that dies within a frame: the timer parks, although the program waits for the rest.
func TestEmulatorParksWithinAFrame(t *testing.T) {
	e := startEmulator(t)
	tr := e.open(t)
	if _, err := tr.Apply(context.Background(), []transport.Step{{In: 0xA5, Reset: true, Clocks: 1}}, make([]transport.Sample, 1)); err != nil {
		t.Fatal(err)
	}
	tr.mu.Lock() // no more pings
	defer tr.mu.Unlock()
	tr.link.send(frame{kindSteps, tr.seq, make([]byte, 1000)}.append(nil)[:100])
	var got transport.Step
	for begin := time.Now(); time.Since(begin) < 60*time.Second; time.Sleep(100 * time.Millisecond) {
		if got = e.python.Lines(); got == transport.Park {
			return
		}
	}
	t.Errorf("the pins are %+v; want them parked", got)
}

// The questions on real firmware, whose machine module is not of our making.
func TestEmulatorAnswersQuestions(t *testing.T) {
	e := startEmulator(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c, err := Dial(ctx, e.port, "emulator")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f, err := c.Facts(ctx)
	if err != nil || f.SDK != nil || f.Hertz != 125_000_000 || !strings.Contains(f.Machine, "RP2040") || f.ID == "" {
		t.Errorf("facts: %+v, %v", f, err)
	}
	if loose, fast, err := c.Held(ctx, tt06); err != nil || len(loose)+len(fast) != 0 {
		t.Errorf("held high: %v, %v, %v; want none", loose, fast, err)
	}
	if rom, err := c.ReadROM(ctx, Mux{2, 3, 4, -1}, tt06); err != nil || rom != nil {
		t.Errorf("ROM: %+v, %v; want none", rom, err)
	}
	if err := c.Release(ctx); err != nil || e.python.Drives("ui0") {
		t.Errorf("Release: %v, and ui0 is driven %v", err, e.python.Drives("ui0"))
	}
}
