package diagnose

import (
	"slices"
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// edgesLate is the maximum delay of a line to try, in edges.
const edgesLate = 2

// Times returns the hypotheses of one thing that is too slow for some of these speeds.
func Times(t tile.Tile, speeds []transport.Timing) (hs []Hypothesis) {
	for _, scale := range scales(t, speeds) {
		hs = append(hs, scale.times()...)
	}
	return hs
}

// A scale is something that may be too slow, with the distinct settings in order: each decides whether its time
// suffices.
type scale struct {
	Faulty
	settings []time.Duration
	early    time.Duration // up to this setting a line is too early for some sample; negative for none
}

// times returns the hypotheses of a constant time.
func (s scale) times() (hs []Hypothesis) {
	first := 0
	if s.early >= 0 {
		first = -1
	}
	for i := first; i < len(s.settings); i++ {
		hs = append(hs, s.timed(i))
	}
	return hs
}

// scales returns the scales of each line and of the chip, or none without a run at speed.
func scales(t tile.Tile, speeds []transport.Timing) (all []scale) {
	if len(speeds) == 0 {
		return nil
	}
	var samples, leads, rests, holds, periods []time.Duration
	early := time.Duration(-1)
	for _, at := range speeds {
		leads, periods = append(leads, at.Lead), append(periods, at.Period)
		holds = append(holds, at.Hold())
		rests = append(rests, at.Lead, at.Lead+time.Duration(at.Rest())*at.Period)
		for n := range time.Duration(edgesLate) {
			samples = append(samples, at.Sample+n*at.Period, at.Sample+n*at.Period+at.Lead)
		}
		if tooFar(&at) {
			early = max(early, at.Sample-at.Hold())
			samples = append(samples, at.Sample-at.Hold())
		}
		if at.Sample >= at.Period {
			samples = append(samples, at.Sample-at.Period)
		}
	}
	add := func(kind fault.Kind, line int, settings []time.Duration, early time.Duration) {
		all = append(all, scale{Faulty{[]fault.Fault{{Kind: kind, A: line}}, t}, settings, early})
	}
	samples, leads, rests, holds, periods = once(samples), once(leads), once(rests), once(holds), once(periods)
	for line := range fault.Lines {
		if line >= fault.UO && line < fault.Clk {
			add(fault.Delay, line, samples, early)
		}
		switch {
		case line >= fault.UIO && line < fault.Clk:
			add(fault.Setup, line, leads, -1)
		case line < fault.UO || line == fault.Rst:
			add(fault.Setup, line, rests, -1)
			add(fault.Hold, line, holds, -1)
		}
	}
	add(fault.Slow, 0, periods, -1)
	return all
}

func once(settings []time.Duration) []time.Duration {
	slices.Sort(settings)
	return slices.Compact(settings)
}

// timed returns the hypothesis of a time above setting number over (-1: none) and up to the next.
func (s scale) timed(over int) Timed {
	return s.varying(over, over)
}

// varying returns the hypothesis of a time always above setting number over (-1: none), sometimes above the settings up
// to last, and never above the one after that.
func (s scale) varying(over, last int) Timed {
	h := Timed{Faulty: s.Faulty}
	if over >= 0 {
		h.Over, h.least = s.settings[over], s.settings[over]+time.Nanosecond
	}
	if last >= 0 {
		h.most = s.settings[last] + time.Nanosecond
	}
	if last+1 < len(s.settings) {
		h.UpTo = s.settings[last+1]
		h.early = h.UpTo <= s.early
	}
	if h.Varies = over != last; h.Varies {
		h.low = s.settings[over+1]
	}
	return h
}

// widest is the maximum number of adjacent settings between the times of a varying hypothesis.
const widest = 3

// varyingTimes returns the hypotheses of one time that varies around a setting. A line that was never wrong was not
// late, and effects on the next step cannot be followed step by step.
func varyingTimes(t tile.Tile, speeds []transport.Timing, wrong transport.Outputs) (hs []byChance) {
	for _, s := range scales(t, speeds) {
		if h := s.timed(0); h.output() != 0 && h.output()&wrong == 0 || h.Faults[0].Kind == fault.Hold {
			continue
		}
		for width := 1; width <= widest; width++ {
			for last := width - 1; last < len(s.settings); last++ {
				hs = append(hs, s.varying(last-width, last))
			}
		}
	}
	return hs
}
