package diagnose

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

// WiringGlossary explains the verdicts of the wiring check; see cli.Book.
//
//go:embed wiring.txt
var WiringGlossary string

var states = map[driver.Verdict]string{GoodWires: "GOOD", UnprovenWires: "UNPROVEN", BadWires: BadWires.String(),
	UnclearWires: "UNCLEAR"}

// State returns the verdict in the words of the glossary.
func (r *WiringReport) State() string { return states[r.Verdict] }

// placed describes the suspects and the places of their lines on a board.
func (r *WiringReport) placed(b *boards.Board) []string {
	at := func(s search.Suspect) string { return b.Probes(s.Lines) + plugged(b, s) }
	all := search.DescribeHypotheses(r.Suspects, at)
	for i := range max(1, len(all)) - 1 {
		all[i] += ", or"
	}
	if len(r.RarerSuspects) > 0 && len(all) > 0 {
		all = append(all, search.DescribeRarer(r.RarerSuspects))
	}
	return all
}

// Sentence describes the finding. If there are suspects, they follow a colon, joined by sep.
func (r *WiringReport) Sentence(b *boards.Board, sep string) string {
	suspects := r.placed(b)
	if suspects == nil {
		return r.Reason
	}
	return r.Reason + ": " + strings.Join(suspects, sep)
}

// WriteText writes the finding. unasked ends the sentence; see report.Chip.NoChipNote.
func (r *WiringReport) WriteText(w io.Writer, b *boards.Board, unasked string) {
	fmt.Fprintf(w, "%-7s  %s\n", r.State(), r.Reason+unasked)
	for _, s := range r.placed(b) {
		fmt.Fprintf(w, "         %s\n", s)
	}
	if r.Account.DifferingBits > 0 {
		fmt.Fprintf(w, "         %s\n", r.Account.Describe())
	}
	if r.Scope.CompletedTiers != nil {
		fmt.Fprintf(w, "         %s\n", r.Scope)
	}
}

// plugged returns a note that a module in a PMOD header may drive a stuck ui or uio line, or "" if that is impossible.
func plugged(b *boards.Board, s search.Suspect) string {
	bus := strings.TrimRight(s.Lines[0], "01234567")
	stuck := slices.ContainsFunc(s.Faults, func(what string) bool { return strings.HasPrefix(what, "stuck at ") })
	if b.Mux == nil || len(s.Lines) > 1 || !stuck || bus != "ui" && bus != "uio" {
		return ""
	}
	return fmt.Sprintf(", or a module in the %s PMOD header drives it: unplug that", bus)
}
