package wiring

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/boards"
	"utfbench/cause/diagnose"
	"utfbench/driver"
)

// Words explains the verdicts of the wiring check; see cli.Book.
//
//go:embed words.txt
var Words string

var states = map[driver.Verdict]string{Good: "GOOD", Unproven: "UNPROVEN", Bad: Bad.String(), Unclear: "UNCLEAR"}

// State returns the verdict as one of Words.
func (r *Report) State() string { return states[r.Verdict] }

// placed describes each suspected wire's faults, and its place on a board. Suspects differ in their last fault.
func (r *Report) placed(b *boards.Board) (all []string) {
	for i, s := range r.Lines() {
		switch {
		case i == 0:
		case i < len(diagnose.FaultsOf(r.Suspects[0])):
			all[i-1] += ", and"
		default:
			all[i-1] += ", or"
		}
		all = append(all, s.String()+b.Probes(s.Lines)+plugged(b, s))
	}
	return all
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
func plugged(b *boards.Board, s diagnose.Suspect) string {
	bus := strings.TrimRight(s.Lines[0], "01234567")
	stuck := slices.ContainsFunc(s.What, func(what string) bool { return strings.HasPrefix(what, "stuck at ") })
	if b.Mux == nil || len(s.Lines) > 1 || !stuck || bus != "ui" && bus != "uio" {
		return ""
	}
	return fmt.Sprintf(", or a module in the %s PMOD header drives it: unplug that", bus)
}
