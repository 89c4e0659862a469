package search

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// A Range limits the time of something that is too slow for a run at speed: a late output, an input that needs its
// level earlier or longer, or the chip itself, of which it is the shortest working period of clk. Step by step it has
// no effect. Times between two adjacent settings are indistinguishable, so only one of them is simulated.
type Range struct {
	Above, UpTo time.Duration // the time exceeds Over and does not exceed UpTo, or is unbounded if that is 0
	Varies      bool          // across some of the settings in between

	Least, Most time.Duration // simulated; Least only where the time varies

	early bool          // a sample was so late that the line shows the next result
	low   time.Duration // the first of the settings in between
}

// requirement returns the delay that the fault's line needs.
func (r Range) requirement(f fault.Fault) string {
	takes := r.limits(time.Duration.String)
	switch f.Kind {
	case fault.Delay:
		return fault.Lines[f.A] + " late by " + takes
	case fault.Setup:
		return fault.Lines[f.A] + " needs " + takes
	case fault.Hold:
		return fault.Lines[f.A] + " to stay for " + takes
	}
	return "clk needs " + takes
}

// limits describes the range of the time.
func (r Range) limits(in func(time.Duration) string) string {
	var words []string
	switch {
	case r.Above > 0 && r.UpTo > 0:
		words = append(words, in(r.Above)+" to "+in(r.UpTo))
	case r.UpTo > 0:
		words = append(words, "up to "+in(r.UpTo))
	case r.Above > 0 || !r.Varies:
		words = append(words, "more than "+in(r.Above))
	}
	switch high := r.Most - time.Nanosecond; {
	case !r.Varies:
	case r.low == high:
		words = append(words, "now less and now more than "+in(high))
	default:
		words = append(words, fmt.Sprintf("now less than %s and now more than %s", in(r.low), in(high)))
	}
	return strings.Join(words, ", ")
}

// describe returns the fault with the range of its time.
func (r Range) describe(f fault.Fault) string {
	what := describe(f) + ": "
	switch f.Kind {
	case fault.Delay:
		if r.early {
			what = "too early for the sample: "
		}
		return what + "behind the edge by " + r.limits(time.Duration.String)
	case fault.Setup:
		return what + "its set-up is " + r.limits(time.Duration.String)
	case fault.Hold:
		return what + "its hold is " + r.limits(time.Duration.String)
	}
	return what + "its least period is " + r.limits(func(d time.Duration) string {
		return fmt.Sprintf("%s (%s)", d, transport.Frequency(1e9/float64(d), 4))
	})
}

// late returns the late outputs.
func (h Hypothesis) late() (lines transport.Outputs) {
	for _, f := range h.Faults {
		if f.Kind == fault.Delay {
			lines |= 1 << (f.A - fault.UO)
		}
	}
	return lines
}

// MergeTimes merges two hypotheses of the same fault with adjacent times.
func (h Hypothesis) MergeTimes(o Hypothesis) (one Hypothesis, ok bool) {
	if len(h.Times) != 1 || len(o.Times) != 1 || o.Faults[0] != h.Faults[0] || o.Times[0].Varies != h.Times[0].Varies {
		return h, false
	}
	own, other := h.Times[0], o.Times[0]
	switch {
	case own.Varies:
		return h, true // the first is likelier
	case own.UpTo == other.Above && own.UpTo > 0:
		own.UpTo = other.UpTo
	case own.Above == other.UpTo && other.UpTo > 0:
		own.Above = other.Above
	default:
		return h, false
	}
	h.Times = []Range{own}
	return h, true
}

// timed returns a chip behind wires with the longest times.
func (h Hypothesis) timed(at Conditions) *BurstSimulation {
	faults, ahead := slices.Clone(h.Faults), tooFar(at.Speed)
	for i := range faults {
		faults[i].Time = h.Times[i].Most
		ahead = ahead || faults[i].Kind == fault.Hold
	}
	w := h.wires(faults, at)
	w.ContinuousClock = true
	w.Settled, w.Pulse = time.Hour, time.Hour // step by step
	a := &BurstSimulation{Wires: w, Timing: at.Speed, ahead: ahead, late: h.late()}
	if tooFar(at.Speed) {
		a.right = h.Tile.New()
	}
	if len(h.Times) == 1 {
		h.SetExactTime(w, h.Times[0].Most)
	}
	return a
}

// SetExactTime sets the hypothesis's only time to d, a value in its range.
func (h Hypothesis) SetExactTime(w *fault.Wires, d time.Duration) {
	if h.Faults[0].Kind == fault.Slow {
		d = (d + 1) / 2 // of one level of clk
	}
	w.SetExactTime(d)
}

// BurstSimulation simulates wires sampled in bursts, or step by step without a speed.
type BurstSimulation struct {
	*fault.Wires
	Timing *transport.Timing
	ahead  bool // later steps affect a step's sample

	// If samples come too late even for a good chip, a line without a hypothesis is assumed late enough for them.
	right tile.Reference    // for those lines; nil if not needed
	late  transport.Outputs // the lines with a hypothesis
}

// Run implements Simulation.
func (a *BurstSimulation) Run(steps []transport.Step, samples []transport.Sample) error {
	if a.Timing == nil {
		return a.Wires.Run(steps, samples)
	}
	if err := a.Burst(steps, samples, *a.Timing); err != nil || a.right == nil {
		return err
	}
	right := make([]transport.Sample, len(steps))
	if err := a.right.Run(steps, right); err != nil {
		return err
	}
	for i, r := range right {
		samples[i] = samples[i].ReplaceLines(r, ^a.late)
	}
	return nil
}

// Close releases the reference and the wires.
func (a *BurstSimulation) Close() error {
	tile.CloseReference(a.right)
	return a.Wires.Close()
}

// tooFar reports whether samples come after the next step's inputs.
func tooFar(speed *transport.Timing) bool { return speed != nil && speed.Sample >= speed.HoldTime() }

// edgesLate is the maximum delay of a line to try, in edges.
const edgesLate = 2

// A DelayHypothesis is a line or a chip that may be too slow, with the settings to test its delay against, increasing.
type DelayHypothesis struct {
	Hypothesis // without its range
	settings   []time.Duration
	early      time.Duration // up to this setting a line is too early for some sample; negative for none
}

// DelayHypotheses returns the hypotheses of each line and of the chip, or none without a run at speed.
func DelayHypotheses(t tile.Tile, speeds []transport.Timing) (all []DelayHypothesis) {
	if len(speeds) == 0 {
		return nil
	}
	var samples, leads, rests, holds, periods []time.Duration
	early := time.Duration(-1)
	for _, at := range speeds {
		leads, periods = append(leads, at.Lead), append(periods, at.Period)
		holds = append(holds, at.HoldTime())
		rests = append(rests, at.Lead, at.Lead+time.Duration(at.RestPeriods())*at.Period)
		for n := range time.Duration(edgesLate) {
			samples = append(samples, at.Sample+n*at.Period, at.Sample+n*at.Period+at.Lead)
		}
		if tooFar(&at) {
			early = max(early, at.Sample-at.HoldTime())
			samples = append(samples, at.Sample-at.HoldTime())
		}
		if at.Sample >= at.Period {
			samples = append(samples, at.Sample-at.Period)
		}
	}
	add := func(kind fault.Kind, line int, settings []time.Duration, early time.Duration) {
		of := Hypothesis{Tile: t, Faults: []fault.Fault{{Kind: kind, A: line}}}
		all = append(all, DelayHypothesis{of, settings, early})
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

// SlowChip returns the hypothesis of a chip that misses the edges of usual pulses of clk, and none of long ones.
func SlowChip(t tile.Tile, p transport.Pulses) Hypothesis {
	return Hypothesis{Tile: t, Faults: []fault.Fault{{Kind: fault.Slow}},
		Times: []Range{{Above: 2 * p.Usual, UpTo: 2 * p.Long, Most: 2 * p.Long}}}
}

func once(settings []time.Duration) []time.Duration {
	slices.Sort(settings)
	return slices.Compact(settings)
}

// ConstantTimes returns the hypotheses of a constant time.
func (s DelayHypothesis) ConstantTimes() (hs []Hypothesis) {
	first := 0
	if s.early >= 0 {
		first = -1
	}
	for i := first; i < len(s.settings); i++ {
		hs = append(hs, s.between(i, i))
	}
	return hs
}

// DelaysAnyOf reports whether the scale is the delay of one of some lines.
func (s DelayHypothesis) DelaysAnyOf(lines transport.Outputs) bool { return s.late()&lines != 0 }

// widest is the maximum range of a varying time, in settings.
const widest = 3

// VaryingTimes returns the hypotheses of a time that varies around a setting. A line that was never wrong was not late,
// and effects on the next step cannot be followed step by step.
func (s DelayHypothesis) VaryingTimes(wrong transport.Outputs) (hs []Hypothesis) {
	if s.late() != 0 && !s.DelaysAnyOf(wrong) || s.Faults[0].Kind == fault.Hold {
		return nil
	}
	for width := 1; width <= widest; width++ {
		for last := width - 1; last < len(s.settings); last++ {
			hs = append(hs, s.between(last-width, last))
		}
	}
	return hs
}

// between returns the hypothesis of a time always above setting number over (-1: none), sometimes above the settings up
// to last, and never above the one after that.
func (s DelayHypothesis) between(over, last int) Hypothesis {
	r := Range{Varies: over != last}
	if over >= 0 {
		r.Above, r.Least = s.settings[over], s.settings[over]+time.Nanosecond
	}
	if last >= 0 {
		r.Most = s.settings[last] + time.Nanosecond
	}
	if last+1 < len(s.settings) {
		r.UpTo = s.settings[last+1]
		r.early = r.UpTo <= s.early
	}
	if r.Varies {
		r.low = s.settings[over+1]
	}
	h := s.Hypothesis
	h.Times = []Range{r}
	return h
}
