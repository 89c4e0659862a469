package shmoo

import (
	"io"
	"time"

	"utfbench/internal/document"
)

type gridDocument struct {
	Schema int `json:"schema"`
	About
	Whole bool      `json:"whole"`
	X     jsonAxis  `json:"x"`
	Y     *jsonAxis `json:"y,omitempty"`
	Cells []any     `json:"cells"`
}

type jsonAxis struct {
	Knob   string          `json:"knob"`
	Values []time.Duration `json:"values_ns"`
}

type jsonCell struct {
	X       time.Duration  `json:"x_ns"`
	Y       *time.Duration `json:"y_ns,omitempty"`
	Verdict string         `json:"verdict"`
	Vectors int            `json:"vectors"`
	Failed  int            `json:"failed"`
	Trouble string         `json:"trouble,omitempty"`

	Presumed bool `json:"presumed,omitempty"` // not measured, but between cells that show the same
}

// JSON writes the grid as one object; cells are in the order of Grid.Cells, and null when they were not measured.
func (g *Grid) JSON(w io.Writer) error {
	d := gridDocument{Schema: document.Schema, About: g.About, Whole: g.Measured() == len(g.Cells), X: jsonAxis(g.X)}
	if g.Y.Knob != "" {
		y := jsonAxis(g.Y)
		d.Y = &y
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		if !c.Done {
			d.Cells = append(d.Cells, nil)
			continue
		}
		cell := jsonCell{X: c.X, Verdict: c.Name(), Vectors: c.Vectors, Failed: c.Failed, Trouble: c.Trouble,
			Presumed: c.Presumed}
		if d.Y != nil {
			cell.Y = &c.Y
		}
		d.Cells = append(d.Cells, cell)
	}
	return document.Write(w, d)
}
