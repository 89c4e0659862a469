package shmoo

import (
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
)

// style takes colours from the surrounding page: its text's for words and marks, its variables --good, --bad, --warn
// and --fault for cells. A file of its own follows the light or dark preference.
func style() string {
	var s strings.Builder
	s.WriteString(`<style>
.shmoo:root{--shmoo-ink:#1b1f24}
@media (prefers-color-scheme:dark){.shmoo:root{--shmoo-ink:#e6e9ed;--good:#3fb950;--bad:#ff7b72;--warn:#d29922;` +
		`--fault:#bc8cff}}
.shmoo{font:12px ui-sans-serif,system-ui,sans-serif;color:var(--shmoo-ink,currentColor);max-width:100%;height:auto}
.shmoo text{fill:currentColor}
.shmoo .right{text-anchor:end}
.shmoo .middle{text-anchor:middle}
.shmoo .mark{text-anchor:middle;font-weight:700}
.shmoo rect{stroke:currentColor;stroke-opacity:.3;fill:none}
`)
	for _, l := range looks {
		if l.page != "" {
			fmt.Fprintf(&s, ".shmoo rect.%s{fill:var(--%s,#%02x%02x%02x);fill-opacity:%.2f}\n", l.class, l.page,
				l.fill.R, l.fill.G, l.fill.B, float64(l.fill.A)/255)
		}
		if l.dashed {
			fmt.Fprintf(&s, ".shmoo rect.%s{stroke-dasharray:2 3}\n", l.class)
		}
	}
	return s.String() + "</style>\n"
}

// SVG draws the grid for insertion in any HTML page, light or dark: no script, no font, no id. Colour and mark show a
// cell's verdict, and a tooltip its numbers.
func (g *Grid) SVG(w io.Writer) error {
	width, height := g.size()
	var s svgPen
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="shmoo" role="img" width="%d" height="%d" `+
		`viewBox="0 0 %d %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&s, "<title>%s</title>\n<desc>%s</desc>\n%s", printable.XML(g.About.Title()),
		printable.XML(g.Summary()), style())
	g.draw(&s)
	s.WriteString("</svg>\n")
	_, err := io.WriteString(w, s.String())
	return err
}

type svgPen struct{ strings.Builder }

func (p *svgPen) text(a align, x, y int, words string) {
	if words != "" {
		fmt.Fprintf(p, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", a, x, y, printable.XML(words))
	}
}

func (p *svgPen) cell(l *look, x, y, width int, words string) {
	fmt.Fprintf(p, `<g><title>%s</title><rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`,
		printable.XML(words), l.class, x+1, y+1, width-2, row-2)
	p.text("mark", x+width/2, y+row/2+4, strings.TrimSpace(l.mark))
	p.WriteString("</g>\n")
}

// words describes a cell's numbers.
func (g *Grid) words(x, y int) string {
	at := g.X.Knob + " " + g.X.Label(g.XTime(x))
	if g.Y.Knob != "" {
		at += ", " + g.Y.Knob + " " + g.Y.Label(g.YTime(y))
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

// Summary describes the picture in a line.
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
