package export

import (
	"encoding/csv"
	"io"
	"strconv"

	"utfbench/tile"
	"utfbench/transport"
)

// Columns of the table: of every vector, and of an execution besides.
var (
	columns = []string{"vector", "step", "ui", "uio", "uio_driven", "rst_n", "clocks",
		"uo_want", "uo_mask", "uio_want", "uio_mask"}
	gotColumns = []string{"uo_got", "uio_got", "iteration"}
)

// CSV is a table with a row for each step.
type CSV struct {
	to       *csv.Writer
	recorded bool
	row      []string
}

var _ Format = (*CSV)(nil)

// NewCSV begins a table; recorded adds the columns of what a chip showed.
func NewCSV(w io.Writer, recorded bool) *CSV {
	c := &CSV{to: csv.NewWriter(w), recorded: recorded}
	c.row = append(c.row, columns...)
	if recorded {
		c.row = append(c.row, gotColumns...)
	}
	_ = c.to.Write(c.row) // whose error stays for the next
	return c
}

// Vector implements Format.
func (c *CSV) Vector(v *Vector) error {
	for i, s := range v.Steps {
		c.row = append(c.row[:0], v.Name, strconv.Itoa(i+1), hex(s.In), hex(s.IO&s.Drive), hex(s.Drive), rstN(s),
			strconv.Itoa(int(s.Clocks)))
		want := v.Want[i]
		c.row = append(c.row, hex(want.Out), hex(^want.OutX), hex(want.IO), hex(^want.IOX))
		if c.recorded {
			c.got(v, i)
		}
		if err := c.to.Write(c.row); err != nil {
			return err
		}
	}
	return nil
}

// got adds what a chip showed. It has to say of each bit whether it was read, hence binary digits.
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

func rstN(s transport.Step) string {
	if s.Reset {
		return "0"
	}
	return "1"
}
