package shmoo

import (
	"image/color"
	"slices"
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

// A look is how the cells of one verdict are drawn. Signs tell the verdicts without colour.
type look struct {
	mark   string
	class  string      // in SVG
	page   string      // the variable with the page's colour for it, in SVG
	fill   color.NRGBA // over the background
	dashed bool        // the frame
	sign   [][]point   // lines about the middle of the cell
}

type point struct{ x, y float64 }

// looks are in the legend's order.
var looks = []look{
	{mark: ".", class: "pass", page: "good", fill: color.NRGBA{0x2e, 0x9e, 0x5b, 51},
		sign: [][]point{{{-1, 0}, {1, 0}}}},
	{mark: "~", class: "flaky", page: "warn", fill: color.NRGBA{0xd2, 0x99, 0x22, 115},
		sign: [][]point{{{-5, 1}, {-3.8, -.8}, {-2.5, -1.5}, {-1.2, -.8}, {0, 1}, {1.2, 2.8}, {2.5, 3.5},
			{3.8, 2.8}, {5, 1}}}},
	{mark: "#", class: "fail", page: "bad", fill: color.NRGBA{0xd9, 0x3a, 0x3a, 153},
		sign: [][]point{{{-4, -4}, {4, 4}}, {{4, -4}, {-4, 4}}}},
	{mark: "E", class: "error", page: "fault", fill: color.NRGBA{0x82, 0x50, 0xdf, 115},
		sign: [][]point{{{0, -6}, {0, 1}}, {{0, 6}, {0, 6.1}}}},
	{mark: "-", class: "skipped", dashed: true, sign: [][]point{{{-1, 0}, {1, 0}}}},
	{mark: " ", class: "unmeasured", dashed: true},
}

func (c *Cell) look() *look {
	return &looks[slices.IndexFunc(looks, func(l look) bool { return l.mark == c.Mark() })]
}

// An align says which end of a text is at the place that is given for it.
type align string

const (
	alignLeft   align = "left"
	alignMiddle align = "middle"
	alignRight  align = "right"
)

// A pen draws in one format. Places are in pixels from the upper left; the place of a text is on its base line.
type pen interface {
	text(a align, x, y int, words string)
	cell(l *look, x, y, width int, words string)
}

// column is how wide a column is, and how many columns share a label.
func (g *Grid) column() (width, every int) {
	if len(g.X.Values) > many {
		return narrow, 4
	}
	return wide, 1
}

func (g *Grid) size() (width, height int) {
	column, _ := g.column()
	return left + max(column*len(g.X.Values), entry*len(looks)) + wide/2, top + row*len(g.Y.Values) + 76
}

func (g *Grid) draw(p pen) {
	column, every := g.column()
	bottom := top + row*len(g.Y.Values)
	for y := range g.Y.Values {
		at := bottom - (y+1)*row
		if g.Y.Knob != "" {
			p.text(alignRight, left-8, at+row/2+4, g.Y.Label(g.YTime(y)))
		}
		for x := range g.X.Values {
			p.cell(g.At(x, y).look(), left+x*column, at, column, g.words(x, y))
		}
	}
	for x := 0; x < len(g.X.Values); x += every {
		p.text(alignMiddle, left+x*column+column/2, bottom+16, g.X.Label(g.XTime(x)))
	}
	p.text(alignMiddle, left+column*len(g.X.Values)/2, bottom+34, g.X.Knob)
	p.text(alignRight, left-8, top-12, g.Y.Knob)
	g.legend(p, bottom+46)
}

// legend names the looks that are there.
func (g *Grid) legend(p pen, y int) {
	x := left
	for i := range looks {
		at := slices.IndexFunc(g.Cells, func(c Cell) bool { return c.Mark() == looks[i].mark })
		if at < 0 {
			continue
		}
		name := g.Cells[at].Name()
		p.cell(&looks[i], x, y, narrow+4, name)
		p.text(alignLeft, x+narrow+10, y+row/2+4, name)
		x += entry
	}
}
