package station

import (
	"fmt"
	"strings"

	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/runs/explain"
	"utfbench/runs/report"
)

// A WireCheck is what the check of the wires before a run leaves for the run: at most one of the reports is not nil.
type WireCheck struct {
	Broken   *wiring.Report // the wires are at fault, and the chip is not judged
	Doubtful *wiring.Report // the wires may be at fault, or the chip
}

// Take takes in a report of the check.
func (w *WireCheck) Take(r *wiring.Report) {
	switch r.Verdict {
	case wiring.Bad:
		w.Broken = r
	case wiring.Unclear:
		w.Doubtful = r
	}
}

// Found returns the wires that are at fault in words, with sep between suspects; "" if none is.
func (w *WireCheck) Found(c *Chip, sep string) string {
	if w.Broken == nil {
		return ""
	}
	return explain.Found(c.Board, w.Broken, sep)
}

// Report returns the doubts for the run that is to be kept; nil if there are none.
func (w *WireCheck) Report() *report.Wires {
	if w.Doubtful == nil {
		return nil
	}
	return explain.Wires(w.Doubtful)
}

// Doubt returns why no vector may be a PASS, for driver.Runner; "" if nothing keeps it from that.
func (w *WireCheck) Doubt() string {
	if w.Doubtful == nil {
		return ""
	}
	return "before the first vector: " + w.Report().Why
}

// Hint returns what to look at after a run, in sentences; "" if there is nothing to say.
func (c *Chip) Hint(t *driver.Tally, wires *WireCheck) string {
	text := wires.Found(c, "\n  ")
	if wires.Broken == nil {
		text = report.NextLook(t, c.Tile, c.injected())
	}
	if wires.Doubtful != nil && t.Verdicts[driver.Fail] > 0 {
		text = fmt.Sprintf("Before the first vector: %s. %s", wires.Doubtful.Why, text)
	}
	if idle := report.IdleFaults(c.IdleFaults()); idle != "" {
		text += " " + idle
	}
	return strings.TrimSpace(text)
}

// injected says how to make the injected faults act the same way again; it is empty without any.
func (c *Chip) injected() string {
	if len(c.Faults) == 0 {
		return ""
	}
	return fmt.Sprintf("Faults were injected; with --seed %d they act the same way again.", c.Seed)
}
