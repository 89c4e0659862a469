package shmoo

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"utfbench/driver"
)

// Sizes in the picture, in pixels.
const (
	left   = 90 // of the first column; labels of rows are before it
	top    = 34
	row    = 26
	wide   = 48 // a column with a label of its own
	narrow = 14 // a column of many, of which each fourth has a label
	many   = 24 // columns
	entry  = 92 // of the legend
)

// style colours the picture from the page that it is in: words and signs have the colour of its text, the cells those of the
// variables --good, --bad, --warn and --fault where a page sets them.
const style = `<style>
.shmoo{font:12px ui-sans-serif,system-ui,sans-serif;color:currentColor;max-width:100%;height:auto}
.shmoo text{fill:currentColor}
.shmoo .right{text-anchor:end}
.shmoo .middle{text-anchor:middle}
.shmoo path{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round}
.shmoo rect{stroke:currentColor;stroke-opacity:.3;fill:none}
.shmoo rect.pass{fill:var(--good,#2e9e5b);fill-opacity:.2}
.shmoo rect.fail{fill:var(--bad,#d93a3a);fill-opacity:.6}
.shmoo rect.flaky{fill:var(--warn,#d29922);fill-opacity:.45}
.shmoo rect.error{fill:var(--fault,#8250df);fill-opacity:.45}
.shmoo rect.unmeasured{stroke-dasharray:2 3}
</style>
`

// signs tell the verdicts without colour, drawn about the middle of a cell.
var signs = map[string]string{".": "m-1 0h2", "#": "m-4 -4l8 8m0 -8l-8 8", "~": "m-5 1q2.5 -5 5 0t5 0", "E": "m0 -6v7m0 5v.1"}

// kinds are the classes of cells, by their marks, and kindsInOrder the legend's order.
var (
	kinds        = map[string]string{".": "pass", "#": "fail", "~": "flaky", "E": "error", " ": "unmeasured"}
	kindsInOrder = []string{".", "~", "#", "E", " "}
)

// SVG draws the grid so that it can stand in an HTML page as it is, light or dark: no script, no font, no id. What a cell is
// shows in its colour and in its sign, and its numbers when a pointer rests on it.
func (g *Grid) SVG(w io.Writer) error {
	column, every := wide, 1
	if len(g.X.Values) > many {
		column, every = narrow, 4
	}
	bottom := top + row*len(g.Y.Values)
	width, height := left+max(column*len(g.X.Values), entry*len(kindsInOrder))+wide/2, bottom+76
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="shmoo" role="img" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&s, "<title>%s</title>\n<desc>%s</desc>\n%s", html.EscapeString(g.About.Title()), html.EscapeString(g.describe()), style)
	for y := range g.Y.Values {
		at := bottom - (y+1)*row
		if g.Y.Knob != "" {
			text(&s, "right", left-8, at+row/2+4, Short(g.YTime(y)))
		}
		for x := range g.X.Values {
			g.At(x, y).draw(&s, left+x*column, at, column, g.words(x, y))
		}
	}
	for x := 0; x < len(g.X.Values); x += every {
		text(&s, "middle", left+x*column+column/2, bottom+16, Short(g.XTime(x)))
	}
	text(&s, "middle", left+column*len(g.X.Values)/2, bottom+34, g.X.Knob)
	text(&s, "right", left-8, top-12, g.Y.Knob)
	g.legend(&s, bottom+46)
	s.WriteString("</svg>\n")
	_, err := io.WriteString(w, s.String())
	return err
}

func text(s *strings.Builder, class string, x, y int, words string) {
	if words != "" {
		fmt.Fprintf(s, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, html.EscapeString(words))
	}
}

func (c *Cell) draw(s *strings.Builder, x, y, width int, words string) {
	fmt.Fprintf(s, `<g><title>%s</title><rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, html.EscapeString(words), kinds[c.Mark()], x+1, y+1, width-2, row-2)
	if sign := signs[c.Mark()]; sign != "" {
		fmt.Fprintf(s, `<path d="M%d %d%s"/>`, x+width/2, y+row/2, sign)
	}
	s.WriteString("</g>\n")
}

// legend names the marks that are there.
func (g *Grid) legend(s *strings.Builder, y int) {
	x := left
	for _, mark := range kindsInOrder {
		i := slices.IndexFunc(g.Cells, func(c Cell) bool { return c.Mark() == mark })
		if i < 0 {
			continue
		}
		g.Cells[i].draw(s, x, y, narrow+4, g.Cells[i].Name())
		text(s, "left", x+narrow+10, y+row/2+4, g.Cells[i].Name())
		x += entry
	}
}

// words are what a cell has to say.
func (g *Grid) words(x, y int) string {
	at := g.X.Knob + " " + g.XTime(x).String()
	if g.Y.Knob != "" {
		at += ", " + g.Y.Knob + " " + g.YTime(y).String()
	}
	c := g.At(x, y)
	if !c.Done {
		return at + ": " + notMeasured
	}
	if c.Trouble != "" {
		return at + ": " + c.Name() + ", " + c.Trouble
	}
	return fmt.Sprintf("%s: %s, %d of %d failed", at, c.Name(), c.Failed, c.Vectors)
}

// describe says for those who do not see the picture what is in it.
func (g *Grid) describe() string {
	n := map[string]int{}
	for i := range g.Cells {
		n[g.Cells[i].Name()]++
	}
	words := fmt.Sprintf("%d cells over %s", len(g.Cells), g.X.Knob)
	if g.Y.Knob != "" {
		words += " and " + g.Y.Knob
	}
	for _, name := range []string{driver.Pass.String(), driver.Flaky.String(), driver.Fail.String(), driver.Error.String(), notMeasured} {
		if n[name] > 0 {
			words += fmt.Sprintf("; %d %s", n[name], name)
		}
	}
	return words
}
