package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// unsteady repeats the steps and returns a report if known bits now differ: no permanent fault then explains the
// samples, so the search for one ends. It names the only wrong line and the inputs whose errors may show only there, or
// else the inputs that contradict no sample if they float. It returns nil if all samples repeat, at least from the
// second time on: a chip behind a fault may keep state from earlier steps.
func (e *exam) unsteady() *WiringReport {
	if e.again == nil {
		return nil
	}
	later := newExam(e.Search, e.again())
	if e.repeats(later.Executions) || later.DifferingBits > 0 && later.repeats(e.again()) {
		return nil
	}
	if r := e.signs(); r != nil { // a chip without a reset resumes in its last state
		return r
	}
	r := &WiringReport{Verdict: UnclearWires, Unrepeatable: true}
	both := newExam(e.Search, slices.Concat(e.Executions, later.Executions))
	wrong := both.DifferingLines.Names()
	if len(wrong) > 1 {
		r.Reason = "the samples change when the steps are repeated: look for a loose contact or a floating line"
		if floats := both.floats(); len(floats) > 0 {
			r.Reason += "; likeliest " + strings.Join(floats, ", ")
		}
		return r
	}
	for _, h := range e.IntermittentInputs(both.Evidence) {
		wrong[0] += " or " + fault.Lines[h.Faults[0].A]
	}
	r.Reason = fmt.Sprintf("%s is wrong now and then, in %d of %s, and at other steps when these are repeated: look "+
		"for a loose contact", wrong[0], both.DifferingBits,
		printable.Count(2*len(e.Executions)*len(e.Executions[0].Steps), "step"))
	return r
}

// repeats reports whether the compared bits of later executions are the same as before.
func (e *exam) repeats(later []search.Execution) bool {
	for n, p := range e.Executions {
		for i, got := range p.Got {
			if got.Differ(later[n].Got[i])&e.ComparedLines[n][i] != 0 {
				return false
			}
		}
	}
	return true
}

// floats returns the three inputs, and ties, that explain the samples best if they float, and contradict none.
func (e *exam) floats() (lines []string) {
	var hs []search.Hypothesis
	for line, name := range fault.Lines {
		if line < fault.UO || line >= fault.UIO {
			hs = append(hs, search.MustParse(e.Tile, name+"=open"))
		}
	}
	for _, h := range search.Shortlist(e.Rank(e.Evidence, e.FilterConsistent(e.Evidence, hs, 0), 3), len(hs)) {
		lines = append(lines, fault.Lines[h.Faults[0].A])
	}
	return lines
}

// patiently repeats an exam that suspects clk with longer pulses, if the transport can make them. If the samples are
// then right, no wire is open, and it returns a report of that; otherwise it returns r.
func (e *exam) patiently(ctx context.Context, tr transport.Transport, r *WiringReport) *WiringReport {
	if !slices.ContainsFunc(r.Suspects, search.Hypothesis.StopsClock) {
		return r
	}
	var slow []search.Execution
	pulses, err := transport.WithLongPulses(ctx, tr, func() (err error) {
		slow, err = apply(ctx, tr, e.Executions[0].Steps)
		return err
	})
	search.PanicOn(err)
	if pulses == nil || search.NewEvidence(e.Tile, slow).DifferingBits > 0 {
		return r
	}
	return &WiringReport{Verdict: UnclearWires, Reason: fmt.Sprintf("clk has an effect with pulses that are high for "+
		"%s, and none with %s: the chip is too slow for these, or clk rises slowly; bench shmoo finds the limit",
		pulses.Long, pulses.Usual)}
}
