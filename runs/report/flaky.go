package report

import (
	"fmt"
	"io"
	"math"

	"utfbench/driver"
	"utfbench/internal/printable"
)

// MaxListed is the maximum number of flaky vectors that Text lists unless it is verbose.
const MaxListed = 10

// flakyTable lists flaky vectors, with the correlated circumstances.
func (t *Text) flakyTable(w io.Writer, o Outcome) {
	vectors := FlakyVectors(o.Tally)
	if len(vectors) == 0 {
		return
	}
	width := 48
	for _, v := range vectors[:min(len(vectors), MaxListed)] {
		width = max(width, len(v.Name))
	}
	fmt.Fprintf(w, "\n%-*s %12s   95 %% interval of the rate\n", width, "flaky vector", "failed")
	for i, v := range vectors {
		if i == MaxListed && !t.Verbose {
			fmt.Fprintf(w, "... and %d more; -v lists all\n", len(vectors)-i)
			break
		}
		fmt.Fprintf(w, "%-*s %12s   %s to %s\n", width, v.Name, fmt.Sprintf("%d of %d", v.Failed, v.Executions),
			FormatPercent(v.Low), FormatPercent(v.High))
	}
	if o.Correlation != nil {
		causes(w, o.Correlation)
	}
}

func causes(w io.Writer, c *driver.Correlation) {
	fmt.Fprintf(w, "\n%-5s %12s %14s %10s   what goes with it\n", "line", "wrong first", "of steps", "rate")
	lines := c.Lines()
	for _, l := range lines {
		fmt.Fprintf(w, "%-5s %12d %14d %10s", l.Name, l.Wrong, l.Steps, FormatPercent(l.Value()))
		if l.Wrong*20 < lines[0].Wrong {
			fmt.Fprintf(w, "   rare beside %s: perhaps its effect\n", lines[0].Name)
			continue
		}
		circumstances(w, l.Circumstances)
	}
	if pins := c.Pins(); len(pins) > 0 {
		fmt.Fprintf(w, "%-5s %12s %14s %10s", "any", "", "", "")
		circumstances(w, pins)
	}
}

// circumstances lists at most three: further ones are usually the same circumstances in other words.
func circumstances(w io.Writer, all []driver.Circumstance) {
	if len(all) == 0 {
		fmt.Fprintln(w, "   no pattern found")
	}
	indent := "   "
	for _, c := range all[:min(3, len(all))] {
		fmt.Fprintf(w, "%s%s: %s, otherwise %s\n", indent, c.Name, FormatPercent(c.With.Value()),
			FormatPercent(c.Without.Value()))
		indent = fmt.Sprintf("%47s", "")
	}
}

// FormatShare formats the share of a vector's executions that were FAIL, with the 95 % interval.
func FormatShare(failed, executions int) string {
	low, high := driver.Wilson(failed, executions)
	return fmt.Sprintf("%s (%s to %s)", FormatFailed(failed, executions), FormatPercent(low), FormatPercent(high))
}

// FormatFailed formats the number of executions that were FAIL.
func FormatFailed(failed, executions int) string {
	verb := "are"
	if failed == 1 || executions == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %s %s FAIL", failed, printable.Count(executions, "execution"), verb)
}

// FormatPercent formats a rate with two significant digits, and never a small one as 0, or one near 1 as 100 %.
func FormatPercent(p float64) string {
	switch p *= 100; {
	case p == 0:
		return "0 %"
	case p < 0.01:
		return fmt.Sprintf("%.*f %%", 1-int(math.Floor(math.Log10(p))), p)
	case p == 100:
		return "100 %"
	case p >= 99:
		return fmt.Sprintf("%.*f %%", -int(math.Floor(math.Log10(100-p))), p)
	}
	return fmt.Sprintf("%.2g %%", p)
}
