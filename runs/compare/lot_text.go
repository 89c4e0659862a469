package compare

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// lotColumns is the preferred width of the table.
const lotColumns = 100

// Text writes the lot: one row per board, notes, yields, outliers, and the verdict in the last line.
func (l *Lot) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s on %s of the lab %s\n", l.About.Tile, printable.Count(l.About.Vectors, "vector"),
		printable.Count(len(l.Boards), "board"), l.Where)
	if l.Golden != nil {
		fmt.Fprintf(b, "golden unit %s: %s\n", l.Golden.Name, strings.Join(l.Golden.told(), ", "))
	}
	if !l.Refused() {
		l.table(b)
		l.yields(b)
		l.outliers(b)
	}
	fmt.Fprintf(b, "\n%s  %s\n", l.Verdict(), l.Meaning())
	return b.Flush()
}

// told describes a golden unit in a line.
func (b *Board) told() []string {
	all := []string{b.standing(0)}
	if b.first() != nil {
		all = append(all, Amount(b.first().Rate(), Rate))
		if n := b.first().Number; n > 0 {
			all = append(all, fmt.Sprintf("run %d of the history", n))
		}
	}
	if wrong := b.wrong(); wrong != "" {
		all = append(all, wrong)
	}
	return all
}

// standing returns the result of a run, counted from 0, in a word.
func (b *Board) standing(run int) string {
	switch {
	case b.Away != "" && run == 0:
		return b.Away
	case run < len(b.Runs):
		return b.Runs[run].Verdict().String()
	}
	return "-"
}

// numbers returns the numbers of the board's runs in the history.
func (b *Board) numbers() string {
	var all []string
	for _, c := range b.Runs {
		if c.Number > 0 {
			all = append(all, fmt.Sprint(c.Number))
		}
	}
	if len(all) == 0 {
		return "-"
	}
	return strings.Join(all, " ")
}

// wrong describes the first failure, or why the first run was not judged, and why a retest was impossible.
func (b *Board) wrong() string {
	if b.Away != "" {
		return b.Why
	}
	var all []string
	for i, c := range b.Runs {
		switch at := c.FirstFailure(); {
		case i > 0 && c.Reason != "":
			all = append(all, "no retest: "+b.reason(c))
		case i > 0:
		case c.Reason != "":
			all = append(all, b.reason(c))
		case c.Verdict() == driver.Wiring:
			all = append(all, c.Wires())
		case at != "" && b.Cause != "":
			all = append(all, at+": "+printable.Text(b.Cause))
		case at != "":
			all = append(all, at)
		}
	}
	return strings.Join(all, "; ")
}

// reason returns why a run could not be judged, without the board's name.
func (b *Board) reason(c *Column) string {
	return strings.TrimPrefix(strings.TrimPrefix(c.Reason, "lab:"), b.Name+": ")
}

// table writes a row per board. If rows were too wide, the failures follow the table.
func (l *Lot) table(w io.Writer) {
	retests := 0
	for _, b := range l.Boards {
		retests = max(retests, len(b.Runs)-1)
	}
	var short bytes.Buffer
	t := tabwriter.NewWriter(&short, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nboard\tcompared with\tfirst"+strings.Repeat("\tretest", retests)+"\tsteps/s\trun\t")
	for _, b := range l.Boards {
		with, rate := "-", "-"
		if c := b.first(); c != nil && c.Run.Transport != "" {
			with = printable.Text(c.Run.Revision)
			if c.Rate() > 0 {
				rate = fmt.Sprintf("%.0f", c.Rate())
			}
		}
		cells := []string{b.Name, with}
		for i := range retests + 1 {
			cells = append(cells, b.standing(i))
		}
		fmt.Fprintln(t, strings.Join(append(cells, rate, b.numbers(), ""), "\t"))
	}
	t.Flush()
	l.beside(w, strings.Split(strings.TrimSuffix(short.String(), "\n"), "\n"))
}

// beside writes the table's lines, with each board's failure beside its row, or below if a row were too wide or a
// board has another reason than a failure.
func (l *Lot) beside(w io.Writer, lines []string) {
	const head = 2 // an empty line and the names of the columns
	apart, some := false, false
	for i, b := range l.Boards {
		text := b.wrong()
		some = some || text != ""
		apart = apart || strings.Contains(text, "\n") || len([]rune(lines[head+i]+text)) > lotColumns ||
			text != "" && (b.first() == nil || b.first().FirstFailure() == "")
	}
	for i, line := range lines {
		switch {
		case apart:
		case i >= head:
			line += l.Boards[i-head].wrong()
		case i == head-1 && some:
			line += "wrong first"
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	if apart {
		fmt.Fprintln(w)
		l.below(w)
	}
}

// below writes each failure once, after the names of its boards.
func (l *Lot) below(w io.Writer) {
	named := map[string][]string{}
	for _, b := range l.Boards {
		named[b.wrong()] = append(named[b.wrong()], b.Name)
	}
	for _, b := range l.Boards {
		text := b.wrong()
		if names := named[text]; text != "" && names != nil {
			fmt.Fprintf(w, "%s: %s\n", strings.Join(names, ", "), strings.ReplaceAll(text, "\n", "\n  "))
			delete(named, text)
		}
	}
}

// yields writes the table, with the yield of all boards last if some were not judged.
func (l *Lot) yields(w io.Writer) {
	fmt.Fprintln(w)
	all := l.Yields()
	if whole := l.Whole(); whole.Of != "" {
		all = append(all, whole)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "yield, 95 % interval\tjudged\tfirst pass\tafter retest")
	for _, y := range all {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\n", printable.Text(cmp.Or(y.Of, "all")), y.Judged, part(y.First, y.Judged),
			part(y.After, y.Judged))
	}
	t.Flush()
}

// part formats k of n with the 95 % interval of the rate.
func part(k, n int) string {
	if n == 0 {
		return "-"
	}
	low, high := driver.Wilson(k, n)
	return fmt.Sprintf("%d, %s (%s to %s)", k, report.Percent(float64(k)/float64(n)), report.Percent(low),
		report.Percent(high))
}

func (l *Lot) outliers(w io.Writer) {
	all := l.Outliers()
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w, "\nfar from the median of all boards of its kind")
	for _, o := range all {
		fmt.Fprintf(w, "  %s: %s %s, median %s, %+.1f deviations\n", o.Board, o.Measure,
			Amount(o.Value, o.Measure), Amount(o.Median, o.Measure), o.Score)
	}
}
