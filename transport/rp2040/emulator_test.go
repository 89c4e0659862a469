//go:build unix

package rp2040

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

type emulator struct {
	python
	*boardtest.Emulator
}

func startEmulator(t testing.TB) *emulator {
	t.Helper()
	return startEmulated(t, emulatedPins(t))
}

func emulatedPins(t testing.TB) map[string]int {
	t.Helper()
	if boardtest.EmulatedMicrocontroller(t) == "RP2350" {
		return etr
	}
	return tt06
}

func startEmulated(t testing.TB, pins map[string]int) *emulator {
	t.Helper()
	return startEmulatedWith(t, boardtest.Config{Pins: pins})
}

func startEmulatedWith(t testing.TB, c boardtest.Config, options ...string) *emulator {
	t.Helper()
	e := boardtest.StartEmulator(t, c, options...)
	p := &emulator{python{Board: &e.Board, pins: c.Pins}, e}
	p.connect(t)
	return p
}

func TestEmulatorConformance(t *testing.T) {
	steps := testkit.Stimulus(1, 500)
	var e *emulator
	testkit.RunTransport(t, testkit.TransportKit{
		Open: func(t testing.TB) transport.Transport {
			e = startEmulator(t)
			return e.open(t)
		},
		Stimulus:        steps,
		Want:            testkit.ModelSamples(model.TT09, steps),
		ExpectedSamples: func(s []transport.Step) []transport.Sample { return testkit.ModelSamples(model.TT09, s) },
		Pins:            func(transport.Transport) transport.Step { return e.python.Lines() },
		Slow:            !boardtest.HasClockedPIO(t),
	})
}

// TestEmulatorTimes compares the times that Tune returns with counted cycles, in both loops of the program.
func TestEmulatorTimes(t *testing.T) {
	e := startEmulator(t)
	tr := e.open(t)
	steps := testkit.Stimulus(1, 500)
	run := transport.Series{Steps: []transport.Step{{In: model.Idle, Reset: true, Clocks: 1},
		{In: 0x27, Drive: 0xFF, Clocks: 1}, {In: model.Idle, Clocks: 1}, {In: model.Idle}}, Count: 50}
	run.Want = make([]transport.Sample, run.Count*len(run.Steps))
	for _, d := range []time.Duration{0, 200 * time.Nanosecond, time.Microsecond, MaxWait / 2} {
		var took []time.Duration
		for _, k := range tr.Knobs() {
			at := testkit.Must(tr.Tune(t.Context(), k.Name, max(d, k.Low)))(t)
			took = append(took, at)
		}
		for name, apply := range map[string]func() error{
			"carried": func() error {
				_, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps)))
				return err
			},
			"made by the board": func() error {
				_, err := tr.Sign(context.Background(), []transport.Series{run})
				return err
			},
		} {
			m := e.Times()
			if err := apply(); err != nil {
				t.Fatal(err)
			}
			e.Watch(nil)
			t.Logf("%s: %v", name, m)
			if least := min(m.High, m.Low); least < took[0] || m.Settle < took[1] {
				t.Errorf("pulse is said to be %v and settle %v", took[0], took[1])
			}
		}
	}
}

// Scattered pins make the program longest. Viper must still accept it.
func TestEmulatorScatteredPins(t *testing.T) {
	pins := pinsInSteps(11, 29)
	if boardtest.EmulatedMicrocontroller(t) == "RP2350" {
		pins = pinsInSteps(11, 47)
	}
	tr := startEmulated(t, pins).open(t)
	steps := testkit.Stimulus(1, 500)
	got := make([]transport.Sample, len(steps))
	if n, err := tr.Apply(context.Background(), steps, got); err != nil ||
		!slices.Equal(got, testkit.ModelSamples(model.TT09, steps)) {
		t.Errorf("Apply = %d, %v, with samples %+v", n, err, got)
	}
	if !tr.board.viper {
		t.Error("the board runs the program without viper")
	}
	series := []transport.Series{{Steps: steps[:20], Count: 3}}
	for i := range series[0].Steps {
		series[0].Steps[i].Clocks = min(series[0].Steps[i].Clocks, 1)
	}
	series[0].Want = testkit.ModelSamples(model.TT09, slices.Repeat(series[0].Steps, 3))
	if _, err := tr.Sign(t.Context(), series); err != nil || !series[0].SameSignature {
		t.Errorf("a series: %v, or it differs", err)
	}
}

// TestEmulatorSweeps measures the speed of a board that generates the steps itself, with default and minimum times.
func TestEmulatorSweeps(t *testing.T) {
	e := startEmulator(t)
	tr := e.openWith(t, Config{Pulse: 200 * time.Nanosecond, Settle: 200 * time.Nanosecond})
	for _, c := range []struct {
		space string
		block int
		least bool
	}{{"codepoints", 100, false}, {"bytes", 40, false}, {"codepoints", 100, true}} {
		for _, k := range tr.Knobs() {
			if !c.least {
				continue
			}
			if _, err := tr.Tune(t.Context(), k.Name, k.Low); err != nil {
				t.Fatal(err)
			}
		}
		times := e.Times()
		space, own, err := sweep.Open(utf.TT09, tile.Scope{Space: c.space, Revision: "tt09"})
		if err != nil {
			t.Fatal(err)
		}
		b, err := sweep.NewBlockRunner(space, own, tr).Run(t.Context(), c.block)
		if err != nil || b.Signed != b.Cases {
			t.Fatalf("%+v, %v; want all cases signed", b, err)
		}
		t.Logf("block %d of %s: %v", c.block, c.space, times)
		times.CheckSpeed(t, b.Steps, boardtest.SignedGoal)
	}
}

// If the host dies within a frame, the timer parks the chip although the program is waiting for the rest of the frame.
func TestEmulatorParksWithinAFrame(t *testing.T) {
	e := startEmulator(t)
	tr := e.open(t)
	if _, err := tr.Apply(context.Background(), []transport.Step{{In: 0xA5, Reset: true, Clocks: 1}},
		make([]transport.Sample, 1)); err != nil {
		t.Fatal(err)
	}
	tr.mu.Lock() // prevents pings
	defer tr.mu.Unlock()
	tr.link.send(frame{kindSteps, tr.seq, make([]byte, 1000)}.append(nil)[:100])
	var got transport.Step
	for begin := time.Now(); time.Since(begin) < 60*time.Second; time.Sleep(100 * time.Millisecond) {
		if got = e.python.Lines(); got == transport.ParkStep {
			return
		}
	}
	t.Errorf("the pins are %+v; want them parked", got)
}

// The bench's queries work on real firmware with its own machine module.
func TestEmulatorAnswersQuestions(t *testing.T) {
	e := startEmulator(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := testkit.Must(Dial(ctx, e.port, "emulator", DefaultPatience))(t)
	defer c.Close()
	f, err := c.ReadFacts(ctx)
	chip := boardtest.EmulatedMicrocontroller(t)
	hertz := map[string]int{"RP2040": 125_000_000, "RP2350": 150_000_000}[chip]
	if err != nil || f.SDK != nil || f.Hertz != hertz || !strings.Contains(f.Machine, chip) || f.ID == "" {
		t.Errorf("facts: %+v, %v", f, err)
	}
	if h, err := c.FindHeldInputs(ctx, e.python.pins); err != nil ||
		len(h.Loose)+len(h.High)+len(h.Low) != 0 {
		t.Errorf("held: %+v, %v; want none", h, err)
	}
	mux := map[string]Mux{"RP2040": {2, 3, 4, -1}, "RP2350": {1, 2, 0, -1}}[chip]
	if rom, err := c.ReadROM(ctx, mux, e.python.pins); err != nil || ParseROM(rom) != nil {
		t.Errorf("ROM: %+v, %v; want none", rom, err)
	}
	if err := c.ReleasePins(ctx); err != nil || e.python.Drives("ui0") {
		t.Errorf("Release: %v, and ui0 is driven %v", err, e.python.Drives("ui0"))
	}
}
