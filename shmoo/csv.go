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
)

var columns = []string{"x", "x_ns", "y", "y_ns", "verdict", "vectors", "failed", "trouble"}

// CSV writes a line for each cell: the knobs' names, the times that the transport took, what came of it.
func (g *Grid) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		x, y := c.X, c.Y
		if !c.Done {
			x, y = g.X.Values[i%len(g.X.Values)], g.Y.Values[i/len(g.X.Values)]
		}
		row := []string{g.X.Knob, strconv.FormatInt(int64(x), 10), g.Y.Knob, strconv.FormatInt(int64(y), 10), c.Name(), strconv.Itoa(c.Vectors), strconv.Itoa(c.Failed), c.Trouble}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ReadCSV reads what CSV wrote.
func ReadCSV(r io.Reader) (*Grid, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) < 2 || !slices.Equal(rows[0], columns) {
		return nil, errors.New("not a shmoo of bench shmoo --csv")
	}
	g := &Grid{X: Axis{Knob: rows[1][0]}, Y: Axis{Knob: rows[1][2]}}
	for n, row := range rows[1:] {
		c, err := readCell(row)
		if err != nil || row[0] != g.X.Knob || row[2] != g.Y.Knob {
			return nil, fmt.Errorf("line %d is no cell of this shmoo", n+2)
		}
		g.Cells = append(g.Cells, c)
		if !slices.Contains(g.X.Values, c.X) {
			g.X.Values = append(g.X.Values, c.X)
		}
		if !slices.Contains(g.Y.Values, c.Y) {
			g.Y.Values = append(g.Y.Values, c.Y)
		}
	}
	if len(g.Cells) != len(g.X.Values)*len(g.Y.Values) {
		return nil, fmt.Errorf("%d cells do not fill a grid of %d by %d", len(g.Cells), len(g.X.Values), len(g.Y.Values))
	}
	return g, nil
}

func readCell(row []string) (c Cell, err error) {
	x, xerr := strconv.ParseInt(row[1], 10, 64)
	y, yerr := strconv.ParseInt(row[3], 10, 64)
	c = Cell{X: time.Duration(x), Y: time.Duration(y), Trouble: row[7], Done: row[4] != notMeasured}
	var verr, ferr error
	c.Vectors, verr = strconv.Atoi(row[5])
	c.Failed, ferr = strconv.Atoi(row[6])
	if err := errors.Join(xerr, yerr, verr, ferr); err != nil || !c.Done {
		return c, err
	}
	for _, v := range driver.Verdicts {
		if v.String() == row[4] {
			c.Verdict = v
			return c, nil
		}
	}
	return c, fmt.Errorf("no verdict %q", row[4])
}
