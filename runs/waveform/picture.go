package waveform

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
)

// A Picture is a frame: the chip's, and beside it the expected one if they differ.
type Picture struct {
	Frame             int // from 1
	Wrong, Uncompared int // pixels
	Missing           int // pixels that the stream does not reach
	raster            *Raster
	first             Place // the first wrong pixel
}

// Colours that the six lines of a VGA cannot show.
var (
	grey = color.RGBA{128, 128, 128, 255} // not 0 or 1, or not there
	mark = color.RGBA{255, 128, 0, 255}   // around the first wrong pixel
)

// Picture returns the frame with the first wrong pixel, or else the last whole one.
func (r *Raster) Picture() *Picture {
	last := r.last()
	for clock, s := range r.vga.clocks {
		if s.wrong() == 0 {
			continue
		}
		if p := r.Place(clock); !p.Blanked {
			return r.picture(p.Frame, p)
		}
	}
	return r.picture(last, Place{})
}

// last returns the last frame of which no pixel is missing, or else the first.
func (r *Raster) last() int {
	for frame := len(r.frames); frame > 1; frame-- {
		if at := r.clock(frame, r.mode.width-1, r.mode.height-1); at >= 0 {
			return frame
		}
	}
	return 1
}

// clock returns the last clock of a pixel, or -1 if the stream does not have it.
func (r *Raster) clock(frame, x, y int) int {
	row := r.frames[frame-1] + r.mode.top + y
	if row < 0 || row >= len(r.rows) {
		return -1
	}
	clock := r.rows[row] + (r.mode.left+x)*r.per + r.per - 1
	if clock < r.per-1 || clock >= len(r.vga.clocks) || row+1 < len(r.rows) && clock >= r.rows[row+1] {
		return -1
	}
	return clock
}

func (r *Raster) picture(frame int, first Place) *Picture {
	p := &Picture{Frame: frame, raster: r, first: first}
	p.each(func(_, _, clock int) {
		switch {
		case clock < 0:
			p.Missing++
		case r.any(clock, shown.wrong):
			p.Wrong++
		case r.any(clock, func(s shown) uint8 { return s.wantX }):
			p.Uncompared++
		}
	})
	return p
}

// any reports whether some clock of the pixel that ends here has such a line.
func (r *Raster) any(clock int, lines func(shown) uint8) bool {
	return slices.ContainsFunc(r.vga.clocks[clock-r.per+1:clock+1], func(s shown) bool { return lines(s) != 0 })
}

// sample returns the first wrong sample of the pixel that ends here, or else the last.
func (r *Raster) sample(clock int) shown {
	for _, s := range r.vga.clocks[clock-r.per+1 : clock+1] {
		if s.wrong() != 0 {
			return s
		}
	}
	return r.vga.clocks[clock]
}

// each visits the pixels, with their last clock or -1.
func (p *Picture) each(do func(x, y, clock int)) {
	for y := range p.raster.mode.height {
		for x := range p.raster.mode.width {
			do(x, y, p.raster.clock(p.Frame, x, y))
		}
	}
}

// String describes the picture.
func (p *Picture) String() string {
	m := p.raster.mode
	text := fmt.Sprintf("frame %d, %d by %d pixels", p.Frame, m.width, m.height)
	if p.Missing > 0 {
		text += fmt.Sprintf(", %d of them not captured", p.Missing)
	}
	if p.Wrong > 0 {
		text += fmt.Sprintf(", %d of them wrong: the expected frame is to the right, and a cross marks the first",
			p.Wrong)
	}
	if p.Uncompared > 0 {
		text += fmt.Sprintf(", %d of them compared with no reference, which have grey stripes", p.Uncompared)
	}
	return text
}

// Write writes the picture as a PNG.
func (p *Picture) Write(w io.Writer) error {
	m := p.raster.mode
	width := m.width
	if p.Wrong > 0 {
		width *= 2
	}
	img := image.NewRGBA(image.Rect(0, 0, width, m.height))
	p.each(func(x, y, clock int) {
		if clock < 0 {
			img.SetRGBA(x, y, grey)
			return
		}
		s := p.raster.sample(clock)
		img.SetRGBA(x, y, colour(s.got, s.gotX))
		if s.wantX != 0 && (x+y)%8 == 0 {
			img.SetRGBA(x, y, grey)
		}
		if p.Wrong > 0 {
			img.SetRGBA(m.width+x, y, colour(s.want, s.wantX))
		}
	})
	if p.Wrong > 0 {
		p.cross(img)
	}
	return png.Encode(w, img)
}

// colour returns the colour of a pixel.
func colour(levels, unknownBits uint8) color.RGBA {
	if unknownBits&^(hsync|vsync) != 0 {
		return grey
	}
	channel := func(i int) uint8 { return 85 * (levels>>i&1<<1 | levels>>(i+4)&1) }
	return color.RGBA{channel(0), channel(1), channel(2), 255}
}

// cross draws four lines around the first wrong pixel.
func (p *Picture) cross(img *image.RGBA) {
	const near, far = 3, 12
	visible := image.Rect(0, 0, p.raster.mode.width, p.raster.mode.height)
	for d := near; d <= far; d++ {
		for _, at := range []image.Point{{d, 0}, {-d, 0}, {0, d}, {0, -d}} {
			if at = at.Add(image.Pt(p.first.X, p.first.Y)); at.In(visible) {
				img.SetRGBA(at.X, at.Y, mark)
			}
		}
	}
}
