package explain

import (
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/runs/report"
)

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
