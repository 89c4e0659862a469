//go:build unix

package rp2040

import (
	"context"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/model/modeltest"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/burst"
	"utfbench/transport/rp2040/boardtest"
)

// burst plays steps on a fresh burst and counts the samples that differ, by line.
func differing(t testing.TB, tr *Transport, steps []transport.Step, at transport.Timing) (lines map[string]int) {
	t.Helper()
	g, err := tr.Grid()
	if err != nil {
		t.Fatal(err)
	}
	if at, err = g.Round(at); err != nil {
		t.Fatal(err)
	}
	samples := make([]transport.Sample, len(steps))
	if err := tr.Burst(context.Background(), steps, samples, at); err != nil {
		t.Fatal(err)
	}
	lines = map[string]int{}
	for i, want := range modeltest.Answers(model.TT09, steps) {
		for _, line := range samples[i].Differ(want).Names() {
			lines[line]++
		}
	}
	return lines
}

// A line that is late is seen late, and no other one: the border is where its delay is, within a tick.
func TestEmulatorLateLines(t *testing.T) {
	boardtest.ClockedPIO(t)
	late := map[string]time.Duration{"uo0": 20, "uio6": 35}
	tr := startEmulatedWith(t, boardtest.Config{Pins: tt06, Late: late}).open(t)
	steps := modeltest.Stimulus(1, 300)
	for sample := time.Duration(8); sample <= 48; sample += 8 {
		want := map[string]bool{}
		for line, d := range late {
			want[line] = sample <= d
		}
		for line, n := range differing(t, tr, steps, transport.Timing{Period: 160, Sample: sample, Lead: 80}) {
			if !want[line] {
				t.Errorf("%v after the edge %s differs %d times", sample, line, n)
			}
			want[line] = false
		}
		for line, missing := range want {
			if missing {
				t.Errorf("%v after the edge %s does not differ, and it is %v late", sample, line, late[line])
			}
		}
	}
}

// Without a delay nothing differs, up to the highest clock, whatever the lead; also with clk at rest and the bus
// turning.
func TestEmulatorHighestClock(t *testing.T) {
	boardtest.ClockedPIO(t)
	tr := startEmulator(t).open(t)
	steps := modeltest.Stimulus(1, 2000)
	for _, at := range []transport.Timing{{Period: 24, Sample: transport.AtFall}, {Period: 24, Sample: 8, Lead: 8},
		{Period: 32, Sample: 8, Lead: 16}, {Period: 40, Sample: 16, Lead: 8}, {Period: 2000, Sample: transport.AtFall},
		{Period: 1000, Sample: 200, Lead: 700}} {
		if lines := differing(t, tr, steps, at); len(lines) > 0 {
			t.Errorf("%s: %v", at, lines)
		}
	}
}

// Outputs that are later than a period are right when they are looked at in a later one.
func TestEmulatorSampleBeyondThePeriod(t *testing.T) {
	boardtest.ClockedPIO(t)
	late := map[string]time.Duration{}
	for _, line := range transport.Lines[transport.UO : transport.UO+8] {
		late[line] = 60
	}
	tr := startEmulatedWith(t, boardtest.Config{Pins: tt06, Late: late}).open(t)
	steps := modeltest.Stimulus(1, 300)
	for sample, right := range map[time.Duration]bool{16: false, 72: true, 120: false} {
		lines := differing(t, tr, steps, transport.Timing{Period: 48, Sample: sample})
		n := 0
		for line := range late {
			n += lines[line]
		}
		if (n == 0) != right {
			t.Errorf("%v after the edge %d outputs differ", sample, n)
		}
	}
}

// A whole suite at 10 MHz takes hardly longer than slowly, by the cycles in which the board does not wait for this
// machine: what is prepared and fetched takes the time, and the burst none.
func TestEmulatorBurstSpeed(t *testing.T) {
	boardtest.ClockedPIO(t)
	e := startEmulator(t)
	tr := e.open(t)
	fast, err := burst.New(tr, transport.Timing{Period: 100, Sample: transport.AtFall})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, %d periods, and %d bytes left", fast.Grid(), tr.bursts.periods, tr.bursts.free)
	took := map[bool]float64{}
	for _, at := range []transport.Transport{tr, fast} {
		times := e.Time()
		if _, err := tr.Apply(t.Context(), []transport.Step{transport.Park}, make([]transport.Sample, 1)); err != nil {
			t.Fatal(err)
		}
		r := driver.Runner{Transport: at, Tile: utf.TT09}
		tally, err := r.Run(t.Context(), testkit.Jobs[driver.Job](t, "chip.vec"))
		e.Watch(nil)
		if err != nil || tally.Verdict() != driver.Pass {
			t.Fatalf("%s: %+v, %v; want PASS", at, tally.Verdicts, err)
		}
		busy := times.Busy()
		took[at == transport.Transport(fast)] = busy
		t.Logf("%s: %d steps, %.0f cycles each, %.0f steps/s", at, tally.Steps, busy/float64(tally.Steps),
			boardtest.ClockMHz*1e6*float64(tally.Steps)/busy)
	}
	if took[true] > 1.3*took[false] {
		t.Errorf("at 10 MHz it takes %.2f of the time that it takes slowly", took[true]/took[false])
	}
}
