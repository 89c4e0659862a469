package diagnose

import (
	"fmt"
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// Timed is the hypothesis that something is too slow for the speed at which the chip was asked: a line that shows late
// what the chip drives, an input that needs its level earlier, the chip itself.
type Timed struct {
	Faulty
	At transport.Timing
}

// Times are the hypotheses of one thing that is too slow for a speed. How much too slow it is makes no difference, but
// for a line that is later than the change of the inputs before the edge.
func Times(t tile.Tile, at transport.Timing) (hs []Hypothesis) {
	add := func(f fault.Fault) { hs = append(hs, Timed{Faulty{[]fault.Fault{f}, t}, at}) }
	for line := range fault.Lines {
		if line >= fault.UO && line < fault.Clk {
			add(fault.Fault{Kind: fault.Delay, A: line, Time: at.Sample + time.Nanosecond})
			add(fault.Fault{Kind: fault.Delay, A: line, Time: at.Sample + at.Lead + time.Nanosecond})
		}
		if (line < fault.UO || line >= fault.UIO) && line != fault.Clk {
			add(fault.Fault{Kind: fault.Setup, A: line, Time: time.Hour})
		}
	}
	add(fault.Fault{Kind: fault.Slow, Time: time.Hour})
	return hs
}

// String names it by what it is late for.
func (h Timed) String() string {
	switch f := h.Faults[0]; f.Kind {
	case fault.Delay:
		return fmt.Sprintf("%s later than %s", fault.Lines[f.A], f.Time-time.Nanosecond)
	case fault.Setup:
		return fmt.Sprintf("%s set up for more than %s", fault.Lines[f.A], h.At.Lead)
	}
	return "clk slower than " + h.At.Period.String()
}

// Kind implements Hypothesis.
func (Timed) Kind() Conclusion { return Timing }

// And says that two causes are not tried if one of them is of this kind.
func (Timed) And(fault.Fault) (Hypothesis, bool) { return nil, false }

// Simulate implements Hypothesis.
func (h Timed) Simulate(pull transport.Pull) Simulation {
	w := h.wires()
	w.Pull = pull
	return atSpeed{w, h.At}
}

// atSpeed is wires that are asked in bursts.
type atSpeed struct {
	*fault.Wires
	at transport.Timing
}

// Run implements Simulation.
func (a atSpeed) Run(steps []transport.Step, samples []transport.Sample) error {
	return a.Burst(steps, samples, a.at)
}
