package timing

import (
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
)

func style() []string {
	rules := []string{".mark{text-anchor:middle;font-weight:700}",
		"rect{stroke:currentColor;stroke-opacity:.3;fill:none}"}
	for _, l := range looks {
		if l.page != "" {
			rules = append(rules, fmt.Sprintf("rect.%s{fill:var(--%s,%s);fill-opacity:%.2f}", l.class, l.page, l.fill,
				l.opacity))
		}
		if l.dashed {
			rules = append(rules, fmt.Sprintf("rect.%s{stroke-dasharray:2 3}", l.class))
		}
	}
	return rules
}

// WriteSVG draws the grid as SVG. The colour and mark of a cell show its verdict, and a tooltip its numbers.
func (g *Grid) WriteSVG(w io.Writer) error {
	width, height := g.size()
	p := &printable.SVG{Class: "shmoo", Title: g.About.Title(), Description: g.Summary(), Style: style(), Width: width,
		Height: height}
	g.draw(p)
	return p.Write(w)
}

func cell(p *printable.SVG, l *look, x, y, width int, words string) {
	p.Group(words, func() {
		p.Rect(l.class, x+1, y+1, width-2, row-2)
		p.Text("mark", x+width/2, y+row/2+4, strings.TrimSpace(l.mark))
	})
}

func (g *Grid) words(x, y int) string {
	at := g.X.Knob + " " + ShortDuration(g.XTime(x))
	if g.Y.Knob != "" {
		at += ", " + g.Y.Knob + " " + ShortDuration(g.YTime(y))
	}
	c := g.At(x, y)
	if !c.Measured {
		return at + ": " + notMeasured
	}
	if c.BenchError != "" {
		return at + ": " + c.Name() + ", " + c.BenchError
	}
	return fmt.Sprintf("%s: %s, %d of %d failed", at, c.Name(), c.Failed, c.Vectors)
}

// Summary describes the grid in one line.
func (g *Grid) Summary() string {
	n := map[string]int{}
	for i := range g.Cells {
		n[g.Cells[i].Name()]++
	}
	words := fmt.Sprintf("%d cells over %s", len(g.Cells), g.X.Knob)
	if g.Y.Knob != "" {
		words += " and " + g.Y.Knob
	}
	for _, name := range []string{driver.Pass.String(), driver.Flaky.String(), driver.Fail.String(),
		driver.Error.String(), notMeasured} {
		if n[name] > 0 {
			words += fmt.Sprintf("; %d %s", n[name], name)
		}
	}
	return words
}
