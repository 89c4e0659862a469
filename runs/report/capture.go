package report

import (
	"fmt"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
)

func (r *Run) capture() *driver.Capture {
	if r.Invocation == nil {
		return nil
	}
	return r.Invocation.Capture
}

// explainCapture describes the first wrong clock of a batch, in the format of ExplainDivergence.
func explainCapture(c *driver.Capture, r *driver.Result) (lines []string) {
	clock := r.Vector.Line + r.FirstMismatch.Index
	lines = ExplainDivergence(r)
	lines[0] = fmt.Sprintf("step %d of %d: %s", clock, c.Skip+c.Clocks, tile.Describe(r.Tile, r.FirstMismatch.Step))
	return append([]string{clockName(clock) + " differs:"}, lines...)
}

// clockName names a sample of a capture. The first sample is the reset's.
func clockName(n int) string {
	if n == 0 {
		return "the reset"
	}
	return fmt.Sprint("clock ", n)
}

// captured explains a capture's verdict in one sentence, or returns "" if the explanation for vectors applies.
func (r *Run) captured(o Outcome) string {
	c, t := r.capture(), o.Tally.Stream
	if c == nil || t == nil {
		return ""
	}
	clocks := printable.Count(c.Clocks, "clock")
	switch o.Verdict() {
	case driver.Pass:
		blind := ""
		if t.Uncompared > 0 {
			blind = "; not compared at " + printable.Count(t.Uncompared, "clock")
		}
		if c.Skip > 0 {
			blind += fmt.Sprintf("; not sampled at the first %d clocks", c.Skip)
		}
		return fmt.Sprintf("%s answered %s as the reference does%s%s%s", r.Subject(), clocks,
			NewEvidence(r, o).reservations(o.Tally), blind, r.unproved(o))
	case driver.Weak:
		return fmt.Sprintf("%s shows no difference in %s, but this is no PASS: %s; try other levels of --input%s",
			r.Subject(), clocks, o.Tally.Weakness(), r.unproved(o))
	case driver.Fail:
		return fmt.Sprintf("%s is at fault: %s is the first of %d samples that differ%s", r.Culprit(),
			clockName(t.FirstWrong), t.Wrong, r.NoChipNote())
	}
	return ""
}
