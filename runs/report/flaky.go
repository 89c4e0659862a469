package report

import (
	"fmt"
	"io"
	"math"

	"utfbench/internal/printable"
	"utfbench/tile"
)

// MaxListedVectors is the maximum number of flaky vectors that Text lists unless it is verbose.
const MaxListedVectors = 10

// flakyTable lists flaky vectors.
func (t *Text) flakyTable(w io.Writer, o Outcome) {
	vectors := FlakyVectors(o.Tally)
	if len(vectors) == 0 {
		return
	}
	more := 0
	if len(vectors) > MaxListedVectors && !t.Verbose {
		vectors, more = vectors[:MaxListedVectors], len(vectors)-MaxListedVectors
	}
	if _ = FlakyTable(vectors).Write(w, "\n"); more > 0 {
		fmt.Fprintf(w, "... and %d more; -v lists all\n", more)
	}
}

// FormatShare formats the share of a vector's executions that were FAIL, with its 95 % interval.
func FormatShare(failed, executions int) string {
	low, high := tile.Wilson(failed, executions)
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

// FormatPercent formats a rate with two significant digits. It formats no small rate as 0, and none near 1 as 100 %.
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
