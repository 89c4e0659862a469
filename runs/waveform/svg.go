package waveform

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
)

// Sizes in the picture, in pixels. A slot of 10 ns is 12 wide, so a step is 120 wide.
const (
	left   = 186 // start of the first step, after the names of rows
	column = stepTime * 6 / 5
	top    = 46
	pitch  = 26 // from row to row
	gap    = 10 // between groups of rows
	across = 18 // characters per line of words under a step
	line   = 14 // height of such a line

	stepTime = 100
)

// style takes colours from the surrounding page: the text colour for lines and words, and --wave-bad, visible on white
// and black, for mismatches, which also have a cross and a frame. A page may set both variables. A standalone picture
// uses the defaults.
const style = `<style>
.waveform:root{--wave-ink:#1b1f24}
@media (prefers-color-scheme:dark){.waveform:root{--wave-ink:#e6e9ed;--wave-bad:#ff7b72}}
.waveform{font:12px ui-sans-serif,system-ui,sans-serif;color:var(--wave-ink,currentColor);max-width:100%;height:auto}
.waveform text{fill:currentColor}
.waveform path{fill:none;stroke:currentColor;stroke-width:1.5;stroke-linejoin:round}
.waveform .name{text-anchor:end}
.waveform .soft{opacity:.65}
.waveform .middle{text-anchor:middle}
.waveform .hex{text-anchor:middle;font-family:ui-monospace,monospace}
.waveform .strong{font-weight:700}
.waveform path.grid{stroke-width:1;opacity:.18}
.waveform path.unseen{stroke-width:1;stroke-dasharray:1 4;opacity:.6}
.waveform path.released{stroke-width:1;opacity:.6}
.waveform path.hatch{stroke-width:1;opacity:.6}
.waveform path.want{stroke-dasharray:5 2.5}
.waveform rect{fill:var(--wave-bad,#d93a3a);fill-opacity:.09}
.waveform rect.cell{fill-opacity:.16;stroke:var(--wave-bad,#d93a3a);stroke-width:1.5}
.waveform path.cross{stroke:var(--wave-bad,#d93a3a);stroke-width:2.5;stroke-linecap:round}
</style>
`

// SVG draws an excerpt as a timing diagram that can be embedded in HTML: no script, font or id, and one colour of its
// own. Rows are clk, rst_n, the pins of ui that are low or change, uio, and the differing bits of uo, with the chip's
// level above the model's. Several clock pulses are drawn as one with their number.
func SVG(w io.Writer, e *Excerpt) error {
	p := newPicture(e)
	p.rows()
	bottom := p.y
	p.operations()
	p.legend()
	height := p.y + 8
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="waveform" role="img" width="%d" height="%d" `+
		`viewBox="0 0 %d %d">`+"\n", p.width, height, p.width, height)
	fmt.Fprintf(&s, "<title>%s</title>\n<desc>%s</desc>\n%s", printable.XML(e.title()),
		printable.XML(p.describe()), style)
	s.WriteString(p.frame(bottom))
	s.WriteString(p.body.String())
	s.WriteString("</svg>\n")
	_, err := io.WriteString(w, s.String())
	return err
}

func (e *Excerpt) title() string {
	return fmt.Sprintf("%s: steps %d to %d of %d", e.Vector, e.First+1, e.First+len(e.Trace.Steps), e.Of)
}

func (p *picture) describe() string {
	var b strings.Builder
	e := p.excerpt
	for i, does := range p.words.does {
		fmt.Fprintf(&b, "Step %d: %s", e.First+i+1, does)
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

// frame draws the background: a column with a number for each step, and a tint at the first divergence.
func (p *picture) frame(bottom int) string {
	var s strings.Builder
	e := p.excerpt
	if e.At >= 0 {
		fmt.Fprintf(&s, `<rect x="%d" y="4" width="%d" height="%d"/>`+"\n", left+e.At*column, column,
			p.y-p.legendHeight-4)
		fmt.Fprintf(&s, `<text class="middle strong" x="%d" y="18">first divergence</text>`+"\n",
			left+e.At*column+column/2)
	}
	for i := range len(e.Trace.Steps) + 1 {
		fmt.Fprintf(&s, `<path class="grid" d="M%d %dV%d"/>`+"\n", left+i*column, top-22, bottom)
	}
	for i := range e.Trace.Steps {
		class, note := "middle", ""
		if i == e.At {
			class += " strong"
		}
		if p.checked(i) {
			note = " ◆"
		}
		fmt.Fprintf(&s, `<text class="%s" x="%d" y="%d">step %d%s</text>`+"\n", class, left+i*column+column/2, top-10,
			e.First+i+1, note)
	}
	return s.String()
}

func (p *picture) checked(step int) bool {
	return slices.ContainsFunc(p.excerpt.Trace.Checks, func(c golden.Check) bool { return c.Step == step })
}

func (p *picture) operations() {
	most := 0
	for i, does := range p.words.does {
		lines := wrap(does)
		for n, words := range lines {
			p.text("middle", left+i*column+column/2, p.y+(n+1)*line, words)
		}
		most = max(most, len(lines))
	}
	p.y += most*line + gap
}

// unbreakable keeps a byte beside its word, and a level beside its pin.
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
	p.legendHeight = pitch + gap
	y := p.y + gap
	p.cross(left+4, y+pitch/2)
	p.text("soft", left+16, y+17, "differs from the model")
	p.path("unseen", fmt.Sprintf("M%d %dh26", left+180, y+13))
	p.text("soft", left+214, y+17, "nobody looked")
	p.path("released", fmt.Sprintf("M%d %dh26", left+330, y+13))
	p.text("soft", left+364, y+17, "released")
	p.hatch(left+446, left+472, y)
	p.text("soft", left+480, y+17, "unknown")
	p.text("soft", left+560, y+17, "◆ the vector checks this step; times are nominal")
	p.width = max(p.width, left+560+330)
	p.y += p.legendHeight
}
