package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// Timed is the hypothesis that something is too slow for a speed at which the chip was asked: a line that shows late
// what the chip drives, an input that needs its level earlier, the chip itself. Step by step it makes no difference.
type Timed struct {
	Faulty // the one fault, whose time is not used
	// It takes longer than Over, and no longer than UpTo, or nobody knows how much longer if that is 0. Of the chip
	// itself it is the period of clk at which it keeps up. Between two settings that were tried next to each other
	// nothing tells times apart, so one of them is simulated.
	Over, UpTo time.Duration
	// at times it takes longer than some of the settings between Over and UpTo, and at times it does not
	Varies bool

	least, most time.Duration // that are simulated
	low         time.Duration // the first of the settings between
}

// edgesLate is how many edges a line is late at most, for what is tried.
const edgesLate = 2

// Times are the hypotheses of one thing that is too slow for some of these speeds.
func Times(t tile.Tile, speeds []transport.Timing) (hs []Hypothesis) {
	for _, scale := range scales(t, speeds) {
		for i := range scale.settings {
			hs = append(hs, scale.timed(i))
		}
	}
	return hs
}

// A scale is something that may be too slow, with the settings that were tried, each once and in order: whether it
// takes longer than one of them or not makes a difference.
type scale struct {
	Faulty
	settings []time.Duration
}

// scales are those of each line and of the chip; none if it was never asked at speed.
func scales(t tile.Tile, speeds []transport.Timing) (all []scale) {
	if len(speeds) == 0 {
		return nil
	}
	var samples, leads, periods []time.Duration
	for _, at := range speeds {
		leads, periods = append(leads, at.Lead), append(periods, at.Period)
		for n := range time.Duration(edgesLate) {
			samples = append(samples, at.Sample+n*at.Period, at.Sample+n*at.Period+at.Lead)
		}
	}
	add := func(kind fault.Kind, line int, settings []time.Duration) {
		all = append(all, scale{Faulty{[]fault.Fault{{Kind: kind, A: line}}, t}, settings})
	}
	samples, leads, periods = once(samples), once(leads), once(periods)
	for line := range fault.Lines {
		if line >= fault.UO && line < fault.Clk {
			add(fault.Delay, line, samples)
		}
		if (line < fault.UO || line >= fault.UIO) && line != fault.Clk {
			add(fault.Setup, line, leads)
		}
	}
	add(fault.Slow, 0, periods)
	return all
}

func once(settings []time.Duration) []time.Duration {
	slices.Sort(settings)
	return slices.Compact(settings)
}

// timed is that it takes longer than the setting of a number, and no longer than the next one.
func (s scale) timed(over int) Timed {
	return s.varying(over, over)
}

// varying is that it takes longer than the setting of a number (-1 is none), at times longer than the ones after it up
// to that of another number, and never longer than the one after that.
func (s scale) varying(over, last int) Timed {
	h := Timed{Faulty: s.Faulty, most: s.settings[last] + time.Nanosecond}
	if over >= 0 {
		h.Over, h.least = s.settings[over], s.settings[over]+time.Nanosecond
	}
	if last+1 < len(s.settings) {
		h.UpTo = s.settings[last+1]
	}
	if h.Varies = over != last; h.Varies {
		h.low = s.settings[over+1]
	}
	return h
}

// String names it by what it is late for.
func (h Timed) String() string {
	switch f := h.Faults[0]; f.Kind {
	case fault.Delay:
		return fault.Lines[f.A] + " late by " + h.limits(time.Duration.String)
	case fault.Setup:
		return fault.Lines[f.A] + " set up for " + h.limits(time.Duration.String)
	}
	return "clk slower than " + h.limits(time.Duration.String)
}

// limits is how long it takes, in words.
func (h Timed) limits(in func(time.Duration) string) string {
	var words []string
	switch {
	case h.Over > 0 && h.UpTo > 0:
		words = append(words, in(h.Over)+" to "+in(h.UpTo))
	case h.UpTo > 0:
		words = append(words, "up to "+in(h.UpTo))
	case h.Over > 0 || !h.Varies:
		words = append(words, "more than "+in(h.Over))
	}
	if h.Varies {
		words = append(words, "now less than "+in(h.low), "now more than "+in(h.most-time.Nanosecond))
	}
	return strings.Join(words, ", ")
}

// Suspects implements Hypothesis.
func (h Timed) Suspects() []Suspect {
	f := h.Faults[0]
	what := describeFault(f) + ": "
	switch f.Kind {
	case fault.Delay:
		what += "it comes " + h.limits(time.Duration.String) + " after the edge"
	case fault.Setup:
		what += "it needs " + h.limits(time.Duration.String) + " of set-up"
	default:
		what += "it needs a period of " + h.limits(period)
	}
	return []Suspect{{linesOfFault(f), []string{what}}}
}

// period is a period of clk with its frequency.
func period(d time.Duration) string {
	return fmt.Sprintf("%s (%s)", d, transport.Frequency(1e9/float64(d), 4))
}

// Kind implements Hypothesis.
func (Timed) Kind() Conclusion { return Timing }

// And says that two causes are not tried if one of them is of this kind.
func (Timed) And(fault.Fault) (Hypothesis, bool) { return nil, false }

// Simulate implements Hypothesis. If the time varies it is the longest.
func (h Timed) Simulate(at Setting) Simulation { return h.chip(at) }

// chip is behind wires on which it takes the longest time.
func (h Timed) chip(at Setting) *atSpeed {
	f := h.Faults[0]
	f.Time = h.most
	w := fault.New(tile.Wire(h.Tile), []fault.Fault{f}, 0)
	w.Pull, w.Unbroken = at.Pull, true
	w.Settled, w.Pulse = time.Hour, time.Hour // step by step
	c := &atSpeed{w, at.Speed, h}
	c.take(h.most)
	return c
}

// atSpeed is wires that are asked in bursts, if there is a speed.
type atSpeed struct {
	*fault.Wires
	at *transport.Timing
	h  Timed
}

// take sets how long it takes.
func (a *atSpeed) take(d time.Duration) {
	if a.h.Faults[0].Kind == fault.Slow {
		d = (d + 1) / 2 // of half a pulse
	}
	a.Take(d)
}

// Run implements Simulation.
func (a *atSpeed) Run(steps []transport.Step, samples []transport.Sample) error {
	if a.at == nil {
		return a.Wires.Run(steps, samples)
	}
	return a.Burst(steps, samples, *a.at)
}

// chance implements byChance.
func (h Timed) chance(at Setting) (*fault.Wires, act) {
	return h.chip(at).Wires, func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
		takes := h.least
		if acts {
			takes = h.most
		}
		c := atSpeed{w, at.Speed, h}
		c.take(takes)
		var shown [1]transport.Sample
		_ = c.Run([]transport.Step{s}, shown[:]) // the tile keeps the error
		return shown[0]
	}
}

// widest is how many settings next to each other there may be between the times of a hypothesis that varies.
const widest = 3

// varyingTimes are the hypotheses of one thing that takes now longer than a setting and now not. A line that never was
// wrong was not late.
func varyingTimes(t tile.Tile, speeds []transport.Timing, wrong transport.Outputs) (hs []byChance) {
	for _, s := range scales(t, speeds) {
		if f := s.Faults[0]; f.Kind == fault.Delay && wrong>>(f.A-fault.UO)&1 == 0 {
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

// joins makes one hypothesis of two of the same thing whose times lie next to each other.
func (h Timed) joins(other Hypothesis) (one Timed, ok bool) {
	o, is := other.(Timed)
	switch {
	case !is || o.Faults[0] != h.Faults[0] || o.Varies != h.Varies:
		return h, false
	case h.Varies:
		return h, true // the first is the likelier one
	case h.UpTo == o.Over:
		h.UpTo = o.UpTo
		return h, true
	case h.Over == o.UpTo:
		h.Over = o.Over
		return h, true
	}
	return h, false
}
