package export

import (
	"encoding/csv"
	"io"
	"strconv"

	"utfbench/runs/report"
	"utfbench/tile"
)

// Columns of the table: for every vector, and additionally for an execution.
var (
	columns = []string{"vector", "step", "ui", "uio", "uio_driven", "rst_n", "clocks", "linger",
		"uo_want", "uo_mask", "uio_want", "uio_mask"}
	gotColumns = []string{"uo_got", "uio_got", "iteration"}
	runColumns = []string{"run", "tags"}
)

// CSV is a table with one row per step.
type CSV struct {
	to       *csv.Writer
	recorded bool
	run      []string // the current run's values of runColumns; nil for a single run
	row      []string
}

var _ Format = (*CSV)(nil)

// NewCSV begins a table of a number of runs, or of vectors if runs is 0.
func NewCSV(w io.Writer, runs int) *CSV {
	c := &CSV{to: csv.NewWriter(w), recorded: runs > 0}
	c.row = append(c.row, columns...)
	if c.recorded {
		c.row = append(c.row, gotColumns...)
	}
	if runs > 1 {
		c.row, c.run = append(c.row, runColumns...), []string{}
	}
	_ = c.to.Write(c.row) // csv.Writer keeps the error
	return c
}

// begin begins a run, under the user's name for it.
func (c *CSV) begin(name string, start *report.Start) {
	if c.run != nil {
		c.run = []string{name, start.Tags.JSON()}
	}
}

// WriteVector implements Format.
func (c *CSV) WriteVector(v *Vector) error {
	for i, s := range v.Steps {
		c.row = append(c.row[:0], v.Name, strconv.Itoa(i+1), hex(s.In), hex(s.IO&s.Drive), hex(s.Drive), bit(!s.Reset),
			strconv.Itoa(int(s.Clocks)), bit(s.Linger))
		want := v.Want[i]
		c.row = append(c.row, hex(want.Out), hex(^want.OutX), hex(want.IO), hex(^want.IOX))
		if c.recorded {
			c.got(v, i)
		}
		c.row = append(c.row, c.run...)
		if err := c.to.Write(c.row); err != nil {
			return err
		}
	}
	return nil
}

// got adds a chip's sample in binary digits, since each bit may be unread.
func (c *CSV) got(v *Vector, i int) {
	uo, uio := "", ""
	if i < len(v.Got) {
		g := v.Got[i]
		uo, uio = tile.Binary(g.Out, g.OutX), tile.Binary(g.IO, g.IOX)
	}
	c.row = append(c.row, uo, uio, strconv.Itoa(v.Iteration))
}

// End implements Format.
func (c *CSV) End() error {
	c.to.Flush()
	return c.to.Error()
}

func hex(b uint8) string { return tile.Hex(b, 0) }

func bit(on bool) string {
	if on {
		return "1"
	}
	return "0"
}
