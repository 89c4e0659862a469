package history

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
)

// Sizes in the picture, in pixels.
const (
	width  = 900
	left   = 130 // for names of measures
	right  = 20
	band   = 90 // of a measure
	inset  = 14 // of the values in a band
	bottom = 24 // for the numbers of runs
)

// style uses the colours of the surrounding page, or its own in a separate file.
const style = `<style>
.trend{font:12px ui-sans-serif,system-ui,sans-serif;color:var(--trend-ink,currentColor);max-width:100%;height:auto}
.trend:root{--trend-ink:#1b1f24;--good:#1a7f37;--bad:#c62828;--warn:#9a6700;--fault:#8250df}
@media (prefers-color-scheme:dark){.trend:root{--trend-ink:#e6e9ed;--good:#3fb950;--bad:#ff7b72;--warn:#d29922;` +
	`--fault:#bc8cff}}
.trend text{fill:currentColor}
.trend .name{text-anchor:end}
.trend .end{text-anchor:end;opacity:.7}
.trend .soft{opacity:.7}
.trend path{fill:none;stroke:currentColor;stroke-width:1;opacity:.35}
.trend path.grid{opacity:.2}
.trend .mark{fill:var(--edge);stroke:var(--edge);stroke-width:2.5;opacity:1}
.trend path.mark{fill:none}
.trend .pass{--edge:var(--good,#1a7f37)}.trend .fail{--edge:var(--bad,#c62828)}
.trend .flaky,.trend .aborted,.trend .skipped{--edge:var(--warn,#9a6700)}
.trend .error,.trend .wiring{--edge:var(--fault,#8250df)}
</style>
`

// SVG draws a band for each known measure, with a mark for each run in the colour of its verdict: a dot for PASS, a
// cross for FAIL, a square otherwise. It contains no script, font or id.
func (t *Trend) SVG(w io.Writer) error {
	p := &picture{Trend: t}
	for i := range measures {
		p.measure(i)
	}
	p.runs()
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="trend" role="img" width="%d" height="%d" `+
		`viewBox="0 0 %d %d">`+"\n<title>%s</title>\n%s%s</svg>\n", width, p.y, width, p.y,
		escape(t.String()), style, p.body.String())
	_, err := io.WriteString(w, s.String())
	return err
}

// A picture is an SVG under construction, band by band.
type picture struct {
	*Trend
	body strings.Builder
	y    int
}

// x returns the x coordinate of a point.
func (p *picture) x(i int) int {
	const wide = width - left - right - 2*inset
	return left + inset + wide*i/max(1, len(p.Points)-1)
}

// measure draws a band if it has values.
func (p *picture) measure(i int) {
	all := p.known(i)
	if len(all) == 0 {
		return
	}
	low, high := slices.Min(all), slices.Max(all)
	at := func(v float64) int {
		if high == low {
			return p.y + band/2
		}
		return p.y + band - inset - int((v-low)/(high-low)*(band-2*inset))
	}
	p.text("name", left-8, p.y+band/2+4, measures[i].name)
	fmt.Fprintf(&p.body, `<path class="grid" d="M%d %dH%dM%d %dH%d"/>`+"\n", left, at(low), width-right, left, at(high),
		width-right)
	p.text("end", left-8, at(high)+4-boolean(high == low)*18, number(high))
	if high != low {
		p.text("end", left-8, at(low)+4, number(low))
	}
	p.line(i, at)
	for n, point := range p.Points {
		if v := point.values[i]; v.known {
			p.mark(&point, p.x(n), at(v.of), fmt.Sprintf("%s %s", measures[i].name, number(v.of)))
		}
	}
	p.y += band
}

func boolean(is bool) int {
	if is {
		return 1
	}
	return 0
}

// line connects the values of consecutive runs.
func (p *picture) line(i int, at func(float64) int) {
	var d strings.Builder
	pen := "M"
	for n, point := range p.Points {
		if v := point.values[i]; v.known {
			fmt.Fprintf(&d, "%s%d %d", pen, p.x(n), at(v.of))
			pen = "L"
		} else {
			pen = "M"
		}
	}
	fmt.Fprintf(&p.body, `<path d="%s"/>`+"\n", d.String())
}

func (p *picture) mark(of *Point, x, y int, words string) {
	fmt.Fprintf(&p.body, "<g><title>run %d, %s: %s, %s</title>", of.Run, of.When.Local().Format(time.DateTime),
		escape(of.Verdict), words)
	class := classOf(of.Verdict)
	switch class {
	case "pass":
		fmt.Fprintf(&p.body, `<circle class="mark pass" cx="%d" cy="%d" r="2.5"/>`, x, y)
	case "fail":
		fmt.Fprintf(&p.body, `<path class="mark fail" d="M%d %dl8 8m0 -8l-8 8"/>`, x-4, y-4)
	default:
		fmt.Fprintf(&p.body, `<rect class="mark %s" x="%d" y="%d" width="5" height="5"/>`, class, x-2, y-2)
	}
	p.body.WriteString("</g>\n")
}

// classOf returns the colour of a verdict. An invalid verdict, as a lab's history may have, counts as an error.
func classOf(verdict string) string {
	for _, v := range driver.Verdicts {
		if v.String() == verdict {
			return strings.ToLower(verdict)
		}
	}
	return "error"
}

func (p *picture) runs() {
	p.y += bottom
	if len(p.Points) == 0 {
		p.text("soft", left, p.y-8, p.String())
		return
	}
	first, last := p.Points[0], p.Points[len(p.Points)-1]
	p.text("soft", left+inset, p.y-8, fmt.Sprintf("run %d, %s", first.Run, first.When.Local().Format(time.DateOnly)))
	if len(p.Points) > 1 {
		p.text("end", width-right-inset, p.y-8, fmt.Sprintf("run %d, %s", last.Run,
			last.When.Local().Format(time.DateOnly)))
	}
}

func escape(text string) string {
	var s strings.Builder
	_ = xml.EscapeText(&s, []byte(text)) // a strings.Builder accepts everything
	return s.String()
}

func (p *picture) text(class string, x, y int, words string) {
	fmt.Fprintf(&p.body, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, escape(words))
}
