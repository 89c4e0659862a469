package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/fault"
)

// A Doubt is a fault of output lines that may be the chip's or the wires'. The zero value is no doubt.
type Doubt struct {
	Outputs []string // each once
	Input   bool     // some hypothesis involves none of the outputs
	Beside  []string // instead, outputs that may be the chip's beside a wire that is bad in any case
}

// NewDoubt returns the doubt that remains if each hypothesis explains the samples: there is one if some hypothesis
// consists only of outputs with a level of their own. Two shorted or swapped lines are wires, and so is a uio line
// that the bench drives (driven).
func NewDoubt(hs []Hypothesis, driven uint8) (d Doubt) {
	wires := true // in each hypothesis
	for _, h := range hs {
		var outputs, others int
		for _, f := range FaultsOf(h) {
			if !mayBeChip(f, driven) {
				others++
				continue
			}
			outputs++
			d.Outputs = append(d.Outputs, fault.Lines[f.A])
		}
		wires = wires && others > 0
		d.Input = d.Input || outputs == 0
	}
	slices.Sort(d.Outputs)
	d.Outputs = slices.Compact(d.Outputs)
	switch {
	case wires && d.Input:
		return Doubt{}
	case wires:
		return Doubt{Beside: d.Outputs}
	}
	return d
}

// mayBeChip reports whether a line's fault may also be the chip's: the line is an output, and no other line is
// involved.
func mayBeChip(f fault.Fault, driven uint8) bool {
	switch f.Kind {
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr, fault.Register:
		return false
	case fault.Late: // what the bench drives is not
		return true
	}
	return f.A >= fault.UO && f.A < fault.UIO || f.A >= fault.UIO && f.A < fault.Clk && driven>>(f.A-fault.UIO)&1 == 0
}

// LikeInput reports whether one of some faults is a single stuck or open line that the bench drives: a broken pad or
// input of the chip looks the same.
func LikeInput(hs []Hypothesis, driven uint8) bool {
	return slices.ContainsFunc(hs, func(h Hypothesis) bool {
		f := FaultsOf(h)
		return len(f) == 1 && (f[0].Kind == fault.Stuck || f[0].Kind == fault.Cut) && !mayBeChip(f[0], driven)
	})
}

// byThemselves are the faults of a line that, with one of another line, may look like the two swapped or shorted.
var byThemselves = []string{"stuck0", "stuck1", "open"}

// separate finds the pairs of faults, each of one line, that explain the run as well as these lines swapped or shorted.
// Such an output may be at fault by the chip.
func (run *Run) separate(f *Finding) {
	if f.Conclusion != Wire {
		return
	}
	for _, c := range f.Causes[:f.Ties] {
		lines := c.Suspects()[0].Lines
		if len(FaultsOf(c)) != 1 || len(lines) != 2 {
			f.Apart = nil
			return // it is as simple
		}
		hs := []Hypothesis{c.Hypothesis}
		for _, a := range byThemselves {
			for _, b := range byThemselves {
				pair, _ := And(MustFault(run.Tile, lines[0]+"="+a), MustFault(run.Tile, lines[1]+"="+b).Faults[0])
				hs = append(hs, pair)
			}
		}
		for _, r := range Ties(rank(run.Tile, run.joined(), hs, 1, run.simulator())) {
			if len(FaultsOf(r)) == 2 {
				f.Apart = append(f.Apart, r.Hypothesis)
			}
		}
	}
	for _, h := range f.Apart {
		for _, fault := range FaultsOf(h) {
			if mayBeChip(fault, run.driven) {
				f.Doubt.Outputs, f.Conclusion = append(f.Doubt.Outputs, linesOfFault(fault)...), Unclear
			}
		}
	}
	slices.Sort(f.Doubt.Outputs)
	f.Doubt.Outputs = slices.Compact(f.Doubt.Outputs)
}

// Why explains the doubt in a sentence that names every candidate.
func (d Doubt) Why() string {
	if d.Input {
		return fmt.Sprintf("a wire or a pin is at fault, or the chip if only %s is wrong",
			strings.Join(d.Outputs, " or "))
	}
	return fmt.Sprintf("%s at fault, and these steps do not tell whether it is the wire, the bench's pin, the chip's "+
		"pad or the design", d)
}

// String returns the outputs with a verb, as the subject of a sentence.
func (d Doubt) String() string {
	if len(d.Outputs) == 1 {
		return "the output " + d.Outputs[0] + " is"
	}
	return "the outputs " + strings.Join(d.Outputs, ", ") + " are"
}
