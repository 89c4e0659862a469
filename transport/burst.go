package transport

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Burster is a transport that can also run steps at the chip's own speed: during a burst clk runs with a fixed
// period, and each sample is taken at a chosen time.
//
// # Timing of a period
//
//	      ┌─────high─────┐                                    ┌──
//	clk ──┘              └────────────────────────────────────┘
//	      ├── Sample ──►│     │◄───────────── Lead ───────────►│
//	                     │    └ rst_n, ui and uio change
//	                     └ uio is released
//
// The bench releases uio when clk falls, changes rst_n, ui and uio at least GapTicks later, and raises clk Lead after
// that. A step has one period per clock; a step without clocks has one period without a rising edge. In a step in which
// the bench starts to drive uio lines, clk rests for additional periods: see Timing.RestPeriods. A step's sample is
// taken Sample after its last rising edge, or after the time of the missing edge. A sample may be taken after the next
// edge: pads and cable can delay the outputs of a chip that itself is fast enough.
type Burster interface {
	// Grid returns the available times; its error is the reason why there are none.
	Grid(ctx context.Context) (Grid, error)

	// Burst plays the steps and fills samples[i] from steps[i]. The timing must come from Grid.Round. A burst either
	// completes or returns an error: an uneven burst is the bench's fault and is no evidence about the chip.
	Burst(ctx context.Context, steps []Step, samples []Sample, at Timing) error
}

// Timing holds the times of a burst.
type Timing struct {
	// from one rising edge of clk to the next
	Period time.Duration `json:"period_ns"`
	// the requested frequency of clk, more exact than Period's nanoseconds; 0 for none
	Hertz float64 `json:"-"`
	// from a step's last rising edge to its sample, or SampleAtFall
	Sample time.Duration `json:"sample_ns"`
	// from a change of the inputs to the rising edge; 0 means half a period
	Lead time.Duration `json:"lead_ns"`
	// the far end's clock for the burst, in hertz; 0 means the grid's own
	Clock int `json:"clock_hz,omitempty"`
}

// MinTurnaround is the time that a chip may take to release uio: Tiny Tapeout specifies 20 ns from a tile's enable to
// the pad, and another 20 ns on the way in.
const MinTurnaround = 40 * time.Nanosecond

// RestPeriods returns the number of periods that clk rests after rst_n and ui change and before the bench drives uio.
func (t Timing) RestPeriods() int { return int((MinTurnaround + t.Period - 1) / t.Period) }

// HoldTime returns the time from a rising edge to the next change of the inputs. A later sample may show its effect.
func (t Timing) HoldTime() time.Duration { return t.Period - t.Lead }

// SampleAtFall requests a sample when clk falls, the latest moment before any change.
const SampleAtFall time.Duration = -1

// String describes the timing, as in "period 50ns, sample after 24ns, inputs 25ns before the edge".
func (t Timing) String() string {
	text := fmt.Sprintf("period %s, sample after %s, inputs %s before the edge", t.Period, t.Sample, t.Lead)
	if t.Clock != 0 {
		text += ", by a system clock of " + FormatFrequency(float64(t.Clock), -1)
	}
	return text
}

// Frequency returns clk's frequency in hertz, to the precision of a period in nanoseconds. [Grid.Frequency] is exact.
func (t Timing) Frequency() float64 { return float64(time.Second) / float64(t.Period) }

// MaxPadFrequency is the maximum frequency of Tiny Tapeout's output pads, in hertz (its specification of GPIO).
const MaxPadFrequency = 33e6

// ExceedsPads reports whether clk is faster than a chip's output pads are rated. A right tile may then look wrong.
func (t Timing) ExceedsPads() bool { return t.Period > 0 && t.Frequency() > MaxPadFrequency }

// A Grid describes the bursts that a Burster can play. All times are whole ticks, rounded to nanoseconds.
type Grid struct {
	Clock                int // of the far end, in hertz; a tick is one period of it
	HighTicks, GapTicks  int // clk's minimum high time; time from its fall to the change of the inputs
	MinPeriod, MaxPeriod time.Duration
	MaxSample            time.Duration
	Steps                int // maximum per burst
	Periods              int // maximum per burst, enough for any single step
	// MinStillPeriod is the minimum period for bursts in which neither rst_n nor the bench's directions of uio change,
	// or 0 if MinPeriod applies. Below MinPeriod, GapTicks is 0.
	MinStillPeriod time.Duration
	// Clocks are alternative clocks of the far end in hertz, preferred ones first. Their ticks may fit a time better.
	Clocks []int
}

// WithClock returns the grid with a different clock and the same numbers of ticks.
func (g Grid) WithClock(clock int) Grid {
	if clock == 0 || clock == g.Clock {
		return g
	}
	on := g
	on.Clock = clock
	for _, d := range []*time.Duration{&on.MinPeriod, &on.MaxPeriod, &on.MaxSample, &on.MinStillPeriod} {
		*d = on.Time(g.Ticks(*d))
	}
	return on
}

// Frequency returns the exact frequency of clk in hertz for a timing of the grid.
func (g Grid) Frequency(t Timing) float64 {
	on := g.WithClock(t.Clock)
	return float64(on.Clock) / float64(on.Ticks(t.Period))
}

// OnFastestClock returns the grid on its fastest clock.
func (g Grid) OnFastestClock() Grid {
	if len(g.Clocks) == 0 {
		return g
	}
	return g.WithClock(max(g.Clock, slices.Max(g.Clocks)))
}

// ForbidsTurnaround reports whether a timing forbids changes of rst_n and directions within a burst.
func (g Grid) ForbidsTurnaround(t Timing) bool { return t.Period < g.WithClock(t.Clock).MinPeriod }

// CanJoin reports whether a burst that begins with the step first may contain the step s.
func (g Grid) CanJoin(s, first Step, at Timing) bool {
	return !g.ForbidsTurnaround(at) || s.Drive == first.Drive && s.Reset == first.Reset
}

// ShortestPeriod returns the shortest period of any burst.
func (g Grid) ShortestPeriod() time.Duration {
	if g.MinStillPeriod > 0 {
		return min(g.MinStillPeriod, g.MinPeriod)
	}
	return g.MinPeriod
}

func (g Grid) gap(period int) int {
	if period < g.Ticks(g.MinPeriod) {
		return 0
	}
	return g.GapTicks
}

// Tick returns the resolution of the grid, in nanoseconds.
func (g Grid) Tick() float64 { return 1e9 / float64(g.Clock) }

// Ticks returns the number of ticks nearest to a time.
func (g Grid) Ticks(d time.Duration) int { return int(math.Round(float64(d) * float64(g.Clock) / 1e9)) }

// Time converts ticks to a time.
func (g Grid) Time(ticks int) time.Duration {
	return time.Duration(math.Round(float64(ticks) * 1e9 / float64(g.Clock)))
}

// FrequencyTolerance is the tolerated deviation of clk from a requested frequency, as a fraction of it.
const FrequencyTolerance = 0.01

// exact is the relative deviation below which no other clock is tried.
const exact = 0.001

// nearest returns t with the clock and period nearest to its frequency. It reports false if t's frequency exceeds the
// grid's range by more than FrequencyTolerance, or is below the range.
func (g Grid) nearest(t Timing) (_ Timing, found bool) {
	hertz, off := t.Hertz, math.Inf(1)
	t.Hertz = 0
	for _, clock := range append([]int{0}, g.Clocks...) {
		on := g.WithClock(clock)
		least, most := on.Ticks(on.ShortestPeriod()), on.Ticks(on.MaxPeriod)
		ticks := max(least, int(math.Round(float64(on.Clock)/hertz)))
		by := math.Abs(float64(on.Clock)/float64(ticks)/hertz - 1)
		if by >= off || ticks > most || ticks == least && by > FrequencyTolerance {
			continue
		}
		if t.Period, t.Clock, off = on.Time(ticks), clock, by; by < exact {
			break
		}
	}
	return t, off < math.Inf(1)
}

// Round returns the available timing nearest to the requested one, with defaults filled in. Unless t specifies a clock,
// it selects the one that fits best. The error lists the allowed values.
func (g Grid) Round(t Timing) (Timing, error) {
	if t.Hertz > 0 {
		near, found := g.nearest(t)
		if !found {
			return t, g.OnFastestClock().refuse(t)
		}
		t = near
	}
	best, err := g.WithClock(t.Clock).round(t)
	if t.Clock != 0 {
		best.Clock = t.Clock
		return best, err
	}
	for _, clock := range g.Clocks {
		if err == nil && best.from(t) == 0 {
			break
		}
		took, wrong := g.WithClock(clock).round(t)
		took.Clock = clock
		if wrong == nil && (err != nil || took.from(t) < best.from(t)) {
			best, err = took, nil
		}
	}
	if err != nil && t.Period < g.ShortestPeriod() {
		_, err = g.OnFastestClock().round(t)
	}
	return best, err
}

// from returns the total deviation of a timing from the requested one.
func (t Timing) from(asked Timing) time.Duration {
	by := (t.Period - asked.Period).Abs()
	if asked.Sample != SampleAtFall {
		by += (t.Sample - asked.Sample).Abs()
	}
	if asked.Lead != 0 {
		by += (t.Lead - asked.Lead).Abs()
	}
	return by
}

// round is like Round, but considers only the grid's own clock.
func (g Grid) round(t Timing) (Timing, error) {
	period, sample := g.Ticks(t.Period), g.Ticks(t.Sample)
	if t.Period < 0 || period < g.Ticks(g.ShortestPeriod()) || period > g.Ticks(g.MaxPeriod) {
		return t, g.refuse(t)
	}
	if t.Sample < 0 && t.Sample != SampleAtFall || sample > g.Ticks(g.MaxSample) {
		return t, usagef("a sample %s after the edge: allowed is 0 to %s, in steps of %.4g ns", t.Sample,
			g.MaxSample, g.Tick())
	}
	gap := g.gap(period)
	lead, most := g.Ticks(t.Lead), period-min(g.HighTicks, period-1)-gap
	if t.Lead == 0 {
		lead = min(max(period/2, 1), most)
	}
	if lead < 1 || lead > most {
		return t, usagef("inputs %s before the edge: allowed is %s to %s at a period of %s", t.Lead, g.Time(1),
			g.Time(most), g.Time(period))
	}
	if t.Sample == SampleAtFall {
		sample = min(period-lead-gap, g.Ticks(g.MaxSample))
	}
	return Timing{Period: g.Time(period), Sample: g.Time(sample), Lead: g.Time(lead)}, nil
}

// refuse returns the error for a period or a frequency that no clock of the grid allows.
func (g Grid) refuse(t Timing) error {
	asked := fmt.Sprintf("a period of %s (%s)", t.Period, FormatFrequency(t.Frequency(), 4))
	if t.Hertz > 0 {
		asked = "a clock of " + FormatFrequency(t.Hertz, -1)
	}
	fast, slow := g.OnFastestClock(), g.WithClock(slices.Min(append([]int{g.Clock}, g.Clocks...)))
	least, most := fast.ShortestPeriod(), slow.MaxPeriod
	nearest, hertz := least, fast.Frequency(Timing{Period: least})
	if t.Period > most {
		nearest, hertz = most, slow.Frequency(Timing{Period: most})
	}
	return usagef("%s: allowed is %s to %s, in steps of %.4g ns; the nearest is %s (%s)", asked, least, most, g.Tick(),
		nearest, FormatFrequency(hertz, 4))
}

// StartsDriving reports whether the bench starts to drive lines of uio in a step, given the lines that it drove before.
func (s Step) StartsDriving(drive uint8) bool { return s.Drive&^drive != 0 }

// Periods returns the number of clk periods that a step takes, given the lines of uio that the bench drove before.
func (t Timing) Periods(s Step, drive uint8) int {
	n := max(1, int(s.Clocks))
	if s.StartsDriving(drive) {
		n += t.RestPeriods()
	}
	return n
}

var units = []struct {
	name string
	hz   float64
}{{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}}

// ParseFrequency parses a positive frequency with its unit, such as 25MHz, and returns it in hertz.
func ParseFrequency(text string) (hz float64, ok bool) {
	for _, u := range units {
		if number, is := strings.CutSuffix(text, u.name); is {
			hz, err := strconv.ParseFloat(number, 64)
			hz *= u.hz
			return hz, err == nil && hz > 0 && !math.IsInf(hz, 0)
		}
	}
	return 0, false
}

// FormatFrequency formats a frequency for ParseFrequency with the given number of digits, or -1 for as many as needed.
func FormatFrequency(hz float64, digits int) string {
	for _, u := range units {
		if hz >= u.hz || u.hz == 1 {
			return strconv.FormatFloat(hz/u.hz, 'g', digits, 64) + u.name
		}
	}
	panic("the last unit takes every frequency")
}
