package wiring

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/boards"
	"utfbench/cause/search"
	"utfbench/driver"
)

// Words explains the verdicts of the wiring check; see cli.Book.
//
//go:embed words.txt
var Words string

var states = map[driver.Verdict]string{Good: "GOOD", Unproven: "UNPROVEN", Bad: Bad.String(), Unclear: "UNCLEAR"}

// State returns the verdict as one of Words.
func (r *Report) State() string { return states[r.Verdict] }

// placed describes each explanation by its wires' faults, and their places on a board: first the faults common to all,
// then the rest of each.
func (r *Report) placed(b *boards.Board) (all []string) {
	place := func(suspects []search.Suspect) string {
		var words []string
		for _, s := range suspects {
			words = append(words, s.String()+b.Probes(s.Lines)+plugged(b, s))
		}
		return strings.Join(words, " and ")
	}
	explanations := r.explanations()
	common := inEach(explanations)
	for _, s := range common {
		all = append(all, place([]search.Suspect{s})+", and")
	}
	for _, e := range explanations {
		rest := slices.DeleteFunc(e, func(s search.Suspect) bool { return contains(common, s) })
		all = append(all, place(rest)+", or")
	}
	if n := len(all); n > 0 {
		all[n-1] = strings.TrimSuffix(all[n-1], ", or")
	}
	if len(r.Rarer) > 0 && len(all) > 0 {
		all = append(all, search.DescribeRarer(r.Rarer))
	}
	return all
}

// explanations returns the faults of each explanation, those on the same lines merged.
func (r *Report) explanations() (all [][]search.Suspect) {
	same := map[string][]search.Hypothesis{} // by lines
	var order []string
	for _, h := range r.Suspects {
		var lines []string
		for _, s := range h.Suspects() {
			lines = append(lines, strings.Join(s.Lines, "~"))
		}
		slices.Sort(lines)
		key := strings.Join(lines, " ")
		if same[key] == nil {
			order = append(order, key)
		}
		same[key] = append(same[key], h)
	}
	for _, key := range order {
		all = append(all, (&Report{Suspects: same[key]}).Lines())
	}
	return all
}

// inEach returns the suspects that all explanations have in common, besides another one in each.
func inEach(all [][]search.Suspect) (common []search.Suspect) {
	if len(all) == 0 {
		return nil
	}
	first := all[0]
	if len(all) == 1 {
		first = first[:len(first)-1]
	}
	for _, s := range first {
		if !slices.ContainsFunc(all, func(e []search.Suspect) bool { return len(e) < 2 || !contains(e, s) }) {
			common = append(common, s)
		}
	}
	return common
}

func contains(all []search.Suspect, s search.Suspect) bool {
	return slices.ContainsFunc(all, func(o search.Suspect) bool { return o.String() == s.String() })
}

// Found words the finding. Suspects, if any, follow a colon, joined by sep.
func (r *Report) Found(b *boards.Board, sep string) string {
	suspects := r.placed(b)
	if suspects == nil {
		return r.Why
	}
	return r.Why + ": " + strings.Join(suspects, sep)
}

// Text writes the finding. unasked ends the sentence; see report.Chip.
func (r *Report) Text(w io.Writer, b *boards.Board, unasked string) {
	fmt.Fprintf(w, "%-7s  %s\n", r.State(), r.Why+unasked)
	for _, s := range r.placed(b) {
		fmt.Fprintf(w, "         %s\n", s)
	}
}

// plugged adds that a module may drive a stuck line of ui or uio on a board with PMOD headers.
func plugged(b *boards.Board, s search.Suspect) string {
	bus := strings.TrimRight(s.Lines[0], "01234567")
	stuck := slices.ContainsFunc(s.What, func(what string) bool { return strings.HasPrefix(what, "stuck at ") })
	if b.Mux == nil || len(s.Lines) > 1 || !stuck || bus != "ui" && bus != "uio" {
		return ""
	}
	return fmt.Sprintf(", or a module in the %s PMOD header drives it: unplug that", bus)
}
