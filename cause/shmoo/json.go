package shmoo

import (
	"fmt"
	"io"
	"slices"
	"time"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

type gridDocument struct {
	Schema int `json:"schema"`
	About
	Whole bool        `json:"whole"`
	X     Axis        `json:"x"`
	Y     *Axis       `json:"y,omitempty"`
	Cells []*jsonCell `json:"cells"` // nil for a cell that was not measured
}

type jsonCell struct {
	X       time.Duration  `json:"x_ns"`
	Y       *time.Duration `json:"y_ns,omitempty"`
	Verdict string         `json:"verdict"`
	Vectors int            `json:"vectors"`
	Failed  int            `json:"failed"`
	Trouble string         `json:"trouble,omitempty"`
}

// JSON writes the grid as one object, with the cells in the order of Grid.Cells; unmeasured ones are null.
func (g *Grid) JSON(w io.Writer) error {
	d := gridDocument{Schema: document.Schema, About: g.About, Whole: g.Measured() == len(g.Cells), X: g.X}
	if g.Y.Knob != "" {
		d.Y = &g.Y
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		if !c.Done {
			d.Cells = append(d.Cells, nil)
			continue
		}
		cell := &jsonCell{X: c.X, Verdict: c.Name(), Vectors: c.Vectors, Failed: c.Failed,
			Trouble: printable.Text(c.Trouble)}
		if d.Y != nil {
			cell.Y = &c.Y
		}
		d.Cells = append(d.Cells, cell)
	}
	return document.Write(w, d)
}

// ReadJSON reads the output of JSON. It makes foreign text printable.
func ReadJSON(r io.Reader) (*Grid, error) {
	var d gridDocument
	if err := document.Read(r, "bench shmoo --json", &d); err != nil {
		return nil, err
	}
	g, err := d.grid()
	if err != nil {
		return nil, failure.Usagef("not written by bench shmoo --json: %w", err)
	}
	return g, nil
}

// grid converts a document to a grid.
func (d *gridDocument) grid() (g *Grid, err error) {
	if d.About.Tags, err = document.TagsFromJSON(d.About.Tags.JSON()); err != nil {
		return nil, err
	}
	var y Axis
	if d.Y != nil {
		y = *d.Y
	}
	if !d.X.sound() || d.Y != nil && !y.sound() || d.X.Knob == y.Knob {
		return nil, failure.Usagef("each axis needs its own knob and up to %d ascending values", mostPoints)
	}
	if d.Vectors < 0 || d.Count < 0 {
		return nil, failure.Usagef("%d vectors, %d times", d.Vectors, d.Count)
	}
	g = New(d.X, y)
	if g.About = d.About; len(d.Cells) != len(g.Cells) {
		return nil, failure.Usagef("%d cells do not fill a grid of %d by %d", len(d.Cells), len(g.X.Values),
			len(g.Y.Values))
	}
	for i, c := range d.Cells {
		if c == nil {
			continue
		}
		if g.Cells[i], err = c.cell(); err != nil {
			return nil, failure.Usagef("cell %d: %w", i+1, err)
		}
	}
	return g, nil
}

// sound reports whether an axis could be measured.
func (a Axis) sound() bool {
	return a.Knob != "" && len(a.Values) > 0 && len(a.Values) <= mostPoints &&
		slices.IsSorted(a.Values) && len(slices.Compact(slices.Clone(a.Values))) == len(a.Values)
}

// cell converts a document's cell.
func (j *jsonCell) cell() (c Cell, err error) {
	if j.Vectors < 0 || j.Failed < 0 || j.Failed > j.Vectors {
		return c, failure.Usagef("%d of %d vectors failed", j.Failed, j.Vectors)
	}
	c = Cell{X: j.X, Vectors: j.Vectors, Failed: j.Failed, Trouble: j.Trouble, Done: true}
	if j.Y != nil {
		c.Y = *j.Y
	}
	var known bool
	if c.Verdict, known = driver.ParseVerdict(j.Verdict); !known {
		return c, failure.Usagef("no verdict %q", j.Verdict)
	}
	return c, nil
}

// ReadFile reads a file written by bench shmoo --json.
func ReadFile(path string) (*Grid, error) {
	f, err := files.Shmoo.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
