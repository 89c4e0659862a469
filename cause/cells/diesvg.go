package cells

import (
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"
)

// dieStyle uses the colours of the surrounding page, or its own, light or dark. Lines repeat what colours show, for
// print and colour-blind readers.
const dieStyle = `<style>
.die{font:12px ui-sans-serif,system-ui,sans-serif;max-width:100%;height:auto}
.die{color:var(--ink,#1b1f24);background:var(--paper,#fff)}
.die text{fill:currentColor}
.die rect{fill:none;stroke:currentColor;stroke-opacity:.3;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.die rect.all{fill:var(--good,#1a7f37);fill-opacity:.2}
.die rect.most{fill:var(--warn,#9a6700);fill-opacity:.45;stroke-opacity:1;stroke-width:1.5}
.die rect.some{fill:var(--bad,#c62828);fill-opacity:.75;stroke-opacity:1;stroke-width:2}
.die rect.none{fill:var(--bad,#c62828);stroke-opacity:1;stroke-width:2.5}
.die rect.never{stroke-dasharray:2 2;stroke-opacity:.8}
.die circle{fill:var(--paper,#fff);stroke:var(--fault,#8250df);stroke-width:2.5}
.die path{fill:none;stroke:var(--fault,#8250df);stroke-width:2.5}
.die .number{text-anchor:middle;font-weight:700}
@media (prefers-color-scheme:dark){.die{color:var(--ink,#e6e9ed);background:var(--paper,#14171b)}
.die rect.all{fill:var(--good,#3fb950)}.die rect.most{fill:var(--warn,#d29922)}
.die rect.some,.die rect.none{fill:var(--bad,#ff7b72)}
.die circle{fill:var(--paper,#14171b);stroke:var(--fault,#bc8cff)}.die path{stroke:var(--fault,#bc8cff)}}
</style>
`

// Measures of the picture, in its own units.
const (
	dieWidth = 1000.0
	dieEdge  = 12
	dieLine  = 18 // of text
)

// A diePen draws a die.
type diePen struct {
	strings.Builder
	d     *Die
	scale float64
}

// SVG draws the die so that it can stand in an HTML page as it is, light or dark: no script, no font, no id. A cell
// says its name and its faults under a pointer.
func (d *Die) SVG(w io.Writer) error {
	_, err := io.WriteString(w, d.picture())
	return err
}

// Picture returns the picture for a page.
func (d *Die) Picture() template.HTML { return template.HTML(d.picture()) }

func (d *Die) picture() string {
	p := &diePen{d: d, scale: (dieWidth - 2*dieEdge) / (d.Box.X1 - d.Box.X0)}
	legend := d.legend()
	top := p.scale*(d.Box.Y1-d.Box.Y0) + 2*dieEdge
	height := top + float64(dieLine*(len(legend)+len(d.marks))) + dieEdge
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" class="die" role="img" width="%.0f" height="%.0f" `+
		`viewBox="0 0 %.0f %.0f">`+"\n<title>The cells of the tile</title>\n<desc>%s</desc>\n%s", dieWidth, height,
		dieWidth, height, html.EscapeString(d.describe()), dieStyle)
	p.rect("plain", d.Box.X0, d.Box.Y0, d.Box.X1, d.Box.Y1)
	for i := range d.Cells {
		p.cell(&d.Cells[i])
	}
	for i := range d.marks {
		p.mark(i)
	}
	for i, l := range legend {
		y := top + float64(i*dieLine)
		fmt.Fprintf(p, `<rect class="%s" x="%d" y="%.1f" width="18" height="10"/>`, l.class, dieEdge, y)
		p.text("", dieEdge+26, y+10, l.words)
	}
	for i, m := range d.marks {
		p.text("", dieEdge, top+float64((len(legend)+i)*dieLine)+10, fmt.Sprintf("%d  %s, %s", i+1, m.words, &m.at))
	}
	p.WriteString("</svg>\n")
	return p.String()
}

// place converts a point to the picture's coordinates, whose y points down.
func (p *diePen) place(x, y float64) (float64, float64) {
	return dieEdge + (x-p.d.Box.X0)*p.scale, dieEdge + (p.d.Box.Y1-y)*p.scale
}

func (p *diePen) rect(class string, x0, y0, x1, y1 float64) {
	left, up := p.place(x0, y1)
	right, down := p.place(x1, y0)
	fmt.Fprintf(p, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`+"\n", class, left, up, right-left,
		down-up)
}

func (p *diePen) text(class string, x, y float64, words string) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(p, `<text%s x="%.1f" y="%.1f">%s</text>`+"\n", class, x, y, html.EscapeString(words))
}

func (p *diePen) cell(c *DieCell) {
	words := fmt.Sprintf("%s (%s)", c.Cell, c.Type)
	if c.Faults > 0 {
		words += fmt.Sprintf(": %d of %d faults found", c.Found, c.Faults)
		if c.Untestable > 0 {
			words += fmt.Sprintf(", %d cannot be", c.Untestable)
		}
	}
	fmt.Fprintf(p, "<g><title>%s</title>", html.EscapeString(words))
	p.rect(c.reach().class, c.Box.X0, c.Box.Y0, c.Box.X1, c.Box.Y1)
	p.WriteString("</g>\n")
}

// mark draws a number, with a line to its place.
func (p *diePen) mark(i int) {
	const away, radius = 26, 10
	x, y := p.place(p.d.marks[i].at.X, p.d.marks[i].at.Y)
	side, up := 1.0, -1.0
	if x > dieWidth/2 {
		side = -1
	}
	if y < 4*away {
		up = 1
	}
	// several marks of one place stand one beside the other
	same := 0
	for _, m := range p.d.marks[:i] {
		if mx, my := p.place(m.at.X, m.at.Y); (mx-x)*(mx-x)+(my-y)*(my-y) < 4*radius*radius {
			same++
		}
	}
	cx, cy := x+side*(away+float64(same)*2.2*radius), y+up*away
	fmt.Fprintf(p, `<path d="M%.1f %.1fL%.1f %.1f"/><circle cx="%.1f" cy="%.1f" r="3"/>`, x, y, cx, cy, x, y)
	fmt.Fprintf(p, `<circle cx="%.1f" cy="%.1f" r="%d"/>`+"\n", cx, cy, radius)
	p.text("number", cx, cy+4, fmt.Sprint(i+1))
}

// legend explains the colours in use.
func (d *Die) legend() (all []reach) {
	n := d.counts()
	for _, r := range reaches {
		if n[r.class] > 0 {
			r.words = fmt.Sprintf("%d cells: %s", n[r.class], r.words)
			all = append(all, r)
		}
	}
	return all
}

// describe describes the picture for blind readers.
func (d *Die) describe() string {
	words := fmt.Sprintf("%d cells with logic on %.0f by %.0f um", len(d.Cells), d.Box.X1-d.Box.X0, d.Box.Y1-d.Box.Y0)
	for _, l := range d.legend() {
		words += "; " + l.words
	}
	for i, m := range d.marks {
		words += fmt.Sprintf("; %d is %s, at %s", i+1, m.words, &m.at)
	}
	return words
}
