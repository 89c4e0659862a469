package report

import (
	"fmt"
	"strconv"

	"utfbench/driver"
	"utfbench/internal/printable"
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

// LineTable lists the lines that differed. A line that is always wrong at the same level suggests a bad wire.
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
