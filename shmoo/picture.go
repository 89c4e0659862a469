package shmoo

import (
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"utfbench/driver"
)

// Mark is a cell as one character.
func (c *Cell) Mark() string {
	switch {
	case !c.Done:
		return " "
	case c.Verdict == driver.Pass:
		return "."
	case c.Verdict == driver.Fail:
		return "#"
	case c.Verdict == driver.Flaky:
		return "~"
	}
	return "E"
}

const notMeasured = "not measured"

// Name is a cell's verdict in a word.
func (c *Cell) Name() string {
	if !c.Done {
		return notMeasured
	}
	return c.Verdict.String()
}

// Text draws the grid with a character for each cell, the longest Y above.
func (g *Grid) Text(w io.Writer) error {
	var s strings.Builder
	for y := range slices.Backward(g.Y.Values) {
		label := ""
		if g.Y.Knob != "" {
			label = g.Y.Knob + " " + Short(g.YTime(y))
		}
		fmt.Fprintf(&s, "%16s |", label)
		for x := range g.X.Values {
			s.WriteString(" " + g.At(x, y).Mark())
		}
		s.WriteString("\n")
	}
	fmt.Fprintf(&s, "%16s +%s\n", "", strings.Repeat("--", len(g.X.Values)))
	fmt.Fprintf(&s, "%16s   %s\n", g.X.Knob, g.scale())
	fmt.Fprintf(&s, "%16s   . PASS   # FAIL   ~ FLAKY   E ERROR   blank: not measured\n", "")
	if n := g.Measured(); n < len(g.Cells) {
		fmt.Fprintf(&s, "%16s   not whole: %d of %d cells were measured\n", "", n, len(g.Cells))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// scale writes the times of columns, each beginning under its own, as many as find room.
func (g *Grid) scale() string {
	line := []rune{}
	for x := range g.X.Values {
		if at := 2 * x; at == 0 || at >= len(line)+2 {
			line = append(line, []rune(strings.Repeat(" ", at-len(line)))...)
			line = append(line, []rune(Short(g.XTime(x)))...)
		}
	}
	return string(line)
}

// Short writes a time with three digits that count.
func Short(d time.Duration) string {
	for unit := time.Duration(1); unit <= d/1000; unit *= 10 {
		d = d.Round(10 * unit)
	}
	return d.String()
}

// colours are told apart by those who do not see red and green as others do; the letters in the cells tell too.
var colours = map[string]color.Color{
	".": color.RGBA{0x9e, 0xd1, 0xb0, 0xff}, "#": color.RGBA{0xb2, 0x3a, 0x48, 0xff}, "~": color.RGBA{0xf2, 0xc1, 0x4e, 0xff},
	"E": color.RGBA{0x7b, 0x5e, 0xa7, 0xff}, " ": color.White,
}

// PNG draws the grid as a picture for places that take no SVG.
func (g *Grid) PNG(w io.Writer) error {
	p := plot.New()
	p.Title.Text = g.About.Transport + "\nP PASS   F FAIL   ? FLAKY   E ERROR   blank: not measured"
	p.X.Label.Text, p.Y.Label.Text = g.X.Knob, g.Y.Knob
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(g.X, g.XTime), ticks(g.Y, g.YTime)
	var marks plotter.XYLabels
	for y := range g.Y.Values {
		for x := range g.X.Values {
			fx, fy := float64(x), float64(y)
			cell, err := plotter.NewPolygon(plotter.XYs{{X: fx - .5, Y: fy - .5}, {X: fx + .5, Y: fy - .5}, {X: fx + .5, Y: fy + .5}, {X: fx - .5, Y: fy + .5}})
			if err != nil {
				return err
			}
			mark := g.At(x, y).Mark()
			cell.Color, cell.Width = colours[mark], vg.Points(.5)
			p.Add(cell)
			marks.XYs, marks.Labels = append(marks.XYs, plotter.XY{X: fx, Y: fy}), append(marks.Labels, g.At(x, y).Letter())
		}
	}
	labels, err := plotter.NewLabels(marks)
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = -.5, -.4
		if labels.Labels[i] == letters["#"] {
			labels.TextStyle[i].Color = color.White // which can be read on dark red
		}
	}
	p.Add(labels)
	to, err := p.WriterTo(vg.Length(len(g.X.Values))*vg.Centimeter*1.5+4*vg.Centimeter, vg.Length(len(g.Y.Values))*vg.Centimeter+4*vg.Centimeter, "png")
	if err != nil {
		return err
	}
	_, err = to.WriteTo(w)
	return err
}

// Letter is a cell in pictures that have room for colour besides.
func (c *Cell) Letter() string { return letters[c.Mark()] }

var letters = map[string]string{".": "P", "#": "F", "~": "?", "E": "E", " ": ""}

func ticks(a Axis, took func(int) time.Duration) (all plot.ConstantTicks) {
	for i := range a.Values {
		label := Short(took(i))
		if a.Knob == "" {
			label = ""
		}
		all = append(all, plot.Tick{Value: float64(i), Label: label})
	}
	return all
}
