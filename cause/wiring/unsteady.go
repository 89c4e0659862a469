package wiring

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// unsteady repeats the steps, and returns a report if known bits differ from the first time: then no permanent fault
// explains the samples, and no further one is searched for. It names the only wrong line, or else the inputs that
// contradict nothing if they float. It returns nil if all samples repeat.
func (e *exam) unsteady() (*Report, error) {
	if e.again == nil {
		return nil, nil
	}
	later, err := e.again()
	if err != nil {
		return nil, err
	}
	first, err := diagnose.NewEvidence(e.tile, e.executions)
	if err != nil {
		return nil, err
	}
	second, err := diagnose.NewEvidence(e.tile, later)
	if err != nil {
		return nil, err
	}
	changed, steps := 0, 0
	for n, p := range e.executions {
		for i, got := range p.Got {
			changed += (got.Differ(later[n].Got[i]) & first.Compared[n][i].Levels()).Count()
		}
		steps += 2 * len(p.Steps)
	}
	if changed == 0 {
		return nil, nil
	}
	if r, err := e.signs(); r != nil || err != nil { // a chip without a reset goes on where it was
		return r, err
	}
	r := &Report{Verdict: Unclear, Unsteady: true}
	if wrong := (first.Wrong | second.Wrong).Names(); len(wrong) == 1 {
		r.Why = fmt.Sprintf("%s is wrong now and then, in %d of %s, and at other steps when these are repeated: look "+
			"for a loose contact", wrong[0], first.Differs+second.Differs, printable.Count(steps, "step"))
		return r, nil
	}
	r.Why = "the samples change when the steps are repeated: look for a loose contact or a floating line"
	floats, err := (&exam{ctx: e.ctx, tile: e.tile, executions: slices.Concat(e.executions, later)}).floats()
	if len(floats) > 0 {
		r.Why += "; likeliest " + strings.Join(floats, " or ")
	}
	return r, err
}

// floats returns the inputs that explain the samples best if their level is unknown, of those that contradict none.
func (e *exam) floats() (lines []string, err error) {
	var hs []diagnose.Hypothesis
	for line, name := range fault.Lines {
		if uint32(1)<<line&(transport.MaskUO) == 0 {
			hs = append(hs, diagnose.MustFault(e.tile, name+"=open"))
		}
	}
	if hs, err = diagnose.Consistent(e.ctx, e.tile, e.executions, hs); err != nil {
		return nil, err
	}
	ranked, err := e.rank(hs, 1)
	for _, r := range ranked {
		lines = append(lines, fault.Lines[diagnose.FaultsOf(r)[0].A])
	}
	return lines, err
}
