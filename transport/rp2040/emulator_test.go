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
	"utfbench/sweep"
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

// pulses measures how long clk is high, and low between two pulses, in cycles. clk is GPIO0.
type pulses struct{ rose, fell, least, most, low uint32 }

func (p *pulses) see(a boardtest.Access) {
	const set, clr, clk = 0x14, 0x18, 1
	switch {
	case a.Offset == set && a.Value == clk:
		p.rose = a.Cycle
		if p.fell != 0 {
			p.low = min(p.low, p.rose-p.fell)
		}
	case a.Offset == clr && a.Value == clk && p.rose != 0:
		p.fell = a.Cycle
		high := p.fell - p.rose
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
	w := e.watch()
	r := driver.Runner{Transport: tr, Report: func(res *driver.Result) {
		if res.Verdict != driver.Pass && res.Verdict != driver.Skipped {
			t.Errorf("%s: %v: %s", res.Vector.Name, res.Verdict, res.Reason)
		}
	}}
	tally, err := r.Run(context.Background(), jobsOf(t, "chip.vec"))
	if err != nil || tally.Verdict() != driver.Pass {
		t.Errorf("chip: %+v, %v; want PASS", tally.Verdicts, err)
	}
	w.report(t, tally.Steps)
}

// TestEmulatorSweeps says how fast a board would be that makes the steps itself.
func TestEmulatorSweeps(t *testing.T) {
	e := startEmulator(t)
	tr := e.open(t)
	for _, c := range []struct {
		space string
		block int
	}{{"codepoints", 100}, {"bytes", 40}} {
		w := e.watch()
		space, rev, err := sweep.Scope{Space: c.space, Revision: "tt09"}.Open()
		if err != nil {
			t.Fatal(err)
		}
		r := sweep.Runner{Space: space, Revision: rev, Chips: []transport.Transport{tr}, Range: sweep.Range{First: c.block, End: c.block + 1}}
		blocks, err := r.Run(context.Background())
		if err != nil || len(blocks) != 1 || blocks[0].Signed != blocks[0].Cases {
			t.Fatalf("%+v, %v; want all cases signed", blocks, err)
		}
		t.Logf("block %d of %s", c.block, c.space)
		w.report(t, blocks[0].Steps)
	}
}

// A watch is what the pins tell of speed.
type watch struct {
	*emulator
	first, last uint32
	pulses
}

func (e *emulator) watch() *watch {
	w := &watch{emulator: e, pulses: pulses{least: 1 << 30, low: 1 << 30}}
	some := false
	e.Watch(func(a boardtest.Access) {
		if !some {
			w.first, some = a.Cycle, true
		}
		w.last = a.Cycle
		w.see(a)
	})
	return w
}

func (w *watch) report(t *testing.T, steps int) {
	w.Watch(nil)
	const ns = 1000.0 / boardtest.ClockMHz
	t.Logf("clk is high for %.0f to %.0f ns, and low for %.0f ns at least", float64(w.least)*ns, float64(w.most)*ns, float64(w.low)*ns)
	us := float64(w.last-w.first) / boardtest.ClockMHz
	t.Logf("%d steps in %.1f ms of the board's time, %.2f us each, %.0f cycles, %.0f steps/s", steps, us/1000, us/float64(steps), float64(w.last-w.first)/float64(steps), float64(steps)/us*1e6)
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
