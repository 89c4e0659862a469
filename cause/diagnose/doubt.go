package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/cause/search"
	"utfbench/fault"
)

// A Doubt is a fault of output lines that may be the chip's rather than the wires'. The zero value means no doubt.
type Doubt struct {
	Outputs      []string // each once
	MayBeInput   bool     // some hypothesis involves none of the outputs
	OtherOutputs []string // outputs whose fault may be the chip's, although another wire is certainly bad
}

// NewDoubt returns the doubt that remains if each hypothesis explains the samples and some involve only single outputs.
// Shorts, swaps and faults of a uio line that the bench drives (driven) are wire faults.
func NewDoubt(hs []search.Hypothesis, driven uint8) (d Doubt) {
	wires := true // each hypothesis involves a wire
	for _, h := range hs {
		var outputs, others int
		for _, f := range h.Faults {
			if h.Time != nil {
				break
			}
			if !search.MayBeChip(f, driven) {
				others++
				continue
			}
			outputs++
			d.Outputs = append(d.Outputs, fault.Lines[f.A])
		}
		wires = wires && others > 0
		d.MayBeInput = d.MayBeInput || outputs == 0
	}
	d.Outputs = slices.Compact(slices.Sorted(slices.Values(d.Outputs)))
	switch {
	case wires && d.MayBeInput:
		return Doubt{}
	case wires:
		return Doubt{OtherOutputs: d.Outputs}
	}
	return d
}

// MayBeBrokenInput reports whether some hypothesis is a single stuck or open line that the bench drives. A broken pad
// or input of the chip looks the same.
func MayBeBrokenInput(hs []search.Hypothesis, driven uint8) bool {
	return slices.ContainsFunc(hs, func(h search.Hypothesis) bool {
		f := h.Faults
		return len(f) == 1 && (f[0].Kind == fault.Stuck || f[0].Kind == fault.Cut) && !search.MayBeChip(f[0], driven)
	})
}

// separate finds the pairs of single-line faults that explain the run as well as the causes, which are swaps or shorts
// of the same lines. A fault of one output may be the chip's.
func (run *Run) separate(f *Finding) {
	if f.Conclusion != Wire {
		return
	}
	f.SeparatePairs = run.search().SeparateFaults(run.whole(), f.TiedCauses())
	for _, h := range f.SeparatePairs {
		for _, fault := range h.Faults {
			if search.MayBeChip(fault, run.driven) {
				f.Doubt.Outputs, f.Conclusion = append(f.Doubt.Outputs, fault.Places()...), Unclear
			}
		}
	}
	f.Doubt.Outputs = slices.Compact(slices.Sorted(slices.Values(f.Doubt.Outputs)))
}

// Reason explains the doubt in a sentence that names every candidate.
func (d Doubt) Reason() string {
	if d.MayBeInput {
		return fmt.Sprintf("if only %s is at fault, its wire or the chip is to blame; if another line is "+
			"involved, the wires are", strings.Join(d.Outputs, " or "))
	}
	return fmt.Sprintf("%s at fault, and these steps do not tell whether it is the wire, the bench's pin, the chip's "+
		"pad or the design", d)
}

// String returns the outputs and a verb, as the beginning of a sentence.
func (d Doubt) String() string {
	if len(d.Outputs) == 1 {
		return "the output " + d.Outputs[0] + " is"
	}
	return "the outputs " + strings.Join(d.Outputs, ", ") + " are"
}
