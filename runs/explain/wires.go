package explain

import (
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/cause/wiring"
	"utfbench/runs/report"
)

// Wires returns the wiring check's finding, for a run that continues despite it.
func Wires(r *wiring.Report) *report.Wires {
	w := &report.Wires{Why: r.Why}
	for _, s := range r.Lines() {
		w.Lines = append(w.Lines, s.Lines...)
	}
	switch {
	case r.Settled && r.Outputs == nil:
		w.Settled = report.Design
	case r.Settled:
		w.Settled = report.Line
	}
	return w
}

// settles reports whether the earlier wiring check is more specific than the finding: it settled the lines that explain
// the run.
func settles(w *report.Wires, f diagnose.Finding) bool {
	if w == nil || w.Settled == "" || f.Conclusion != diagnose.Wire && f.Conclusion != diagnose.Unclear {
		return false
	}
	for _, c := range f.Causes[:f.Ties] {
		for _, s := range c.Suspects() {
			if !slices.ContainsFunc(s.Lines, func(line string) bool { return slices.Contains(w.Lines, line) }) {
				return false
			}
		}
	}
	return true
}
