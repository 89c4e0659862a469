package export

import (
	"fmt"
	"io"
	"strings"

	"utfbench/tile"
)

// Sizes in the picture, in pixels. A slot of 10 ns is 12 pixels wide, so a step is 120 pixels wide.
const (
	left   = 186 // start of the first step, after the names of the rows
	column = stepTime * 6 / 5
	top    = 46
	pitch  = 26 // distance between rows
	gap    = 10 // additional distance between groups of rows
	across = 18 // characters in a line of words below a step
	line   = 14 // height of a line of words

	stepTime = 100
)

// style holds the CSS rules of the picture. Only mismatches are coloured (--bad); they also have a cross and a frame.
var style = []string{"path{fill:none;stroke:currentColor;stroke-width:1.5;stroke-linejoin:round}",
	".soft{opacity:.65}", ".hex{text-anchor:middle;font-family:ui-monospace,monospace}",
	"path.grid{stroke-width:1;opacity:.18}", "path.unseen{stroke-width:1;stroke-dasharray:1 4;opacity:.6}",
	"path.released{stroke-width:1;opacity:.6}", "path.hatch{stroke-width:1;opacity:.6}",
	"path.want{stroke-dasharray:5 2.5}", "rect{fill:var(--bad,#d93a3a);fill-opacity:.09}",
	"rect.cell{rx:3px;fill-opacity:.16;stroke:var(--bad,#d93a3a);stroke-width:1.5}",
	"path.cross{stroke:var(--bad,#d93a3a);stroke-width:2.5;stroke-linecap:round}"}

// WriteSVG draws an excerpt as a timing diagram. Its rows are clk, rst_n, the pins of ui that leave their idle level,
// uio, and the bits of uo that differ, with the chip's level above the expected one. Several pulses are drawn as one
// pulse with their number.
func WriteSVG(w io.Writer, e *Excerpt) error {
	p := newPicture(e)
	p.rows()
	bottom := p.y
	p.operations()
	p.frame(bottom)
	p.legend()
	p.Title, p.Description, p.Height = e.title(), p.describe(), p.y+8
	return p.Write(w)
}

func (e *Excerpt) title() string {
	return fmt.Sprintf("%s: steps %d to %d of %d", e.Vector, e.FirstStep+1, e.FirstStep+len(e.Trace.Steps),
		e.VectorSteps)
}

func (p *picture) describe() string {
	var b strings.Builder
	e := p.excerpt
	for i, does := range p.does {
		fmt.Fprintf(&b, "Step %d: %s", e.FirstStep+i+1, does)
		switch t := &e.Trace; {
		case i >= len(t.Got):
			b.WriteString("; no answer")
		default:
			got, want, differ := t.Got[i], t.Want[i], t.Differ(i)
			if differ&0xFF != 0 {
				fmt.Fprintf(&b, "; uo is %s, not %s", tile.Binary(got.Out, got.OutX), tile.Binary(want.Out, want.OutX))
			}
			if differ>>8 != 0 {
				fmt.Fprintf(&b, "; uio is %s, not %s", tile.Binary(got.IO, got.IOX), tile.Binary(want.IO, want.IOX))
			}
		}
		b.WriteString(". ")
	}
	return strings.TrimSpace(b.String())
}

// frame draws a column for each step, with its number, and a tint at the first divergence.
func (p *picture) frame(bottom int) {
	e := p.excerpt
	if e.DivergenceIndex >= 0 {
		p.Rect("", left+e.DivergenceIndex*column, 4, column, p.y-4)
		p.Text("middle strong", left+e.DivergenceIndex*column+column/2, 18, "first divergence")
	}
	for i := range len(e.Trace.Steps) + 1 {
		p.Path("grid", fmt.Sprintf("M%d %dV%d", left+i*column, top-22, bottom))
	}
	for i := range e.Trace.Steps {
		class := "middle"
		if i == e.DivergenceIndex {
			class += " strong"
		}
		p.Text(class, left+i*column+column/2, top-10, fmt.Sprintf("step %d", e.FirstStep+i+1))
	}
}

func (p *picture) operations() {
	most := 0
	for i, does := range p.does {
		lines := wrap(does)
		for n, words := range lines {
			p.Text("middle", left+i*column+column/2, p.y+(n+1)*line, words)
		}
		most = max(most, len(lines))
	}
	p.y += most*line + gap
}

// unbreakable keeps the word byte with its value, and the word low with its pin, on one line.
var unbreakable = strings.NewReplacer("byte ", "byte\u00A0", " low", "\u00A0low")

func wrap(text string) (lines []string) {
	for _, w := range strings.Split(unbreakable.Replace(text), " ") {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(w) <= across {
			lines[n-1] += " " + w
			continue
		}
		lines = append(lines, w)
	}
	return lines
}

func (p *picture) legend() {
	y := p.y + gap
	p.cross(left+4, y+pitch/2)
	p.Text("soft", left+16, y+17, "differs from the model")
	p.Path("unseen", fmt.Sprintf("M%d %dh26", left+180, y+13))
	p.Text("soft", left+214, y+17, "nobody looked")
	p.Path("released", fmt.Sprintf("M%d %dh26", left+330, y+13))
	p.Text("soft", left+364, y+17, "released")
	p.hatch(left+446, left+472, y)
	p.Text("soft", left+480, y+17, "unknown")
	p.Text("soft", left+560, y+17, "times are nominal")
	p.Width = max(p.Width, left+560+130)
	p.y += pitch + gap
}
