package diagnose

import (
	"math/bits"
	"slices"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// silent reports whether all lines of uo share one level throughout, as if the chip had no power.
func (e *exam) silent() bool {
	for _, p := range e.Executions {
		first := p.Got[0]
		for _, got := range p.Got {
			if got.Out != first.Out || got.OutX != first.OutX || got.Out != 0 && got.Out|got.OutX != 0xFF {
				return false
			}
		}
	}
	return true
}

// enoughResets is the number of resets that have to set an output to prove that rst_n reaches the chip. An output may
// also have the right level by chance.
const enoughResets = 8

// unreset reports whether resets with the same inputs and the same expected uo leave several outputs different (one may
// be noise), and no output is always reset.
func (e *exam) unreset() bool {
	var differ, wrong uint8
	var reset [8]int // number of resets that set each output
	for k, p := range e.Executions {
		first := map[[2]uint8]uint8{}
		for i, s := range p.Steps {
			want := e.GoodSamples[k][i]
			if !s.Reset || want.OutX != 0 {
				continue
			}
			key := [2]uint8{s.In, want.Out}
			if old, ok := first[key]; ok {
				differ |= (old ^ p.Got[i].Out) & e.resets(s)
			}
			first[key] = p.Got[i].Out
			wrong |= p.Got[i].Out ^ want.Out
			if k > 0 { // with another pull, the chip may have the same levels without a reset
				continue
			}
			lines := e.setBy(p.Steps[:i+1], want.Out)
			for line := range reset {
				reset[line] += int(lines >> line & 1)
			}
		}
	}
	for line, n := range reset {
		if n >= enoughResets && wrong>>line&1 == 0 {
			return false
		}
	}
	return bits.OnesCount8(differ) > 1
}

// resets returns the lines of uo that a reset step sets from any state, but that depend on the state without the reset.
func (e *exam) resets(s transport.Step) uint8 {
	set := e.last([]transport.Step{s})
	s.Reset = false
	return e.last([]transport.Step{s}).OutX &^ set.OutX
}

// setBy returns the lines of uo that would differ from out if the last step were not a reset.
func (e *exam) setBy(steps []transport.Step, out uint8) uint8 {
	steps = slices.Clone(steps)
	steps[len(steps)-1].Reset = false
	want := e.last(steps)
	return (want.Out ^ out) &^ want.OutX
}

func (e *exam) last(steps []transport.Step) transport.Sample {
	want := make([]transport.Sample, len(steps))
	search.PanicOn(tile.Expect(e.Tile, steps, want))
	return want[len(want)-1]
}

// signs looks for a clock or reset without effect if no simulated fault explains the samples, or returns nil. Rarer
// suspects are shorts and swaps of clk or rst_n that no sample contradicts.
func (e *exam) signs() (r *WiringReport) {
	switch {
	case e.ClockHasNoEffect(e.Evidence):
		r = e.suspect("the samples depend only on ui: no clock reaches the chip, or it is another design",
			search.DeadClockFaults...)
	case e.unreset():
		r = e.suspect("a reset leaves the chip as it was", "rst_n=open", "rst_n=stuck1", "clk~rst_n=and",
			"clk~rst_n=or")
	default:
		return nil
	}
	joined := slices.DeleteFunc(search.WireHypotheses(e.Tile), func(h search.Hypothesis) bool {
		return h.Faults[0].B < fault.Clk || h.Faults[0].A >= fault.Clk
	})
	r.RarerSuspects = e.FilterConsistent(e.Evidence, joined, 0)
	return r
}
