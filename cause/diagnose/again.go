package diagnose

import (
	"context"
	"fmt"
	"slices"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// unsteady repeats the steps and returns a report if known bits now differ: no permanent fault then explains the
// samples, so the search for one ends. The report names the only wrong line and the inputs whose errors may show only
// there, or else the inputs that may float. unsteady returns nil if all samples repeat, at least from the second time
// on, since a chip behind a fault may keep state from earlier steps.
func (e *exam) unsteady() *WiringReport {
	if e.again == nil {
		return nil
	}
	later := newExam(e.Search, e.again())
	if e.repeats(later.Executions) || later.DifferingBits > 0 && later.repeats(e.again()) {
		return nil
	}
	both := newExam(e.Search, slices.Concat(e.Executions, later.Executions))
	floats, wrong := both.floats(), both.DifferingLines.Names()
	if r := e.signs(); r != nil && len(floats) <= 2 { // with clk or rst_n open, the chip keeps its state
		r.Suspects = search.Merge(r.Suspects, search.MustParseAll(e.Tile, "clk=open"))
		return r
	}
	r := &WiringReport{Verdict: UnclearWires, Unrepeatable: true}
	if len(wrong) > 1 {
		r.Reason = "the samples change when the steps are repeated: look for a loose contact or a floating line"
		if n := len(floats); n > 0 {
			r.Reason += map[bool]string{true: ": ", false: ", one of "}[n == 1] + transport.AbbreviateLines(floats)
		}
		return r
	}
	for _, h := range e.IntermittentInputs(both.Evidence) {
		if name := fault.Lines[h.Faults[0].A]; name != wrong[0] {
			wrong[0] += " or " + name
		}
	}
	r.Reason = fmt.Sprintf("%s is wrong now and then, in %d of %s of steps applied twice, at different ones each "+
		"time: look for a loose contact", wrong[0], both.DifferingBits,
		printable.Count(2*len(e.Executions)*len(e.Executions[0].Steps), "sample"))
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

// floats returns the lines that may float: if one is open, no sample of another line contradicts that.
func (e *exam) floats() (lines []string) {
	for line, name := range fault.Lines {
		var own transport.Outputs
		if line >= fault.UO && line < fault.Clk {
			own = 1 << (line - fault.UO)
		}
		if e.FilterConsistent(e.without(own).Evidence, search.MustParseAll(e.Tile, name+"=open"), 0) != nil {
			lines = append(lines, name)
		}
	}
	return lines
}

// patiently repeats an exam that suspects clk, using longer pulses, if the transport can make them. If the samples are
// then right, no wire is open, and patiently reports that; otherwise it returns r.
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
