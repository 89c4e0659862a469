package export

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// A picture is a timing diagram that is drawn row by row.
type picture struct {
	printable.SVG
	excerpt *Excerpt
	does    []string // operation of each step
	moments []moment
	y       int // top edge of the next row
}

// newPicture plays the excerpt with at most one pulse in each step, so that all steps are equally wide.
func newPicture(e *Excerpt) *picture {
	p := &picture{excerpt: e, y: top}
	for _, s := range e.Trace.Steps {
		p.does = append(p.does, tile.Describe(e.Trace.Tile, s))
	}
	p.Class, p.Style, p.Width = "waveform", style, left+len(e.Trace.Steps)*column+gap
	short := *e
	short.Trace.Steps = slices.Clone(e.Trace.Steps)
	for i := range short.Trace.Steps {
		short.Trace.Steps[i].Clocks = min(1, short.Trace.Steps[i].Clocks)
	}
	end := short.play(func(m *moment) { p.moments = append(p.moments, *m) })
	p.moments = append(p.moments, moment{at: end})
	return p
}

// An interval is a period in which a row does not change.
type interval struct {
	from, to int // in pixels
	bits     bits
	seen     bool // was sampled
}

func (p *picture) intervals(s signal) (list []interval) {
	for i := range len(p.moments) - 1 {
		m := &p.moments[i]
		b := s.cut(m.bus[s.bus])
		next := interval{from: pixel(m.at), to: pixel(p.moments[i+1].at), bits: b, seen: p.seen(m, s.bus)}
		if n := len(list); n > 0 && list[n-1].bits == b && list[n-1].seen == next.seen {
			list[n-1].to = next.to
			continue
		}
		list = append(list, next)
	}
	return list
}

// seen reports whether a bus is sampled at a moment or, if the bench sets it, whether its levels are known.
func (p *picture) seen(m *moment, b bus) bool {
	switch b {
	case busGotOut, busGotIO:
		return m.looked && m.step < len(p.excerpt.Trace.Got)
	case busWantOut, busWantIO:
		return m.looked
	}
	return m.bus[b].x == 0
}

func pixel(ns int) int { return left + ns*column/stepTime }

// rows draws all signals that matter, and marks where they differ.
func (p *picture) rows() {
	p.bit("clk", "", signal{bus: busClk, width: 1})
	p.pulses()
	p.bit("rst_n", "", signal{bus: busReset, width: 1})
	for i, name := range tile.InputNames(p.excerpt.Trace.Tile) {
		if p.matters(i) {
			p.bit(transport.Lines[transport.UI+i]+" "+name, "", signal{bus: busUI, shift: i, width: 1})
		}
	}
	p.hex("uio, bench drives", "", signal{bus: busDrive, width: 8})
	p.y += gap
	out, io := p.differing().Bytes()
	from := p.y
	p.hex("uio, sampled", "", signal{bus: busGotIO, width: 8})
	if io != 0 {
		p.hex("expected", "want", signal{bus: busWantIO, width: 8})
		p.mark(from, signal{bus: busIODiff, width: 8})
	}
	for i := range 8 {
		if out>>i&1 == 0 {
			continue
		}
		p.y += gap
		from := p.y
		p.bit(p.outLabel(i), "", signal{bus: busGotOut, shift: i, width: 1})
		p.bit("expected", "want", signal{bus: busWantOut, shift: i, width: 1})
		p.mark(from, signal{bus: busOutDiff, shift: i, width: 1})
	}
	p.y += gap
}

// matters reports whether a pin of ui leaves its idle level in the excerpt.
func (p *picture) matters(pin int) bool {
	t := &p.excerpt.Trace
	return slices.ContainsFunc(t.Steps, func(s transport.Step) bool { return (s.In^t.Tile.Idle())>>pin&1 != 0 })
}

func (p *picture) differing() (lines transport.Outputs) {
	for i := range p.excerpt.Trace.Got {
		lines |= p.excerpt.Trace.Differ(i)
	}
	return lines
}

// outLabel returns the label of a bit of uo, with its names at the steps where it differs.
func (p *picture) outLabel(i int) string {
	var names []string
	t := &p.excerpt.Trace
	for step := range t.Got {
		name := tile.OutputNames(t.Tile, t.Steps[step].In)[i]
		if t.Differ(step)>>i&1 != 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return transport.Lines[transport.UO+i] + " " + strings.Join(names, "/")
}

// name draws the name of a row, and advances to the next row.
func (p *picture) name(name, class string) {
	if class != "" {
		class = " soft"
	}
	p.Text("right"+class, left-10, p.y+17, name)
	p.y += pitch
}

// bit draws a line as high, low or unknown, or dotted where it was not sampled. A sample also shows its digit.
func (p *picture) bit(name, class string, s signal) {
	high, low := p.y+5, p.y+21
	var d strings.Builder
	last := -1
	for _, r := range p.intervals(s) {
		if !r.seen || r.bits.x != 0 {
			p.nothing(r)
			last = -1
			continue
		}
		y := low
		if r.bits.v != 0 {
			y = high
		}
		if last < 0 {
			fmt.Fprintf(&d, "M%d %d", r.from, y)
		} else {
			fmt.Fprintf(&d, "V%d", y)
		}
		fmt.Fprintf(&d, "H%d", r.to)
		last = y
		if s.bus >= busGotOut {
			p.Text("hex", (r.from+r.to)/2, p.y+17, fmt.Sprint(r.bits.v))
		}
	}
	p.Path(class, d.String())
	p.name(name, class)
}

// hex draws a bus as boxes with two digits, or as a line in the middle while it is released.
func (p *picture) hex(name, class string, s signal) {
	for _, r := range p.intervals(s) {
		switch {
		case !r.seen || r.bits.x == 0xFF:
			p.nothing(r)
		case r.bits.z == 0xFF:
			p.Path("released", fmt.Sprintf("M%d %dH%d", r.from, p.y+13, r.to))
		default:
			p.Path(class, fmt.Sprintf("M%d %dl4 -8H%dl4 8l-4 8H%dz", r.from, p.y+13, r.to-4, r.from+4))
			p.Text("hex", (r.from+r.to)/2, p.y+17, tile.Hex(r.bits.v, r.bits.x|r.bits.z))
		}
	}
	p.name(name, class)
}

// nothing draws an unknown level: hatched if it was sampled, or else dotted.
func (p *picture) nothing(r interval) {
	if r.seen {
		p.hatch(r.from, r.to, p.y)
		return
	}
	p.Path("unseen", fmt.Sprintf("M%d %dH%d", r.from, p.y+13, r.to))
}

func (p *picture) hatch(from, to, y int) {
	var d strings.Builder
	fmt.Fprintf(&d, "M%d %dH%dV%dH%dz", from, y+5, to, y+21, from)
	for x := from; x+8 <= to; x += 6 {
		fmt.Fprintf(&d, "M%d %dl8 -16", x, y+21)
	}
	p.Path("hatch", d.String())
}

// pulses draws the number of pulses of each step that has more than the one drawn.
func (p *picture) pulses() {
	for i, s := range p.excerpt.Trace.Steps {
		if s.Clocks > 1 {
			p.Text("", pixel(i*stepTime+pulses+slot)+6, p.y-pitch+12, fmt.Sprintf("× %d", s.Clocks))
		}
	}
}

// mark frames the cells in which the chip differs, in the rows below y, and draws a cross before each cell.
func (p *picture) mark(y int, s signal) {
	for _, r := range p.intervals(s) {
		if r.bits.v != 0 {
			p.Rect("cell", r.from-2, y+1, r.to-r.from+2, p.y-y-2)
			p.cross(r.from-14, (y+p.y)/2)
		}
	}
}

func (p *picture) cross(x, y int) {
	p.Path("cross", fmt.Sprintf("M%d %dl8 8m0 -8l-8 8", x-4, y-4))
}
