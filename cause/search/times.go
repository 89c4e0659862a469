package search

import (
	"fmt"
	"slices"
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// A Range limits a time that is too long for a run at speed: an output's delay, an input's set-up or hold, or the
// shortest period of clk at which the chip works. It has no effect step by step. Two times between adjacent settings
// cannot be distinguished, so only one of them is simulated.
type Range struct {
	Above, UpTo time.Duration // the time exceeds Above and is at most UpTo; UpTo 0 is unbounded
}

func (r Range) limits(in func(time.Duration) string) string {
	switch {
	case r.UpTo == 0:
		return "more than " + in(r.Above)
	case r.Above == 0:
		return "up to " + in(r.UpTo)
	}
	return in(r.Above) + " to " + in(r.UpTo)
}

func (r Range) describe(f fault.Fault) string {
	what := describe(f) + ": "
	switch f.Kind {
	case fault.Delay:
		return what + "behind the edge by " + r.limits(time.Duration.String)
	case fault.Setup:
		return what + "its set-up is " + r.limits(time.Duration.String)
	case fault.Hold:
		return what + "its hold is " + r.limits(time.Duration.String)
	}
	return what + "its least period is " + r.limits(func(d time.Duration) string {
		return fmt.Sprintf("%s (%s)", d, transport.FormatFrequency(1e9/float64(d), 4))
	})
}

// MergeTimes returns one hypothesis for two of the same fault if their times are adjacent.
func (h Hypothesis) MergeTimes(o Hypothesis) (one Hypothesis, ok bool) {
	if h.Time == nil || o.Time == nil || o.Faults[0] != h.Faults[0] {
		return h, false
	}
	low, high := h.Time, o.Time
	if low.Above > high.Above {
		low, high = high, low
	}
	h.Time = &Range{low.Above, high.UpTo}
	return h, low.UpTo == high.Above
}

// timed returns a simulated chip whose fault has a time in the range.
func (h Hypothesis) timed(at Conditions) Simulation {
	f := h.Faults[0]
	f.Time = h.Time.Above + 1
	w := h.wires([]fault.Fault{f}, at)
	w.Exact, w.SettleTime, w.Pulse = true, time.Hour, time.Hour // step by step there is ample time
	return &burstSimulation{w, at.Speed}
}

// A burstSimulation simulates wires that are sampled in bursts, or step by step if there is no speed.
type burstSimulation struct {
	*fault.Wires
	timing *transport.Timing
}

func (s *burstSimulation) Run(steps []transport.Step, samples []transport.Sample) error {
	if s.timing == nil {
		return s.Wires.Run(steps, samples)
	}
	return s.Burst(steps, samples, *s.timing)
}

// edgesLate is the maximum delay tried for a line, in edges.
const edgesLate = 2

// DelayHypotheses returns the hypotheses that a line or the chip is too slow: one for each range of times that the
// runs' settings distinguish. Without a run at speed there are none.
func DelayHypotheses(t tile.Tile, speeds []transport.Timing) (all []Hypothesis) {
	if len(speeds) == 0 {
		return nil
	}
	var samples, leads, rests, holds, periods []time.Duration
	for _, at := range speeds {
		leads, periods = append(leads, at.Lead), append(periods, at.Period)
		holds = append(holds, at.HoldTime())
		rests = append(rests, at.Lead, at.Lead+time.Duration(at.RestPeriods())*at.Period)
		for n := range time.Duration(edgesLate) {
			samples = append(samples, at.Sample+n*at.Period, at.Sample+n*at.Period+at.Lead)
		}
	}
	add := func(kind fault.Kind, line int, settings []time.Duration) {
		slices.Sort(settings)
		settings = slices.Compact(settings)
		for i, above := range settings {
			r := Range{Above: above}
			if i+1 < len(settings) {
				r.UpTo = settings[i+1]
			}
			all = append(all, Hypothesis{Tile: t, Faults: []fault.Fault{{Kind: kind, A: line}}, Time: &r})
		}
	}
	for line := range fault.Lines {
		if line >= fault.UO && line < fault.Clk {
			add(fault.Delay, line, samples)
		}
		switch {
		case line >= fault.UIO && line < fault.Clk:
			add(fault.Setup, line, leads)
		case line < fault.UO || line == fault.Rst:
			add(fault.Setup, line, rests)
			add(fault.Hold, line, holds)
		}
	}
	add(fault.Slow, 0, periods)
	return all
}

// SlowChip returns the hypothesis of a chip that misses the edges of the usual pulses of clk, but not of long ones.
func SlowChip(t tile.Tile, p transport.Pulses) Hypothesis {
	return Hypothesis{Tile: t, Faults: []fault.Fault{{Kind: fault.Slow}},
		Time: &Range{Above: 2 * p.Usual, UpTo: 2 * p.Long}}
}
