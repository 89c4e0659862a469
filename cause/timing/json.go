package timing

import (
	"io"
	"time"

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

// WriteJSON writes the grid as one object. The cells are in the order of Grid.Cells; one that was not measured is null.
func (g *Grid) WriteJSON(w io.Writer) error {
	d := gridDocument{Schema: files.DocumentSchema, About: g.About, Whole: g.CountMeasured() == len(g.Cells), X: g.X}
	if g.Y.Knob != "" {
		d.Y = &g.Y
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		if !c.Measured {
			d.Cells = append(d.Cells, nil)
			continue
		}
		cell := &jsonCell{X: c.X, Verdict: c.Name(), Vectors: c.Vectors, Failed: c.Failed,
			Trouble: printable.Text(c.BenchError)}
		if d.Y != nil {
			cell.Y = &c.Y
		}
		d.Cells = append(d.Cells, cell)
	}
	return files.WriteDocument(w, d)
}
