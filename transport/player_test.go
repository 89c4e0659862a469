package transport_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

const ns = time.Nanosecond

func player(t testing.TB, at transport.Timing, faults ...string) *transport.Player {
	t.Helper()
	c := mock.Config{Tile: utf.TT09, Seed: 1}
	for _, text := range faults {
		f := testkit.Must(model.Bits.Parse(text))(t)
		c.Faults = append(c.Faults, f)
	}
	return testkit.Must(transport.NewPlayer(t.Context(), mock.Open(c), at))(t)
}

// A Player passes the conformance kit at several timings, with the model's samples.
func TestConformance(t *testing.T) {
	for _, at := range []transport.Timing{{Period: 100 * ns}, {Period: 1000 * ns, Sample: 300 * ns},
		{Period: 50 * ns, Sample: 3 * ns}} {
		steps := testkit.Stimulus(1, 500)
		testkit.RunTransport(t, testkit.TransportKit{
			Open:     func(t testing.TB) transport.Transport { return player(t, at) },
			Stimulus: steps,
			Want:     testkit.ModelSamples(model.TT09, steps),
			Pins: func(tr transport.Transport) transport.Step {
				return tr.(*transport.Player).Transport.(*mock.Transport).LastStep()
			},
		})
	}
}

// wrong returns the lines that differ from the model in a random run.
func wrong(t *testing.T, p *transport.Player) []string {
	t.Helper()
	defer p.Close()
	steps := testkit.Stimulus(2, 3000)
	want, got := testkit.ModelSamples(model.TT09, steps), make([]transport.Sample, len(steps))
	if _, err := p.Apply(context.Background(), steps, got); err != nil {
		t.Fatal(err)
	}
	return transport.Differ(got, want).Names()
}

// A delayed line is wrong in samples taken even 1 ns before its delay has passed, and no other line is wrong.
func TestBorders(t *testing.T) {
	for _, c := range []struct {
		faults string
		at     transport.Timing
		lines  string
	}{
		{"", transport.Timing{Period: 4 * ns, Sample: 1 * ns}, ""},
		{"", transport.Timing{Period: 100 * ns, Sample: 48 * ns}, ""},
		{"uo3=delay:25ns", transport.Timing{Period: 100 * ns, Sample: 25 * ns}, ""},
		{"uo3=delay:25ns", transport.Timing{Period: 100 * ns, Sample: 24 * ns}, "uo3"},
		{"uo3=delay:25ns uo5=delay:40ns", transport.Timing{Period: 100 * ns, Sample: 30 * ns}, "uo5"},
		// a delay longer than the period: the chip is fast enough, only its lines are late
		{"uo3=delay:130ns", transport.Timing{Period: 100 * ns, Sample: 48 * ns}, "uo3"},
		{"uio2=delay:10ns", transport.Timing{Period: 100 * ns, Sample: 9 * ns}, "uio2"},
		{"uo3=delay:25ns:5ns", transport.Timing{Period: 100 * ns, Sample: 30 * ns}, ""},
		{"uo3=delay:25ns:5ns", transport.Timing{Period: 100 * ns, Sample: 25 * ns}, "uo3"},
		{"ui5=setup:60ns", transport.Timing{Period: 200 * ns, Sample: 5 * ns, Lead: 60 * ns}, ""},
	} {
		if got := wrong(t, player(t, c.at, strings.Fields(c.faults)...)); strings.Join(got, " ") != c.lines {
			t.Errorf("%q, %s: wrong are %q; want %q", c.faults, c.at, got, c.lines)
		}
	}
	for _, c := range []struct {
		fault string
		at    transport.Timing
	}{
		{"ui5=setup:60ns", transport.Timing{Period: 200 * ns, Sample: 5 * ns, Lead: 50 * ns}},
		{"fmax=10MHz", transport.Timing{Period: 80 * ns}},
	} {
		if len(wrong(t, player(t, c.at, c.fault))) == 0 {
			t.Errorf("%s, %s: nothing is wrong", c.fault, c.at)
		}
	}
	if got := wrong(t, player(t, transport.Timing{Period: 100 * ns}, "fmax=10MHz")); len(got) > 0 {
		t.Errorf("at its highest frequency: %q", got)
	}
}

// A sample taken after the next edge is correct even if lines are delayed by more than a period.
func TestSampleBeyondThePeriod(t *testing.T) {
	all := []string{}
	for _, line := range transport.Lines[8:24] {
		all = append(all, line+"=delay:130ns")
	}
	p := player(t, transport.Timing{Period: 100 * ns, Sample: 140 * ns}, all...)
	if got := wrong(t, p); len(got) > 0 {
		t.Errorf("wrong are %q", got)
	}
}

// few is a Burster that limits its bursts and records their lengths.
type few struct {
	*mock.Transport
	most, periods int
	least, still  time.Duration // minimum periods, or 0 for the mock's
	lengths       []int
	fails         error
}

func (f *few) Grid(ctx context.Context) (transport.Grid, error) {
	g, err := f.Transport.Grid(ctx)
	g.Steps, g.Periods = f.most, f.periods
	if f.least > 0 {
		g.MinPeriod, g.MinStillPeriod, g.HighTicks = f.least, f.still, 2
	}
	return g, err
}

func (f *few) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	if f.fails != nil {
		return f.fails
	}
	f.lengths = append(f.lengths, len(steps))
	return f.Transport.Burst(ctx, steps, samples, at)
}

// A burst ends at the end of a vector if possible; a long vector takes several bursts.
func TestParts(t *testing.T) {
	reset, step := transport.Step{In: model.Idle, Reset: true, Clocks: 1}, transport.Step{In: model.Idle, Clocks: 2}
	vector := slices.Concat([]transport.Step{reset, reset}, slices.Repeat([]transport.Step{step}, 3))
	long := slices.Concat([]transport.Step{reset}, slices.Repeat([]transport.Step{step}, 30))
	for _, c := range []struct {
		steps         []transport.Step
		most, periods int
		lengths       []int
		parted        int
	}{
		{slices.Repeat(vector, 3), 12, 1000, []int{10, 5}, 0},
		{slices.Repeat(vector, 3), 1000, 17, []int{10, 5}, 0}, // a vector takes 8 periods
		{slices.Concat(vector, long), 20, 1000, []int{5, 20, 11}, 1},
		{[]transport.Step{reset, {Clocks: 200}, reset, {Clocks: 200}}, 20, 300, []int{2, 2}, 0},
	} {
		f := &few{Transport: mock.Open(mock.Config{Tile: utf.TT09}), most: c.most, periods: c.periods}
		p := testkit.Must(transport.NewPlayer(t.Context(), f, transport.Timing{Period: 100 * ns}))(t)
		n, err := p.Apply(t.Context(), c.steps, make([]transport.Sample, len(c.steps)))
		if n != len(c.steps) || err != nil || !slices.Equal(f.lengths, c.lengths) || p.SplitVectors() != c.parted {
			t.Errorf("%d steps, at most %d: %d, %v; bursts of %v, parted %d times; want %v and %d",
				len(c.steps), c.most, n, err, f.lengths, p.SplitVectors(), c.lengths, c.parted)
		}
	}
}

// Below MinPeriod a burst ends where rst_n or a direction changes, and the inputs change when clk falls.
func TestStillBursts(t *testing.T) {
	reset, write, read := transport.Step{In: model.Idle, Reset: true, Clocks: 1}, transport.Step{In: 0x27, Drive: 0xFF,
		Clocks: 1}, transport.Step{In: model.Idle, Clocks: 1}
	steps := []transport.Step{reset, write, write, read, write, reset, read, read}
	steps[2].Clocks = 0
	for period, lengths := range map[time.Duration][]int{40 * ns: {8}, 3 * ns: {1, 2, 1, 1, 1, 2}} {
		f := &few{Transport: mock.Open(mock.Config{Tile: utf.TT09}), most: 100, periods: 1000, least: 40, still: 3}
		p, err := transport.NewPlayer(t.Context(), f, transport.Timing{Period: period})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Apply(t.Context(), steps, make([]transport.Sample, len(steps)))
		if err != nil || !slices.Equal(f.lengths, lengths) {
			t.Errorf("at %s: bursts of %v, %v; want %v", period, f.lengths, err, lengths)
		}
	}
	f := &few{Transport: mock.Open(mock.Config{Tile: utf.TT09}), most: 9, periods: 300, least: 40, still: 3}
	p, err := transport.NewPlayer(t.Context(), f, transport.Timing{Period: 3, Sample: transport.SampleAtFall})
	if want := (transport.Timing{Period: 3, Sample: 2, Lead: 1}); err != nil || p.Timing() != want {
		t.Errorf("the shortest: %+v, %v; want %+v", p.Timing(), err, want)
	}
	if _, err := p.SetTiming(transport.Timing{Period: 2}); err == nil ||
		!strings.Contains(err.Error(), "allowed is 3ns") {
		t.Errorf("a period of 2 ns: %v", err)
	}
}

// NewPlayer rejects impossible timings, and Apply returns the error of an uneven burst.
func TestErrors(t *testing.T) {
	m := mock.Open(mock.Config{Tile: utf.TT09})
	for text, at := range map[string]transport.Timing{
		"a period of 1ns (1GHz): allowed is 4ns to 1ms, in steps of 1 ns": {Period: 1},
		"a sample 2µs after the edge: allowed is 0 to 1µs":                {Period: 100, Sample: 2000},
		"inputs 99ns before the edge: allowed is 1ns to 98ns":             {Period: 100, Lead: 99},
	} {
		if _, err := transport.NewPlayer(t.Context(), m, at); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: %v; want %q", at, err, text)
		}
	}
	broken := errors.New("it ran uneven")
	short := &few{Transport: m, most: 10, periods: 10, fails: broken}
	p, err := transport.NewPlayer(t.Context(), short, transport.Timing{Period: 20})
	if err != nil {
		t.Fatal(err)
	}
	steps := []transport.Step{{Reset: true, Clocks: 1}, {Clocks: 1, In: 0xFF}}
	if n, err := p.Apply(t.Context(), steps, make([]transport.Sample, 2)); n != 0 || !errors.Is(err, broken) {
		t.Errorf("%d, %v", n, err)
	}
	_, err = transport.NewPlayer(t.Context(), plain{m}, transport.Timing{Period: 20})
	if !errors.Is(err, transport.ErrNoBursts) {
		t.Error(err)
	}
}

type plain struct{ transport.Transport }
