package report

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/golden"
)

// missed suggests listing the faults that the run would have missed, unless only a netlist beside a model knows them.
func (r *PastRun) missed(a *SuggestionCollector) []Suggestion {
	c := a.Outcome.Tally.Coverage
	if r.Replayed || r.RecordingArgs == nil || c == nil || c.BesideModel || c.Found == c.Faults {
		return nil
	}
	command := slices.Concat([]string{"coverage"}, r.RecordingArgs)
	if i := slices.Index(r.TargetArgs, "--tile"); i >= 0 && !slices.Contains(command, "--tile") {
		command = append(command, r.TargetArgs[i:i+2]...)
	}
	purpose := "the faults that it would have missed"
	if c.Faults < c.Testable {
		purpose = fmt.Sprintf("all faults, not %d of them, and %s", c.Faults, purpose)
	}
	return []Suggestion{{command, purpose}}
}

// IsSearched reports whether a search generated a vector. The same search would then find no more.
func IsSearched(v *golden.Vector) bool { return strings.HasPrefix(v.Name, "explored/") }

// suggestMore suggests more vectors after a run with too little coverage or a never-compared output: the vectors that
// the user did not select, or else a search unless most of the missed faults are unknown.
func (r *PastRun) suggestMore(a *SuggestionCollector) []Suggestion {
	switch t := a.Outcome.Tally; {
	case r.Replayed, a.Searched, t.LowCoverage() == "" && t.Gap().Lines()&^t.AcceptedLines == 0:
		return nil
	case r.AllVectors > 0:
		return []Suggestion{{slices.Concat([]string{"run"}, r.TargetArgs, r.given("no-reference", "file", "random",
			"timeout", "no-wiring", "no-history")),
			fmt.Sprintf("all %d vectors, not only the selected ones", r.AllVectors)}}
	case t.Coverage == nil, t.Coverage.IsMostlyUnknown():
		return nil
	}
	return []Suggestion{{slices.Concat([]string{"explore"}, r.TargetArgs, []string{"--budget", "5s", "--save",
		"explored.vec"}), "searches for vectors that show more faults, for some seconds"}}
}

// accepted suggests accepting the outputs that even the vectors of a search do not compare, if nothing else is weak.
func (r *PastRun) accepted(a *SuggestionCollector) []Suggestion {
	t := a.Outcome.Tally
	never := t.Gap().Lines()
	weak := t.DoubtReason != "" || t.LowCoverage() != "" || never == t.Outputs // WEAK even if they are accepted
	if r.Replayed || !a.Searched || weak || never&^t.AcceptedLines == 0 {
		return nil
	}
	return []Suggestion{{slices.Concat([]string{"run"}, r.TargetArgs, r.asked(), []string{"--accept-weak",
		(never | t.AcceptedLines).String()}), "only if the design can never drive those levels of " + never.String()}}
}
