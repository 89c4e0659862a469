package explain

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/boards"
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

// Places returns, in brackets, the places to put a probe on lines: the board's pins, with their positions on its
// header, and the pins of the chip's package. A board in memory has none.
func Places(b *boards.Board, lines []string) string {
	if !b.Real() {
		return ""
	}
	position := map[string]boards.HeaderPin{}
	for _, p := range b.HeaderPins() {
		position[p.Signal] = p
	}
	var all []string
	for _, line := range lines {
		pin, ok := b.Pins[line]
		if !ok {
			continue
		}
		place := fmt.Sprintf("%s at pin %s", line, pin.Name)
		switch p := position[line]; {
		case p.Header != "":
			place += fmt.Sprintf(", pin %d of the PMOD header %s", p.Number, p.Header)
		case p.Number > 0:
			place += fmt.Sprintf(", number %d of the header", p.Number)
		}
		if n := b.Package[line]; n > 0 {
			place += fmt.Sprintf(", pin %d of the chip's QFN64 package", n)
		}
		all = append(all, place)
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
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
