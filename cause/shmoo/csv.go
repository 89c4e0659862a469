package shmoo

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/internal/tags"
)

var columns = []string{"x", "x_ns", "x_took_ns", "y", "y_ns", "y_took_ns", "verdict", "vectors", "failed", "trouble",
	"tags", "bench", "transport", "board", "revision", "selected", "count", "presumed"}

// Bounds of the columns that are equal in each line. Older benches wrote only the columns before tagColumn, or before
// benchColumn.
const (
	tagColumn      = 10
	benchColumn    = tagColumn + 1
	presumedColumn = benchColumn + 6
)

// CSV writes a line for each cell: the knobs, the requested and actual times, and the result. The description is in
// each line, so that any plot of the data has its title.
func (g *Grid) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	about := g.About.row()
	for i := range g.Cells {
		c := &g.Cells[i]
		x, y := g.X.Values[i%len(g.X.Values)], g.Y.Values[i/len(g.X.Values)]
		row := []string{g.X.Knob, ns(x), ns(c.X), g.Y.Knob, ns(y), ns(c.Y), c.Name(), strconv.Itoa(c.Vectors),
			strconv.Itoa(c.Failed), c.Trouble}
		if !c.Done {
			row[2], row[5] = "", ""
		}
		if err := out.Write(append(append(row, about...), presumed(c))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// row returns the description's columns.
func (a *About) row() []string {
	return []string{a.Tags.JSON(), a.Bench, a.Transport, a.Board, a.Revision, strconv.Itoa(a.Vectors),
		strconv.Itoa(a.Count)}
}

// read parses the output of row, also of an older bench. It makes foreign text printable.
func (a *About) read(row []string) (err error) {
	if len(row) == 0 {
		return nil
	}
	if a.Tags, err = tags.FromJSON(row[0]); err != nil || len(row) == 1 {
		return err
	}
	a.Bench, a.Transport = printable.Text(row[1]), printable.Text(row[2])
	a.Board, a.Revision = printable.Text(row[3]), printable.Text(row[4])
	var verr, cerr error
	a.Vectors, verr = strconv.Atoi(row[5])
	a.Count, cerr = strconv.Atoi(row[6])
	return errors.Join(verr, cerr)
}

// presumed formats whether a cell is presumed.
func presumed(c *Cell) string {
	if c.Presumed {
		return "yes"
	}
	return ""
}

func ns(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

// ReadCSV reads the output of CSV.
func ReadCSV(r io.Reader) (*Grid, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, failure.Usagef("not a shmoo of bench shmoo --csv: %w", err)
	}
	if len(rows) < 2 || !headline(rows[0]) {
		return nil, failure.Usagef("not a shmoo of bench shmoo --csv")
	}
	if len(rows)-1 > mostPoints*mostPoints {
		return nil, failure.Usagef("%d cells: a shmoo has at most %d", len(rows)-1, mostPoints*mostPoints)
	}
	x, y := axis(rows[1:], 0), axis(rows[1:], 3)
	if len(rows)-1 != len(x.Values)*len(y.Values) {
		return nil, failure.Usagef("%d cells do not fill a grid of %d by %d", len(rows)-1, len(x.Values), len(y.Values))
	}
	g := New(x, y)
	if len(rows)-1 != len(g.Cells) {
		return nil, failure.Usagef("an axis without a knob, and with %d times", len(y.Values))
	}
	about := same(rows[1])
	if err := g.About.read(about); err != nil {
		return nil, err
	}
	for i, row := range rows[1:] {
		asked := []string{g.X.Knob, ns(g.X.Values[i%len(g.X.Values)]), g.Y.Knob, ns(g.Y.Values[i/len(g.X.Values)])}
		if g.Cells[i], err = readCell(row); err != nil ||
			!slices.Equal(asked, []string{row[0], row[1], row[3], row[4]}) ||
			!slices.Equal(same(row), about) {
			return nil, failure.Usagef("line %d is no cell of this shmoo", i+2)
		}
	}
	return g, nil
}

// headline reports whether a line holds the column names, of this or an older bench.
func headline(row []string) bool {
	return slices.Equal(row, columns) || slices.Equal(row, columns[:benchColumn]) ||
		slices.Equal(row, columns[:tagColumn])
}

// same returns the columns that are equal in all lines.
func same(row []string) []string { return row[tagColumn:min(len(row), presumedColumn)] }

// axis reads a knob's name at column at and its times after it; invalid times are detected later.
func axis(rows [][]string, at int) Axis {
	a := Axis{Knob: rows[0][at]}
	for _, row := range rows {
		if n, err := strconv.ParseInt(row[at+1], 10, 64); err == nil && !slices.Contains(a.Values, time.Duration(n)) {
			a.Values = append(a.Values, time.Duration(n))
		}
	}
	return a
}

func readCell(row []string) (c Cell, err error) {
	if row[6] == notMeasured {
		return c, nil
	}
	x, xerr := strconv.ParseInt(row[2], 10, 64)
	y, yerr := strconv.ParseInt(row[5], 10, 64)
	c = Cell{X: time.Duration(x), Y: time.Duration(y), Trouble: row[9], Done: true,
		Presumed: len(row) > presumedColumn && row[presumedColumn] != ""}
	var verr, ferr error
	c.Vectors, verr = strconv.Atoi(row[7])
	c.Failed, ferr = strconv.Atoi(row[8])
	if err := errors.Join(xerr, yerr, verr, ferr); err != nil {
		return c, err
	}
	c.Verdict, err = verdictOf(row[6])
	return c, err
}
