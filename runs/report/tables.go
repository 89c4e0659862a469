package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// Suites counts the verdicts of a run by suite, in the order of the suites.
type Suites struct {
	names  []string
	counts map[string]*driver.Counts
}

// Add counts a result.
func (s *Suites) Add(r *driver.Result) {
	name := r.Vector.Suite()
	if s.counts[name] == nil {
		if s.counts == nil {
			s.counts = map[string]*driver.Counts{}
		}
		s.names, s.counts[name] = append(s.names, name), new(driver.Counts)
	}
	s.counts[name][r.Verdict]++
}

// Table returns a row for each suite. paint colours counts other than 0; it may be nil.
func (s *Suites) Table(tally *driver.Tally, paint func(driver.Verdict, string) string) *printable.Table {
	head, shown := []any{"suite"}, tally.Verdicts.Columns()
	for _, v := range shown {
		head = append(head, v)
	}
	table := printable.NewTable(head...)
	for _, name := range s.names {
		row := []any{name}
		for _, v := range shown {
			n := s.counts[name][v]
			cell := strconv.Itoa(n)
			if n > 0 && paint != nil {
				cell = paint(v, cell)
			}
			row = append(row, cell)
		}
		table.Row(row...)
	}
	return table
}

// LineTable lists the lines that differed. A line that is wrong only at one level suggests a bad wire.
func LineTable(tally *driver.Tally) *printable.Table {
	table := printable.NewTable("line", "wrong steps", "showed 1", "showed 0", "unknown")
	for i, l := range tally.Lines {
		if n := l.High + l.Low + l.Unknown; n > 0 {
			table.Row(transport.Lines[transport.UO+i], n, l.High, l.Low, l.Unknown)
		}
	}
	return table
}

// Table lists the compared bits of each line.
func (e *Evidence) Table() *printable.Table {
	table := printable.NewTable("line", "compared at 0", "compared at 1")
	for _, l := range e.Lines {
		table.Row(l.Line, l.Low, l.High)
	}
	return table
}

// FlakyTable lists flaky vectors.
func FlakyTable(vectors []FlakyVector) *printable.Table {
	table := printable.NewTable("flaky vector", "failed", "95 % interval of the rate")
	for _, v := range vectors {
		table.Row(v.Name, fmt.Sprintf("%d of %d", v.Failed, v.Executions), FormatPercent(v.Low)+" to "+
			FormatPercent(v.High))
	}
	return table
}

// MaxListedVectors is the maximum number of flaky vectors that Text lists unless it is verbose.
const MaxListedVectors = 10

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

// FormatPercent formats a rate with two significant digits. It rounds no rate to 0 % or 100 %.
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
