package transport

import (
	"testing"
	"time"
)

// A board with ticks of 8 ns, and other clocks.
var board = Grid{Clock: 125e6, High: 2, Gap: 2, LeastPeriod: 40, MostPeriod: 2000, MostSample: 2000, StillPeriod: 24,
	Clocks: []int{120e6, 130e6, 100e6, 95e6}}

func TestRound(t *testing.T) {
	for _, c := range []struct{ asked, want Timing }{
		{Timing{Period: 40, Sample: AtFall}, Timing{40, 16, 8, 0}},
		{Timing{Period: 50, Sample: AtFall}, Timing{50, 17, 17, 120e6}}, // 5 ticks of 100 MHz as well
		{Timing{Period: 200, Sample: 20}, Timing{200, 20, 100, 100e6}},
		{Timing{Period: 200, Sample: 24, Lead: 96}, Timing{200, 24, 96, 0}},
		{Timing{Period: 200, Sample: 21}, Timing{200, 21, 95, 95e6}},
		{Timing{Period: 1000, Sample: 21}, Timing{1000, 21, 495, 95e6}},
		{Timing{Period: 1000, Sample: 21, Clock: 125e6}, Timing{1000, 24, 496, 125e6}},
		{Timing{Period: 160, Sample: 21, Lead: 80}, Timing{160, 20, 80, 100e6}}, // 95 MHz misses the others by more
		{Timing{Period: 39, Sample: AtFall}, Timing{40, 16, 8, 0}},              // 38 ns of 130 MHz are no nearer
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

// On another clock a timing is what it is in ticks, and each that was rounded stays as it is.
func TestGridOn(t *testing.T) {
	on := board.On(100e6)
	if on.LeastPeriod != 50 || on.StillPeriod != 30 || on.MostPeriod != 2500 || board.LeastPeriod != 40 {
		t.Errorf("%+v", on)
	}
	if at := (Timing{Period: 45, Clock: 100e6}); !board.Still(at) || board.Still(Timing{Period: 45}) {
		t.Error("45 ns is below 5 ticks of 100 MHz, and not of 125 MHz")
	}
	for period := time.Duration(24); period < 300; period++ {
		took, err := board.Round(Timing{Period: period, Sample: AtFall})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := board.Round(took); err != nil || again.Clock != took.Clock && took.Clock != 0 ||
			again.Period != took.Period || again.Sample != took.Sample {
			t.Errorf("%+v is rounded to %+v, %v", took, again, err)
		}
	}
}
