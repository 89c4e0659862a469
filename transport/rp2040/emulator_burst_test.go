//go:build unix

package rp2040

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/rp2040/boardtest"
)

// differing plays steps in a burst, by default with MinPeriod, and counts the differing samples by line.
func differing(t testing.TB, tr *Transport, steps []transport.Step, at transport.Timing) (lines map[string]int) {
	t.Helper()
	g, err := tr.Grid(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if at.Period == 0 { // the shortest period at which rst_n and directions may change
		at.Period = g.MinPeriod
	}
	if at, err = g.Round(at); err != nil {
		t.Fatal(err)
	}
	samples := make([]transport.Sample, len(steps))
	if err := tr.Burst(context.Background(), steps, samples, at); err != nil {
		t.Fatal(err)
	}
	lines = map[string]int{}
	for i, want := range testkit.ModelSamples(model.TT09, steps) {
		for _, line := range samples[i].Differ(want).Names() {
			lines[line]++
		}
	}
	return lines
}

// Only the delayed lines differ, at sample times up to their delay. The limit is exact to a nanosecond, since some
// system clock has a tick there. An RP2350's default tick is 6.67 ns, so 20 ns is rounded.
func TestEmulatorLateLines(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	late := map[string]time.Duration{"uo0": 20, "uio6": 35}
	tr := startEmulatedWith(t, boardtest.Config{Pins: emulatedPins(t), OutputDelays: late}).open(t)
	steps := testkit.Stimulus(1, 300)
	moments := []time.Duration{8, 16, 19, 21, 24, 32, 34, 36, 40, 48}
	if boardtest.EmulatedMicrocontroller(t) == "RP2040" {
		moments = append(moments, 20, 35)
	}
	for _, sample := range moments {
		want := map[string]bool{}
		for line, d := range late {
			want[line] = sample <= d
		}
		for line, n := range differing(t, tr, steps, transport.Timing{Period: 1000, Sample: sample}) {
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

// Without delays no sample differs at any clock and lead, even with clk at rest and a bus that changes direction.
func TestEmulatorHighestClock(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	tr := startEmulator(t).open(t)
	steps := testkit.Stimulus(1, 2000)
	for _, at := range []transport.Timing{{Sample: transport.SampleAtFall}, {Sample: 8, Lead: 8},
		{Period: 56, Sample: 16, Lead: 8}, {Period: 64, Sample: 8, Lead: 24},
		{Period: 2000, Sample: transport.SampleAtFall}, {Period: 1000, Sample: 200, Lead: 700}} {
		if lines := differing(t, tr, steps, at); len(lines) > 0 {
			t.Errorf("%s: %v", at, lines)
		}
	}
}

// Bursts short enough to fit into the FIFOs work, even after other bursts.
func TestEmulatorShortBursts(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	tr := startEmulator(t).open(t)
	reset := transport.Step{In: model.Idle, Reset: true, Clocks: 1}
	for n := range 20 {
		steps := append([]transport.Step{reset}, testkit.Stimulus(1, n)...)
		if lines := differing(t, tr, steps, transport.Timing{Sample: transport.SampleAtFall}); len(lines) > 0 {
			t.Errorf("of %d steps %v differ", len(steps), lines)
		}
	}
}

// Outputs delayed by more than a period are correct if they are sampled later.
func TestEmulatorSampleBeyondThePeriod(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	late := map[string]time.Duration{}
	for _, line := range transport.Lines[transport.UO : transport.UO+8] {
		late[line] = 60
	}
	tr := startEmulatedWith(t, boardtest.Config{Pins: emulatedPins(t), OutputDelays: late}).open(t)
	steps := testkit.Stimulus(1, 300)
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

// At 10 MHz a suite takes little longer than at low speed, counted in cycles in which the board does not wait for the
// host. Preparing bursts and fetching samples takes most of them, and the bursts themselves very few.
func TestEmulatorBurstSpeed(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	e := startEmulator(t)
	tr := e.open(t)
	fast, err := transport.NewPlayer(t.Context(), tr, transport.Timing{Period: 100, Sample: transport.SampleAtFall})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, %d periods, and %d bytes left", fast.Grid(), tr.bursts.periods, tr.bursts.free)
	took := map[bool]float64{}
	for _, at := range []transport.Transport{tr, fast} {
		times := e.Times()
		if _, err := tr.Apply(t.Context(), []transport.Step{{Reset: true}}, make([]transport.Sample, 1)); err != nil {
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

// If other transfers delay its DMA, a burst returns an error, never a wrong sample, and the board stays usable.
func TestEmulatorVoidBurst(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	tr := startEmulatedWith(t, boardtest.Config{Pins: emulatedPins(t)}, "--lost", "0.65").open(t)
	g := testkit.Must(tr.Grid(t.Context()))(t)
	turning := testkit.Stimulus(1, 1500)
	writes := slices.Repeat([]transport.Step{{In: 0x27, Drive: 0xFF, IO: 0x5A, Clocks: 1}}, 1500)
	void := 0
	for _, period := range []time.Duration{g.ShortestPeriod(), g.MinPeriod, 56, 80, 400} {
		steps := turning
		if period == g.ShortestPeriod() {
			steps = writes
		}
		want := testkit.ModelSamples(model.TT09, steps)
		at, err := g.Round(transport.Timing{Period: period, Sample: transport.SampleAtFall})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]transport.Sample, len(steps))
		err = tr.Burst(t.Context(), steps, got, at)
		t.Log(period, err)
		switch lines := transport.Differ(got, want); {
		case err != nil && !strings.Contains(err.Error(), "it is void"):
			t.Fatal(err)
		case err != nil && period >= 400:
			t.Errorf("at a period of %v: %v", period, err)
		case err != nil:
			void++
		case lines != 0:
			t.Errorf("at a period of %v %v differ", period, lines.Names())
		}
	}
	if void == 0 {
		t.Error("no burst is void, although two of three cycles are lost")
	}
	got := make([]transport.Sample, len(turning))
	if _, err := tr.Apply(t.Context(), turning, got); err != nil ||
		transport.Differ(got, testkit.ModelSamples(model.TT09, turning)) != 0 {
		t.Errorf("slowly afterwards: %v, or a sample differs", err)
	}
}

// Close restores the registers used for bursts, and bursts do not touch a PIO that is in use.
func TestEmulatorPutsPIOBack(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	e := boardtest.StartEmulator(t, boardtest.Config{Pins: emulatedPins(t)})
	const registers = "[machine.freq()]+[hex(m[r]) for r in (0x50200000,0x502000c8,0x502000cc,0x502000d0," +
		"0x502000dc,0x502000f4," +
		"0x50200038,0x50300000,0x503000cc,0x503000d0,0x503000dc,"
	const ofRP2040 = registers + "0x40030000)]+[n for n in range(30) if m[0x40014004+8*n]&31 in (6,7)]"
	const ofRP2350 = registers + "0x50200168,0x50300168,0x40068000)]+" +
		"[n for n in range(48) if m[0x40028004+8*n]&31 in (6,7)]"
	const channels = "d=[rp2.DMA() for _ in range(%d)];c=[x.channel for x in d];_=[x.close() for x in d];" +
		"c==list(range(%[1]d))"
	registersOf, channelsOf := ofRP2040, 12
	if boardtest.EmulatedMicrocontroller(t) == "RP2350" {
		registersOf, channelsOf = ofRP2350, 16
	}
	ask := func(what string) string {
		return e.Query(t, "import machine,_rp2 as rp2;from machine import mem32 as m;"+what)
	}
	before := ask(registersOf)
	p := &emulator{python{Board: &e.Board, pins: emulatedPins(t)}, e}
	p.connect(t)
	tr := p.open(t)
	differing(t, tr, testkit.Stimulus(1, 300), transport.Timing{Period: 100, Sample: transport.SampleAtFall})
	if clock := tr.bursts.at.Clock; clock != 120_000_000 && tr.family.name == "RP2040" {
		t.Errorf("a period of 100 ns is played by a clock of %d Hz", clock)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if after := ask(registersOf); after != before || len(before) < 50 {
		t.Errorf("the registers were\n%s and are\n%s", before, after)
	}
	if free := ask(fmt.Sprintf(channels, channelsOf)); free != "True" {
		t.Errorf("all channels of DMA are free: %s", free)
	}
	ask("rp2.PIO(0).state_machine(3).active(1)")
	p.connect(t)
	tr = p.open(t)
	if _, err := tr.Grid(t.Context()); err == nil || !strings.Contains(err.Error(), "PIO 0 is in use") {
		t.Errorf("with a machine of PIO 0 that runs: %v", err)
	}
	if _, err := tr.Apply(t.Context(), []transport.Step{transport.ParkStep}, make([]transport.Sample, 1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// If the host dies during a run at speed, the board parks the chip by itself.
func TestEmulatorParksAtSpeed(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	e := startEmulator(t)
	tr := e.open(t)
	at := transport.Timing{Period: 104, Sample: transport.SampleAtFall}
	differing(t, tr, append(testkit.Stimulus(1, 300), transport.Step{In: 0xA5, Reset: true, Clocks: 1}), at)
	if got := e.python.Lines(); got.In != 0xA5 || !got.Reset {
		t.Errorf("after a burst the pins are %+v", got)
	}
	tr.mu.Lock() // prevents pings
	defer tr.mu.Unlock()
	for begin := time.Now(); time.Since(begin) < 60*time.Second; time.Sleep(100 * time.Millisecond) {
		if e.python.Lines() == transport.ParkStep {
			return
		}
	}
	t.Errorf("the pins are %+v; want them parked", e.python.Lines())
}

// If the bus changes direction at each step, a burst takes additional time only for its rests.
func TestEmulatorTurningBus(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	e := startEmulator(t)
	tr := e.open(t)
	reset := transport.Step{In: model.Idle, Reset: true, Clocks: 1}
	turns := []transport.Step{{In: 0x27, Drive: 0xFF, IO: 0x5A, Clocks: 1}, {In: model.Idle, Clocks: 1}}
	steps := append([]transport.Step{reset}, slices.Repeat(turns, 1000)...)
	times := e.Times()
	if lines := differing(t, tr, steps, transport.Timing{Sample: transport.SampleAtFall}); len(lines) > 0 {
		t.Errorf("%v differ", lines)
	}
	speed := boardtest.ClockMHz * 1e6 * float64(len(steps)) / times.Busy()
	t.Logf("%.1f M steps/s", speed/1e6)
	if speed < 10e6 {
		t.Error("want 10 M steps/s")
	}
}

// Without changes of rst_n and directions clk can be faster, and such changes divide bursts. All samples are right.
func TestEmulatorStillBursts(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	e := startEmulator(t)
	tr := e.open(t)
	g := testkit.Must(tr.Grid(t.Context()))(t)
	writes := []transport.Step{{In: 0x27, Drive: 0xFF, IO: 0x5A, Clocks: 1},
		{In: model.Idle &^ model.READ, Drive: 0xFF, IO: 0xA5, Clocks: 1}}
	fastest := g.OnFastestClock()
	for _, at := range []transport.Timing{{Period: 24}, {Period: g.ShortestPeriod()},
		{Hertz: fastest.Frequency(transport.Timing{Period: fastest.ShortestPeriod()})}} {
		at.Sample = transport.SampleAtFall
		checkStill(t, tr, at)
		times := e.Times()
		steps := slices.Repeat(writes, (g.Periods-1)/2) // almost as many periods as a burst may have
		if lines := differing(t, tr, steps, at); len(lines) > 0 {
			t.Errorf("%v: %v differ", at, lines)
		}
		times.CheckSpeed(t, len(steps), 0.95*g.Frequency(tr.bursts.at))
	}
	steps := slices.Repeat(writes, 1000)
	for _, wrong := range []transport.Step{{In: 0x27, Clocks: 1}, {In: 0x27, Drive: 0xFF, Reset: true, Clocks: 1}} {
		steps[1] = wrong
		if err := tr.Burst(t.Context(), steps, make([]transport.Sample, len(steps)), tr.bursts.at); err == nil {
			t.Errorf("a burst with %+v is played at %v", wrong, tr.bursts.at)
		}
	}
	if _, err := tr.Apply(t.Context(), steps[:1], make([]transport.Sample, 1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func checkStill(t *testing.T, tr *Transport, at transport.Timing) {
	t.Helper()
	p := testkit.Must(transport.NewPlayer(t.Context(), tr, at))(t)
	steps := testkit.Stimulus(1, 300)
	got := make([]transport.Sample, len(steps))
	if _, err := p.Apply(t.Context(), steps, got); err != nil {
		t.Fatal(err)
	}
	if lines := transport.Differ(got, testkit.ModelSamples(model.TT09, steps)); lines != 0 || p.SplitVectors() == 0 {
		t.Errorf("%v: %v differ, and %d bursts were parted", at, lines.Names(), p.SplitVectors())
	}
}
