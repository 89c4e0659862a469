package transport

import (
	"strings"
	"testing"
	"time"
)

// board is a grid with ticks of 8 ns and alternative clocks.
var board = Grid{Clock: 125e6, HighTicks: 2, GapTicks: 2, MinPeriod: 40, MaxPeriod: 2000, MaxSample: 2000,
	MinStillPeriod: 24, Clocks: []int{120e6, 130e6, 100e6, 95e6}}

func TestRound(t *testing.T) {
	for _, c := range []struct{ asked, want Timing }{
		{Timing{Period: 40, Sample: SampleAtFall}, Timing{Period: 40, Sample: 16, Lead: 8}},
		// 5 ticks of 100 MHz would fit as well
		{Timing{Period: 50, Sample: SampleAtFall}, Timing{Period: 50, Sample: 17, Lead: 17, Clock: 120e6}},
		{Timing{Period: 200, Sample: 20}, Timing{Period: 200, Sample: 20, Lead: 100, Clock: 100e6}},
		{Timing{Period: 200, Sample: 24, Lead: 96}, Timing{Period: 200, Sample: 24, Lead: 96}},
		{Timing{Period: 200, Sample: 21}, Timing{Period: 200, Sample: 21, Lead: 95, Clock: 95e6}},
		{Timing{Period: 1000, Sample: 21}, Timing{Period: 1000, Sample: 21, Lead: 495, Clock: 95e6}},
		{Timing{Period: 1000, Sample: 21, Clock: 125e6}, Timing{Period: 1000, Sample: 24, Lead: 496, Clock: 125e6}},
		// at 95 MHz the other two times deviate more
		{Timing{Period: 160, Sample: 21, Lead: 80}, Timing{Period: 160, Sample: 20, Lead: 80, Clock: 100e6}},
		// a period of 38 ns, at 130 MHz, would deviate as much
		{Timing{Period: 39, Sample: SampleAtFall}, Timing{Period: 40, Sample: 16, Lead: 8}},
	} {
		if got, err := board.Round(c.asked); err != nil || got != c.want {
			t.Errorf("%+v is %+v, %v; want %+v", c.asked, got, err, c.want)
		}
	}
	for _, asked := range []Timing{{Period: 10}, {Period: 40 * time.Microsecond}, {Period: 40, Lead: 39},
		{Period: 40, Sample: -2}} {
		if got, err := board.Round(asked); err == nil {
			t.Errorf("%+v is %+v; want an error", asked, got)
		}
	}
}

// WithClock keeps a grid's numbers of ticks, and Round does not change the times or the clock that it has returned.
func TestGridOn(t *testing.T) {
	on := board.WithClock(100e6)
	if on.MinPeriod != 50 || on.MinStillPeriod != 30 || on.MaxPeriod != 2500 || board.MinPeriod != 40 {
		t.Errorf("%+v", on)
	}
	at := Timing{Period: 45, Clock: 100e6}
	if !board.ForbidsTurnaround(at) || board.ForbidsTurnaround(Timing{Period: 45}) {
		t.Error("45 ns is below 5 ticks of 100 MHz, and not of 125 MHz")
	}
	for period := time.Duration(24); period < 300; period++ {
		took, err := board.Round(Timing{Period: period, Sample: SampleAtFall})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := board.Round(took); err != nil || again.Clock != took.Clock && took.Clock != 0 ||
			again.Period != took.Period || again.Sample != took.Sample {
			t.Errorf("%+v is rounded to %+v, %v", took, again, err)
		}
	}
}

// Round meets a requested frequency as closely as clocks and whole ticks allow, and never returns one far below it.
func TestNearestFrequency(t *testing.T) {
	boards := map[string]Grid{"RP2040": {Clock: 125e6, Clocks: clocks(64, 200)},
		"RP2350": {Clock: 150e6, Clocks: clocks(64, 150)}}
	for _, c := range []struct {
		board       string
		asked, want float64
		clock       int
	}{
		{"RP2040", 25e6, 25e6, 0}, {"RP2040", 25.175e6, 25.2e6, 126e6}, {"RP2040", 66.67e6, 200e6 / 3., 200e6},
		{"RP2040", 70e6, 0, 0}, {"RP2040", 1e6, 1e6, 0}, {"RP2040", 1e3, 0, 0},
		{"RP2350", 50e6, 50e6, 0}, {"RP2350", 50.4e6, 50e6, 0}, {"RP2350", 25.175e6, 25.2e6, 126e6},
		{"RP2350", 60e6, 0, 0},
	} {
		g := boards[c.board]
		g.HighTicks, g.GapTicks, g.MinPeriod, g.MinStillPeriod = 2, 2, g.Time(5), g.Time(3)
		g.MaxPeriod, g.MaxSample = g.Time(250), g.Time(250)
		took, err := g.Round(Timing{Hertz: c.asked, Period: time.Duration(1e9 / c.asked), Sample: SampleAtFall})
		switch {
		case c.want == 0 && err == nil:
			t.Errorf("%s: %g Hz is %+v", c.board, c.asked, took)
		case c.want != 0 && (err != nil || g.Frequency(took) != c.want || took.Clock != c.clock || took.Hertz != 0):
			t.Errorf("%s: %g Hz is %+v, %g Hz, %v", c.board, c.asked, took, g.Frequency(took), err)
		}
	}
}

// The error for a rejected period suggests the nearest period of any clock, and that period is accepted.
func TestNearestRefused(t *testing.T) {
	for asked, want := range map[Timing]string{
		TimingAtFrequency(50e6):         "a clock of 50MHz: allowed is 23ns to 2.6.*; the nearest is 23ns (43.33MHz)",
		TimingAtFrequency(1e5):          "a clock of 100kHz: .*; the nearest is 2.632µs (380kHz)",
		{Period: 10}:                    "a period of 10ns (100MHz): .*; the nearest is 23ns (43.33MHz)",
		{Period: 40 * time.Microsecond}: "a period of 40µs (25kHz): .*; the nearest is 2.632µs (380kHz)",
	} {
		head, tail, _ := strings.Cut(want, ".*")
		_, err := board.Round(asked)
		if err == nil || !strings.HasPrefix(err.Error(), head) || !strings.HasSuffix(err.Error(), tail) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	for _, nearest := range []time.Duration{23, 2632} {
		if took, err := board.Round(Timing{Period: nearest}); err != nil || took.Period != nearest {
			t.Errorf("%s is %+v, %v", nearest, took, err)
		}
	}
}

// clocks returns the frequencies of all whole MHz in a range, in hertz.
func clocks(from, to int) (all []int) {
	for mhz := from; mhz <= to; mhz++ {
		all = append(all, mhz*1e6)
	}
	return all
}
