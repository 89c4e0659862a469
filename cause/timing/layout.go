package timing

import (
	"slices"
	"unicode/utf8"

	"utfbench/driver"
	"utfbench/internal/printable"
)

// Dimensions of the picture, in pixels.
const (
	left   = 90 // position of the first column, after the labels of the rows
	top    = 58
	first  = 22 // the title's base line
	margin = 12 // margins on the left and right
	row    = 26
	wide   = 48 // width of a labelled column
	narrow = 14 // width of a column if only every fourth is labelled
	many   = 24 // number of columns above which they are narrow
	entry  = 92 // width of an entry of the legend
)

// A look describes how SVG shows cells with a verdict. Marks distinguish the verdicts without colour.
type look struct {
	name    string // the verdict
	mark    string
	class   string
	page    string // the page's CSS variable for its colour
	fill    string // its colour without a page
	opacity float64
	dashed  bool // frame style
}

const notMeasured = "not measured"

// looks lists the verdicts in the legend's order.
var looks = []look{
	{name: driver.Pass.String(), mark: ".", class: "pass", page: "good", fill: "#2e9e5b", opacity: .2},
	{name: driver.Fail.String(), mark: "#", class: "fail", page: "bad", fill: "#d93a3a", opacity: .6},
	{name: driver.Flaky.String(), mark: "~", class: "flaky", page: "warn", fill: "#d29922", opacity: .45},
	{name: driver.Error.String(), mark: "E", class: "error", page: "fault", fill: "#8250df", opacity: .45},
	{name: driver.Skipped.String(), mark: "-", class: "skipped", dashed: true},
	{name: notMeasured, mark: " ", class: "unmeasured", dashed: true},
}

// look returns the look of the cell's verdict. A cell that was not judged has the look of ERROR.
func (c *Cell) look() *look {
	of := func(name string) int { return slices.IndexFunc(looks, func(l look) bool { return l.name == name }) }
	if i := of(c.Name()); i >= 0 {
		return &looks[i]
	}
	return &looks[of(driver.Error.String())]
}

// Mark returns the character that stands for a cell's verdict.
func (c *Cell) Mark() string { return c.look().mark }

// used returns the looks of the grid's cells, in the legend's order.
func (g *Grid) used() (all []*look) {
	for i := range looks {
		if slices.ContainsFunc(g.Cells, func(c Cell) bool { return c.look() == &looks[i] }) {
			all = append(all, &looks[i])
		}
	}
	return all
}

// letter is the approximate width of a letter of the title, in pixels.
const letter = 7

func (g *Grid) column() (width, every int) {
	if len(g.X.Values) > many {
		return narrow, 4
	}
	return wide, 1
}

func (g *Grid) size() (width, height int) {
	column, _ := g.column()
	width = left + max(column*len(g.X.Values), entry*len(g.used())) + wide/2
	return max(width, 2*margin+letter*utf8.RuneCountInString(g.About.Title())), top + row*len(g.Y.Values) + 76
}

func (g *Grid) draw(p *printable.SVG) {
	column, every := g.column()
	bottom := top + row*len(g.Y.Values)
	p.Text("", margin, first, g.About.Title())
	for y := range g.Y.Values {
		at := bottom - (y+1)*row
		if g.Y.Knob != "" {
			p.Text("right", left-8, at+row/2+4, ShortDuration(g.YTime(y)))
		}
		for x := range g.X.Values {
			cell(p, g.At(x, y).look(), left+x*column, at, column, g.words(x, y))
		}
	}
	for x := 0; x < len(g.X.Values); x += every {
		p.Text("middle", left+x*column+column/2, bottom+16, ShortDuration(g.XTime(x)))
	}
	p.Text("middle", left+column*len(g.X.Values)/2, bottom+34, g.X.Knob)
	p.Text("right", left-8, top-12, g.Y.Knob)
	g.legend(p, bottom+46)
}

func (g *Grid) legend(p *printable.SVG, y int) {
	x := left
	for _, l := range g.used() {
		cell(p, l, x, y, narrow+4, l.name)
		p.Text("", x+narrow+10, y+row/2+4, l.name)
		x += entry
	}
}
