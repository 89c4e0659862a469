package shmoo

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"utfbench/driver"
	"utfbench/internal/tags"
)

var columns = []string{"x", "x_ns", "x_took_ns", "y", "y_ns", "y_took_ns", "verdict", "vectors", "failed", "trouble",
	"tags"}

// tagColumn is the last; an older bench has not written it.
var tagColumn = len(columns) - 1

// CSV writes a line for each cell: the knobs' names, the times asked for and those that the transport took, what came
// of it.
func (g *Grid) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		x, y := g.X.Values[i%len(g.X.Values)], g.Y.Values[i/len(g.X.Values)]
		row := []string{g.X.Knob, ns(x), ns(c.X), g.Y.Knob, ns(y), ns(c.Y), c.Name(), strconv.Itoa(c.Vectors),
			strconv.Itoa(c.Failed), c.Trouble, g.About.Tags.JSON()}
		if !c.Done {
			row[2], row[5] = "", ""
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func ns(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

// ReadCSV reads what CSV wrote.
func ReadCSV(r io.Reader) (*Grid, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("not a shmoo of bench shmoo --csv: %w", err)
	}
	older := len(rows) > 0 && slices.Equal(rows[0], columns[:tagColumn])
	if len(rows) < 2 || !older && !slices.Equal(rows[0], columns) {
		return nil, errors.New("not a shmoo of bench shmoo --csv")
	}
	if len(rows)-1 > mostPoints*mostPoints {
		return nil, fmt.Errorf("%d cells are more than a shmoo has, %d", len(rows)-1, mostPoints*mostPoints)
	}
	x, y := axis(rows[1:], 0), axis(rows[1:], 3)
	if len(rows)-1 != len(x.Values)*len(y.Values) {
		return nil, fmt.Errorf("%d cells do not fill a grid of %d by %d", len(rows)-1, len(x.Values), len(y.Values))
	}
	g := New(x, y)
	if len(rows)-1 != len(g.Cells) {
		return nil, fmt.Errorf("an axis without a knob, and with %d times", len(y.Values))
	}
	if !older {
		if g.About.Tags, err = tags.FromJSON(rows[1][tagColumn]); err != nil {
			return nil, err
		}
	}
	for i, row := range rows[1:] {
		asked := []string{g.X.Knob, ns(g.X.Values[i%len(g.X.Values)]), g.Y.Knob, ns(g.Y.Values[i/len(g.X.Values)])}
		if g.Cells[i], err = readCell(row); err != nil ||
			!slices.Equal(asked, []string{row[0], row[1], row[3], row[4]}) ||
			!slices.Equal(row[tagColumn:], rows[1][tagColumn:]) {
			return nil, fmt.Errorf("line %d is no cell of this shmoo", i+2)
		}
	}
	return g, nil
}

// axis reads the column of names at index at and the column of times after it; wrong times are found later.
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
	c = Cell{X: time.Duration(x), Y: time.Duration(y), Trouble: row[9], Done: true}
	var verr, ferr error
	c.Vectors, verr = strconv.Atoi(row[7])
	c.Failed, ferr = strconv.Atoi(row[8])
	if err := errors.Join(xerr, yerr, verr, ferr); err != nil {
		return c, err
	}
	for _, v := range driver.Verdicts {
		if v.String() == row[6] {
			c.Verdict = v
			return c, nil
		}
	}
	return c, fmt.Errorf("no verdict %q", row[6])
}
