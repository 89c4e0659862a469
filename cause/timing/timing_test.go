package timing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
)

const ns = time.Nanosecond

// few holds vectors that move every output. They are chosen once for all tests.
var (
	few    []driver.Job
	chosen sync.Once
)

func measured(t *testing.T, seed uint64, faults ...string) (*Report, error) {
	t.Helper()
	r := runner(t, seed, faults...)
	defer r.Player.Close()
	return r.Measure(t.Context())
}

func runner(t *testing.T, seed uint64, faults ...string) *Runner {
	t.Helper()
	c := mock.Config{Tile: utf.TT09, Seed: seed}
	for _, text := range faults {
		f := testkit.Must(fault.BitNames(nil).Parse(text))(t)
		c.Faults = append(c.Faults, f)
	}
	p, err := transport.NewPlayer(t.Context(), mock.Open(c), transport.Timing{Period: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	chosen.Do(func() { few, err = ChooseJobs(t.Context(), utf.TT09, testkit.AllJobs[driver.Job](t)) })
	if err != nil || len(few) == 0 {
		t.Fatalf("%d vectors, %v", len(few), err)
	}
	return &Runner{Player: p, Tile: utf.TT09, Jobs: few, Count: 3}
}

// Each line has its own highest clock: a delay affects one line, and a slow chip affects all.
func TestLineClocks(t *testing.T) {
	for faults, want := range map[string][3]time.Duration{ // uo3, uo5, all others
		"":                              {4, 4, 4},
		"uo3=delay:25ns":                {27, 4, 4},
		"uo3=delay:25ns uo5=delay:40ns": {27, 42, 4},
		"uo5=delay:60ns ui5=setup:30ns": {35, 94, 35},
		"uo3=delay:3ns":                 {5, 4, 4},
		"rst_n=setup:20ns":              {24, 24, 24},
	} {
		r := testkit.Must(measured(t, 5, strings.Fields(faults)...))(t)
		got := [3]time.Duration{r.Lines[3].MinPeriod, r.Lines[5].MinPeriod, r.Lines[6].MinPeriod}
		if got != want || r.ShortestPeriod != want[2] || r.MinPeriod != max(want[0], want[1]) {
			t.Errorf("%q: %v, %s, %s the shortest; want %v", faults, got, r.MinPeriod, r.ShortestPeriod, want)
		}
	}
}

// Measure returns ErrFlaky for a chip that fails at random, since it has no highest clock.
func TestUnsteady(t *testing.T) {
	for seed := range uint64(3) {
		for _, f := range []string{"uo3=flip:1e-4", "uo3=flip:3e-4"} {
			r := runner(t, seed, f)
			if got, err := r.Measure(t.Context()); !errors.Is(err, ErrFlaky) {
				t.Errorf("seed %d, %s: %+v, %v", seed, f, got, err)
			}
			r.Player.Close()
		}
	}
}

// The delay of each delayed line is measured correctly, and the other lines have no delay.
func TestDelays(t *testing.T) {
	late := map[string]time.Duration{"uo0": 25 * ns, "uo3": 31 * ns, "uo7": 8 * ns, "uio0": 40 * ns, "uio7": 35 * ns}
	var faults []string
	for line, d := range late {
		faults = append(faults, line+"=delay:"+d.String())
	}
	r := testkit.Must(measured(t, 1, faults...))(t)
	for _, l := range r.Lines {
		want := max(late[l.Name], 1)
		if l.Edges < enough || l.MaxDelay != want || l.MinDelay != want-1 {
			t.Errorf("%s: above %s and up to %s, by %d edges; want %s", l.Name, l.MinDelay, l.MaxDelay, l.Edges, want)
		}
	}
	// the delay of the latest line, plus one tick for the inputs' set-up and one for their change after the sample
	if r.MinPeriod != 42*ns || r.Setup != 1 {
		t.Errorf("period %s, set-up %s", r.MinPeriod, r.Setup)
	}
	if r.ChipPeriod != 4*ns || r.ChipLimitFound {
		t.Errorf("the chip alone: %s, bound %t", r.ChipPeriod, r.ChipLimitFound)
	}
}

// still is a design with constant outputs. It counts the steps that its reference runs.
type still struct {
	tile.Tile
	ran *int
}

func (still) Name() string                  { return "still" }
func (still) Revision() string              { return "" }
func (still) Drives(transport.Step) uint8   { return 0 }
func (still) Lint(s []transport.Step) error { return nil }
func (still) Idle() uint8                   { return 0 }
func (still) Others() []tile.Tile           { return nil }
func (s still) New() tile.Reference         { return s }
func (s still) Run(steps []transport.Step, samples []transport.Sample) error {
	*s.ran += len(steps)
	clear(samples)
	return nil
}

// ChooseJobs gives up after few steps if outputs never change.
func TestChooseWithoutChanges(t *testing.T) {
	v, ran := golden.Vector{Name: "all"}, 0
	for i := range madeSteps {
		v.Steps = append(v.Steps, transport.Step{In: uint8(i * 37), IO: uint8(i * 101), Drive: 0xFF, Clocks: 1})
	}
	jobs, err := ChooseJobs(t.Context(), still{ran: &ran}, []driver.Job{{Vector: &v}})
	if err != nil || len(jobs) != 1 || ran > 3*madeSteps {
		t.Errorf("%d vectors after %d steps, %v", len(jobs), ran, err)
	}
}

// tied is a design that declares its outputs constant.
type tied struct{ still }

func (tied) ImpossibleLevels(l tile.Levels) tile.Levels { return tile.Levels{High: l.High & 0xFF} }

// whyStill suggests other vectors only if some output of the design may change.
func TestNothingChanges(t *testing.T) {
	for want, of := range map[string]tile.Tile{"bench explore makes others": still{}, "it has no timing": tied{}} {
		m := measurement{Runner: &Runner{Tile: of}, Report: new(Report)}
		if err := m.whyStill(); failure.KindOf(err) != failure.Nothing || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// counting is a tile that counts the edges of clk on uo.
type counting struct{ still }

func (counting) Name() string        { return "counting" }
func (counting) New() tile.Reference { return new(counter) }

type counter struct{ n uint8 }

func (c *counter) FaultChip() fault.Chip { return c }
func (c *counter) ClockEdge(in fault.Levels) {
	if c.n++; in.V>>fault.Rst&1 == 0 {
		c.n = 0
	}
}
func (c *counter) Drives(fault.Levels) (out fault.Levels, lines uint32) {
	return fault.Levels{V: uint32(c.n) << fault.UO}, fault.MaskUO
}
func (c *counter) Run(steps []transport.Step, samples []transport.Sample) error {
	for i, s := range steps {
		if c.n += s.Clocks; s.Reset {
			c.n = 0
		}
		samples[i] = transport.Sample{Out: c.n, IO: s.IO}
	}
	return nil
}

// Measure counts only the last edge of a step, since no sample shows that a line is late after an earlier one.
func TestManyClocks(t *testing.T) {
	v := golden.Vector{Name: "all"}
	for i := range 200 {
		v.Steps = append(v.Steps, transport.Step{Reset: i == 0, Drive: 0xFF, Clocks: 3})
	}
	late := testkit.Must(fault.BitNames(nil).Parse("uo1=delay:15ns"))(t)
	chip := mock.Open(mock.Config{Tile: counting{}, Faults: []fault.Fault{late}})
	p := testkit.Must(transport.NewPlayer(t.Context(), chip, transport.Timing{Period: time.Microsecond}))(t)
	defer p.Close()
	r := Runner{Player: p, Tile: counting{}, Jobs: []driver.Job{{Vector: &v}}, Count: 1}
	report := testkit.Must(r.Measure(t.Context()))(t)
	if l := report.Lines[1]; l.MinDelay != 14*ns || l.MaxDelay != 15*ns || l.Edges != 99 {
		t.Errorf("above %s and up to %s, by %d edges; want 14ns, 15ns, 99", l.MinDelay, l.MaxDelay, l.Edges)
	}
}

// A line with jitter fails every repeat below its minimum delay, and none above its maximum delay.
func TestJitter(t *testing.T) {
	r := testkit.Must(measured(t, 2, "uo6=delay:30ns:5ns"))(t)
	if l := r.Lines[6]; l.MinDelay < 24*ns || l.MinDelay > 29*ns || l.MaxDelay < 32*ns || l.MaxDelay > 35*ns {
		t.Errorf("above %s and up to %s", l.MinDelay, l.MaxDelay)
	}
}

// The chip's maximum clock is found even if lines are late, and the report names vectors that fail at higher clocks.
func TestLimit(t *testing.T) {
	for _, late := range []string{"uo3=delay:60ns", "uo3=delay:3ns"} {
		r := testkit.Must(measured(t, 3, "fmax=25MHz", late))(t)
		// the fault acts at random up to a tenth below its limit
		if r.ChipPeriod < 36*ns || r.ChipPeriod > 40*ns || !r.ChipLimitFound || len(r.LimitingVectors) == 0 {
			t.Errorf("%s: period %s, bound %t, limited by %q", late, r.ChipPeriod, r.ChipLimitFound, r.LimitingVectors)
		}
		if least := max(r.ChipPeriod, r.Lines[3].MaxDelay+2); r.MinPeriod < least || r.MinPeriod > least+4 {
			t.Errorf("%s: as seen %s, alone %s", late, r.MinPeriod, r.ChipPeriod)
		}
	}
}

// Set-ups, holds and delays of 5, 15 and 40 ns are measured within a tick, or within the tenth in which they act at
// random, or the line is reported as not measured.
func TestFigures(t *testing.T) {
	every, n := testkit.Pick(17, 1), 0
	check := func(fault, line string, of time.Duration, figure func(*Report) time.Duration) {
		if n++; n%every != 0 {
			return
		}
		r := testkit.Must(measured(t, uint64(n), fmt.Sprintf("%s=%s:%s", line, fault, of)))(t)
		if got := figure(r); (got < of*9/10-1 || got > of+1) && !slices.Contains(r.unmeasured(), line) {
			t.Errorf("%s of %s is %s: measured is %s", fault, line, of, got)
		}
	}
	for _, of := range []time.Duration{5 * ns, 15 * ns, 40 * ns} {
		inputs := slices.Concat(transport.Lines[:8], transport.Lines[fault.UIO:fault.Clk], []string{"rst_n"})
		for _, line := range inputs {
			check("setup", line, of, func(r *Report) time.Duration { return r.Setup })
			if !strings.HasPrefix(line, "uio") { // the chip may drive these lines, so their hold cannot be injected
				check("hold", line, of, func(r *Report) time.Duration { return r.Hold })
			}
		}
		for i, line := range transport.Lines[fault.UO:fault.Clk] {
			check("delay", line, of, func(r *Report) time.Duration { return r.Lines[i].MaxDelay })
		}
	}
}

// deaf is a transport that samples one line wrongly in bursts, and correctly step by step.
type deaf struct{ *mock.Transport }

func (d *deaf) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	err := d.Transport.Burst(ctx, steps, samples, at)
	for i := range samples {
		samples[i].Out |= 8
	}
	return err
}

// Measure returns an error, and no report, if a chip also fails step by step or the bench fails.
func TestErrors(t *testing.T) {
	if _, err := measured(t, 1, "uo3=stuck1"); !errors.Is(err, ErrFailsStepByStep) {
		t.Error(err)
	}
	slow := runner(t, 1)
	slow.Player.Close()
	var err error
	if slow.Player, err = transport.NewPlayer(t.Context(), &deaf{mock.Open(mock.Config{Tile: utf.TT09})},
		transport.Timing{Period: time.Microsecond}); err != nil {
		t.Fatal(err)
	}
	if _, err := slow.Measure(t.Context()); !errors.Is(err, ErrBurstsFail) || errors.Is(err, ErrFailsStepByStep) {
		t.Errorf("bursts that are not played well: %v", err)
	}
	if err := CheckBursts(t.Context(), slow.Player, slow.Tile, slow.Jobs); !errors.Is(err, ErrBurstsFail) {
		t.Errorf("the same before a run: %v", err)
	}
	for _, fault := range []string{"uo3=stuck1", "uo3=delay:200ns"} { // each fault causes a FAIL at 100 ns
		chip := runner(t, 1, fault)
		before, err := chip.Player.SetTiming(transport.Timing{Period: 100, Sample: transport.SampleAtFall})
		if err == nil {
			err = CheckBursts(t.Context(), chip.Player, chip.Tile, chip.Jobs)
		}
		after := chip.Player.Timing()
		terr := chip.Player.TuneAll(map[string]time.Duration{transport.PeriodKnob: 20})
		if err != nil || after != before || terr != nil {
			t.Errorf("%s: %v, the timing is %s; want %s, and a shorter period, %v", fault, err, after, before, terr)
		}
	}
	p, err := transport.NewPlayer(t.Context(), &broken{Transport: mock.Open(mock.Config{Tile: utf.TT09}), after: 7},
		transport.Timing{Period: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	r := Runner{Player: p, Tile: utf.TT09, Jobs: testkit.AllJobs[driver.Job](t)[:5]}
	if _, err := r.Measure(t.Context()); !errors.Is(err, errUneven) {
		t.Error(err)
	}
	r.Jobs = nil
	if _, err := r.Measure(t.Context()); !errors.Is(err, ErrNoVector) {
		t.Error(err)
	}
}

var errUneven = errors.New("the burst ran uneven")

// broken is a transport that fails after some number of bursts.
type broken struct {
	*mock.Transport
	after int
}

func (b *broken) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	if b.after--; b.after < 0 {
		return errUneven
	}
	return b.Transport.Burst(ctx, steps, samples, at)
}

// If vectors do not suffice, ChooseJobs adds random steps that exercise each input and output that edges can exercise.
func TestMadeVectors(t *testing.T) {
	one := testkit.AllJobs[driver.Job](t)[:1]
	all, err := ChooseJobs(t.Context(), utf.TT09, one)
	if err != nil || all[0].Vector != one[0].Vector {
		t.Fatalf("%d vectors, %v", len(all), err)
	}
	inputs := testkit.Must(exercised(utf.TT09, all))(t)
	r := Report{InputEdges: inputs}
	if got := strings.Join(r.unmeasured(), " "); got != "ui1 ui2 ui4" {
		t.Errorf("not measured are %q", got)
	}
	var have [16]int
	for _, job := range all {
		n := testkit.Must(edges(utf.TT09, job.Vector))(t)
		for line := range n {
			have[line] += n[line]
		}
	}
	if slices.Min(have[:]) < enough {
		t.Errorf("edges change the outputs %v times", have)
	}
}

// Set-up and hold are measured only with inputs whose late levels would have been detected.
func TestNothingExercised(t *testing.T) {
	for _, c := range []struct {
		edges int
		want  bool
	}{{enough, true}, {enough - 1, false}} {
		r := Report{MinPeriod: 1, Setup: 1, Hold: 1, InputEdges: []InputEdges{{"ui0", c.edges}, {"ui1", 0}, {"ui2", 0}},
			Lines: []Line{{Name: "uo0", Edges: 1}, {Name: "uo1"}, {Name: "uo2"}}}
		text := fmt.Sprint(r.Summary())
		got := strings.Contains(text, "set-up of the inputs ") && strings.Contains(text, "hold of the inputs ")
		if got != c.want {
			t.Errorf("%d edges: %s", c.edges, text)
		}
		var whole strings.Builder
		if err := r.WriteText(&whole); err != nil || !strings.Contains(text, "not measured  ") ||
			!strings.Contains(whole.String(), "\n  no edge of these vectors changes uo1-uo2\n") {
			t.Errorf("%s, %v", &whole, err)
		}
		if c.want && strings.Index(text, "not measured") < strings.Index(text, "hold of") {
			t.Errorf("the inputs not measured are between set-up and hold: %s", text)
		}
	}
}

// Summary names the inputs that were not measured, and says that they may need more than the reported times.
func TestUnmeasured(t *testing.T) {
	for line, want := range map[string][]string{
		"ui1": {"ns (ui1-ui2, ui4, unmeasured, may", "set-up of the inputs ", " ui1-ui2, ui4: fewer"},
		"ui2": {"ns (ui1-ui2, ui4, unmeasured, may", "set-up of the inputs 1ns or less", " ui1-ui2, ui4: fewer"},
	} {
		r := testkit.Must(measured(t, 1, line+"=setup:40ns"))(t)
		for _, part := range want {
			if text := fmt.Sprint(r.Summary()); !strings.Contains(text, part) {
				t.Errorf("%s: %s lacks %q", line, text, part)
			}
		}
	}
}

// A limit is printed as an interval, unless the transport cannot play a shorter time.
func TestIntervals(t *testing.T) {
	r := &Report{Tick: 1, MinPeriod: 100, ShortestPeriod: 4, ChipPeriod: 50, ChipLimitFound: true, Setup: 30, Hold: 26,
		InputEdges: []InputEdges{{"ui5", enough}}, Lead: 33}
	got := fmt.Sprint(r.Summary())
	for _, want := range []string{"period 99ns to 100ns with --lead 33ns, if outputs", "period 49ns to 50ns",
		"set-up of the inputs 29ns to 30ns"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %q", got, want)
		}
	}
	r.MinPeriod, r.Setup = 4, 1
	if got := fmt.Sprint(r.Summary()); !strings.Contains(got, "(the default); shorter ones cannot be measured here") ||
		!strings.Contains(got, "1ns or less: shorter ones cannot be measured here") {
		t.Error(got)
	}
}
