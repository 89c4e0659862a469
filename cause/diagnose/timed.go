package diagnose

import (
	"fmt"
	"strings"
	"time"

	"utfbench/fault"
	"utfbench/transport"
)

// Timed is the hypothesis that something is too slow for a run at speed: a late output, an input that needs its level
// earlier or longer, or the chip itself. Step by step it has no effect.
type Timed struct {
	Faulty // one fault, whose time is unused
	// The time exceeds Over and does not exceed UpTo, or is unbounded if that is 0. For the chip itself it is the
	// shortest working period of clk. Times between two adjacent settings are indistinguishable, so only one of them
	// is simulated.
	Over, UpTo time.Duration
	// the time varies across some of the settings between Over and UpTo
	Varies bool

	early       bool          // a sample was so late that the line shows the next result
	least, most time.Duration // simulated
	low         time.Duration // the first of the settings in between
}

// String returns the hypothesis as a missed requirement.
func (h Timed) String() string {
	takes := h.limits(time.Duration.String)
	switch f := h.Faults[0]; f.Kind {
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
	switch high := h.most - time.Nanosecond; {
	case !h.Varies:
	case h.low == high:
		words = append(words, "now less and now more than "+in(high))
	default:
		words = append(words, fmt.Sprintf("now less than %s and now more than %s", in(h.low), in(high)))
	}
	return strings.Join(words, ", ")
}

// Suspects implements Hypothesis.
func (h Timed) Suspects() []Suspect {
	f := h.Faults[0]
	what := describeFault(f) + ": "
	switch f.Kind {
	case fault.Delay:
		if h.early {
			what = "too early for the sample: "
		}
		what += "behind the edge by " + h.limits(time.Duration.String)
	case fault.Setup:
		what += "its set-up is " + h.limits(time.Duration.String)
	case fault.Hold:
		what += "its hold is " + h.limits(time.Duration.String)
	default:
		what += "its least period is " + h.limits(period)
	}
	return []Suspect{{linesOfFault(f), []string{what}}}
}

// period formats a period of clk with its frequency.
func period(d time.Duration) string {
	return fmt.Sprintf("%s (%s)", d, transport.Frequency(1e9/float64(d), 4))
}

// Kind implements Hypothesis.
func (Timed) Kind() Conclusion { return Timing }

// And returns no hypothesis: pairs with a timing fault are not tried.
func (Timed) And(fault.Fault) (Hypothesis, bool) { return nil, false }

// Simulate implements Hypothesis. A varying time takes its maximum.
func (h Timed) Simulate(at Setting) Simulation { return h.chip(at) }

// chip returns a chip behind wires with the longest time.
func (h Timed) chip(at Setting) *atSpeed {
	f := h.Faults[0]
	f.Time = h.most
	c := behind(fault.New(at.Wire(h.Tile), []fault.Fault{f}, 0), h.Tile, at, h.output())
	c.Take(h.taken(h.most))
	c.ahead = c.ahead || f.Kind == fault.Hold
	return c
}

// output returns the late output, or 0 if the fault is no delay.
func (h Timed) output() transport.Outputs {
	if f := h.Faults[0]; f.Kind == fault.Delay {
		return 1 << (f.A - fault.UO)
	}
	return 0
}

// taken returns the delay of the equivalent wire fault for a delay of the hypothesis.
func (h Timed) taken(d time.Duration) time.Duration {
	if h.Faults[0].Kind == fault.Slow {
		return (d + 1) / 2 // of one level of clk
	}
	return d
}

// chance implements byChance. In the first step a late line shows the previous sample.
func (h Timed) chance(e Execution) (*fault.Wires, act) {
	at := Setting{Pull: e.Pull, Speed: e.Speed}
	chip := h.chip(at)
	chip.Take(h.taken(h.least))
	must(chip.Run(e.before, make([]transport.Sample, len(e.before))))
	return chip.Wires, func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
		takes := h.least
		if acts {
			takes = h.most
		}
		w.Take(h.taken(takes))
		var shown [1]transport.Sample
		must((&atSpeed{Wires: w, at: at.Speed}).Run([]transport.Step{s}, shown[:]))
		return shown[0]
	}
}

// joins merges two hypotheses of the same fault with adjacent times.
func (h Timed) joins(other Hypothesis) (one Timed, ok bool) {
	o, is := other.(Timed)
	switch {
	case !is || o.Faults[0] != h.Faults[0] || o.Varies != h.Varies:
		return h, false
	case h.Varies:
		return h, true // the first is likelier
	case h.UpTo == o.Over && h.UpTo > 0:
		h.UpTo = o.UpTo
		return h, true
	case h.Over == o.UpTo && o.UpTo > 0:
		h.Over = o.Over
		return h, true
	}
	return h, false
}
