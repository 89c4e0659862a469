package wiring

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/cause/diagnose"
	"utfbench/fault"
)

// doubt takes the blame off the wires where the chip may have it as well: if some suspect is nothing but an output with
// a level of its own. Two lines that are shorted or swapped are wires, and so is a line that the bench drives.
func (e *exam) doubt(r *Report) {
	var outputs []string
	wire := true // in each suspect
	for _, h := range r.Suspects {
		sure := false
		for _, f := range diagnose.FaultsOf(h) {
			if e.mayBeChip(f) {
				outputs = append(outputs, fault.Lines[f.A])
			} else {
				sure = true
			}
		}
		wire = wire && sure
	}
	if wire {
		return
	}
	slices.Sort(outputs)
	r.Verdict, r.Outputs = Unclear, slices.Compact(outputs)
	r.Why = fmt.Sprintf("%s at fault, and these steps do not tell whether it is the wire, the bench's pin, the chip's "+
		"pad or the design", areOutputs(r.Outputs))
	if e.inputToo(r) {
		r.Why = fmt.Sprintf("one line is at fault: a wire or a pin, or, if it is %s, the chip",
			strings.Join(r.Outputs, " or "))
	}
}

// mayBeChip reports whether a fault of a line may as well be one of the chip: its line is an output, and no other line
// has a part in it.
func (e *exam) mayBeChip(f fault.Fault) bool {
	switch f.Kind {
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr:
		return false
	}
	return f.A >= fault.UO && f.A < fault.UIO || f.A >= fault.UIO && f.A < fault.Clk && !e.drives(f.A-fault.UIO)
}

// drives reports whether the bench drives a line of uio in any step.
func (e *exam) drives(uio int) bool {
	for _, p := range e.executions {
		for _, s := range p.Steps {
			if s.Drive>>uio&1 != 0 {
				return true
			}
		}
	}
	return false
}

// inputToo reports whether some suspect is no output.
func (e *exam) inputToo(r *Report) bool {
	return slices.ContainsFunc(r.Suspects, func(h diagnose.Hypothesis) bool {
		return !slices.ContainsFunc(diagnose.FaultsOf(h), e.mayBeChip)
	})
}

func areOutputs(lines []string) string {
	if len(lines) == 1 {
		return "the output " + lines[0] + " is"
	}
	return "the outputs " + strings.Join(lines, ", ") + " are"
}

// Doubtful reports whether a check with another design of the same chip may tell more: if a line is at fault.
func (r *Report) Doubtful() bool { return r.Verdict == Bad || r.Outputs != nil }

// Settle uses a check with another design of the same chip, behind the same pads and wires, to tell which part of a
// line is at fault. By that design a proven line has a good wire and a good pad, so the fault is in the design that was
// checked first; an output that is at fault there too is none of the designs'. Anything else leaves the report as it
// is.
func (r *Report) Settle(other *Report, name string) {
	r.Settled = true
	switch {
	case r.Outputs == nil && other.proves(fault.Lines):
		r.Verdict = Unclear
		r.Why = fmt.Sprintf("%s shows every line at both levels, so wires and pads are good: the design shows what "+
			"it would "+
			"behind a bad wire", name)
	case r.Outputs == nil:
	case other.proves(r.Outputs):
		r.Why = fmt.Sprintf("%s at fault, and %s shows both levels there: wire, pin and pad are good, so it is the "+
			"design",
			areOutputs(r.Outputs), name)
		r.Outputs = nil
	case other.suspects(r.Outputs):
		r.Why = fmt.Sprintf("%s at fault, and in %s too, so it is not the design: it is the wire, the bench's pin or "+
			"the chip's pad", areOutputs(r.Outputs), name)
	default:
		r.Settled = false
		r.Why += fmt.Sprintf("; %s does not tell either (%s)", name, other.Why)
	}
}

// proves reports whether the lines were seen at both levels.
func (r *Report) proves(lines []string) bool {
	if r.Verdict != Good && r.Verdict != Unproven {
		return false
	}
	return !slices.ContainsFunc(lines, func(line string) bool { return slices.Contains(r.Unproven, line) })
}

// suspects reports whether each of the lines is among the suspects.
func (r *Report) suspects(lines []string) bool {
	for _, line := range lines {
		if !slices.ContainsFunc(r.Lines(), func(s diagnose.Suspect) bool { return slices.Contains(s.Lines, line) }) {
			return false
		}
	}
	return true
}
