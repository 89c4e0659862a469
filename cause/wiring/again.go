package wiring

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// unsteady repeats the steps, and returns a report if known bits differ from the first time: then no permanent fault
// explains the samples, and no further one is searched for. It names the only wrong line, or else the inputs that
// contradict nothing if they float. It returns nil if all samples repeat.
func (e *exam) unsteady() *Report {
	if e.again == nil {
		return nil
	}
	later := newExam(e.Search, e.again())
	changed, steps := 0, 0
	for n, p := range e.Executions {
		for i, got := range p.Got {
			changed += (got.Differ(later.Executions[n].Got[i]) & e.Compared[n][i]).Count()
		}
		steps += 2 * len(p.Steps)
	}
	if changed == 0 {
		return nil
	}
	if r := e.signs(); r != nil { // a chip without a reset goes on where it was
		return r
	}
	r := &Report{Verdict: Unclear, Unrepeatable: true}
	if wrong := (e.Lines | later.Lines).Names(); len(wrong) == 1 {
		r.Why = fmt.Sprintf("%s is wrong now and then, in %d of %s, and at other steps when these are repeated: look "+
			"for a loose contact", wrong[0], e.Differs+later.Differs, printable.Count(steps, "step"))
		return r
	}
	r.Why = "the samples change when the steps are repeated: look for a loose contact or a floating line"
	both := newExam(e.Search, slices.Concat(e.Executions, later.Executions))
	if floats := both.floats(); len(floats) > 0 {
		r.Why += "; likeliest " + strings.Join(floats, " or ")
	}
	return r
}

// floats returns the inputs that explain the samples best if their level is unknown, of those that contradict none.
func (e *exam) floats() (lines []string) {
	var hs []search.Hypothesis
	for line, name := range fault.Lines {
		if line < fault.UO || line >= fault.UIO {
			hs = append(hs, search.MustParse(e.Tile, name+"=open"))
		}
	}
	for _, f := range e.rank(e.Consistent(e.Evidence, hs)) {
		lines = append(lines, fault.Lines[f.Faults[0].A])
	}
	return lines
}

// longPulse is long for half a pulse of clk, also for a chip far below its supply voltage.
const longPulse = 20 * time.Microsecond

// patiently repeats an exam that suspects clk, with longer pulses if the transport can make them. If that is good, no
// wire is cut, and it returns another report that says so; else it returns r.
func (e *exam) patiently(ctx context.Context, tr transport.Transport, r *Report) *Report {
	tuner, is := tr.(transport.Tuner)
	if !is || !slices.ContainsFunc(r.Suspects, stopsClock) {
		return r
	}
	knobs := tuner.Knobs()
	i := slices.IndexFunc(knobs, func(k transport.Knob) bool { return k.Name == "pulse" })
	if i < 0 || knobs[i].Default >= longPulse || knobs[i].High < longPulse {
		return r
	}
	long, err := tuner.Tune(ctx, "pulse", longPulse)
	search.PanicOn(err)
	again, err := apply(ctx, tr, e.Executions[0].Steps)
	_, restored := tuner.Tune(context.WithoutCancel(ctx), "pulse", knobs[i].Default)
	search.PanicOn(cmp.Or(err, restored))
	slow := newExam(e.Search, again)
	if patient := slow.judge(); patient.Verdict != Good && patient.Verdict != Unproven {
		return r
	}
	return &Report{Verdict: Unclear, Why: fmt.Sprintf("clk has an effect with pulses that are high for %s, and none "+
		"with %s: the chip is too slow for these, or clk rises slowly; bench shmoo finds the limit", long,
		knobs[i].Default)}
}
