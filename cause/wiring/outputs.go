package wiring

import (
	"fmt"
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/fault"
)

// doubt withdraws the blame from the wires where the chip may be at fault as well.
func (e *exam) doubt(r *Report) {
	if d := diagnose.NewDoubt(r.Suspects, e.driven()); d.Outputs != nil {
		r.Verdict, r.Outputs, r.Why = Unclear, d.Outputs, d.Why()
	}
}

// driven returns the lines of uio that the bench drives in some step.
func (e *exam) driven() (lines uint8) {
	for _, p := range e.executions {
		for _, s := range p.Steps {
			lines |= s.Drive
		}
	}
	return lines
}

// Doubtful reports whether a line is at fault, so that a check with another design of the same chip may help.
func (r *Report) Doubtful() bool { return r.Verdict == Bad || r.Outputs != nil }

// Settle locates a line's fault by a check with another design of the same chip, behind the same pads and wires. If
// the line is proven with that design, wire and pad are good and the first design is at fault. An output that fails
// there too is not the design's fault. In all other cases the report stays unchanged.
func (r *Report) Settle(other *Report, name string) {
	r.Settled = true
	switch {
	case r.Outputs == nil && other.proves(fault.Lines):
		r.Verdict = Unclear
		r.Why = fmt.Sprintf("%s shows every line at both levels, so wires and pads are good: the design shows what it "+
			"would behind a bad wire", name)
	case r.Outputs == nil:
	case other.proves(r.Outputs):
		r.Why = fmt.Sprintf("%s at fault, and %s shows both levels there: wire, pin and pad are good, so it is the "+
			"design",
			diagnose.Doubt{Outputs: r.Outputs}, name)
		r.Outputs = nil
	case other.suspects(r.Outputs):
		r.Why = fmt.Sprintf("%s at fault, and in %s too, so it is not the design: it is the wire, the bench's pin or "+
			"the chip's pad", diagnose.Doubt{Outputs: r.Outputs}, name)
	default:
		r.Settled = false
		r.Why += fmt.Sprintf("; %s does not decide it either (%s)", name, other.Why)
	}
}

// proves reports whether the check showed all the lines at both levels.
func (r *Report) proves(lines []string) bool {
	if r.Verdict != Good && r.Verdict != Unproven {
		return false
	}
	return !slices.ContainsFunc(lines, func(line string) bool { return slices.Contains(r.Unproven, line) })
}

// suspects reports whether each line is among the suspects.
func (r *Report) suspects(lines []string) bool {
	for _, line := range lines {
		if !slices.ContainsFunc(r.Lines(), func(s diagnose.Suspect) bool { return slices.Contains(s.Lines, line) }) {
			return false
		}
	}
	return true
}
