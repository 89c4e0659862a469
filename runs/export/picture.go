package export

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
)

// A Picture shows a frame from the chip, beside the expected frame if they differ.
type Picture struct {
	Frame         int // from 1
	WrongPixels   int // number of wrong pixels
	MissingPixels int // number of pixels that the stream does not contain
	raster        *Raster
}

// grey is the colour of pixels that are missing or have an unknown line. The six colour lines of VGA cannot show it.
var grey = color.RGBA{128, 128, 128, 255}

// Picture returns the frame with the first wrong pixel, or else the last complete one.
func (r *Raster) Picture() *Picture {
	for clock, s := range r.vga.clocks {
		if s.wrong() != 0 {
			if p := r.Place(clock); !p.Blanked {
				return r.picture(p.Frame)
			}
		}
	}
	for frame := len(r.frames); frame > 1; frame-- {
		if r.pixel(frame, r.mode.width-1, r.mode.height-1) != nil {
			return r.picture(frame)
		}
	}
	return r.picture(1)
}

// pixel returns the samples at the clocks of a pixel, or nil if the stream does not contain them all.
func (r *Raster) pixel(frame, x, y int) []shown {
	row := r.frames[frame-1] + r.mode.top + y
	if row < 0 || row >= len(r.rows) {
		return nil
	}
	first := r.rows[row] + (r.mode.left+x)*r.per
	end := first + r.per
	if first < 0 || end > len(r.vga.clocks) || row+1 < len(r.rows) && end > r.rows[row+1] {
		return nil
	}
	return r.vga.clocks[first:end]
}

func (r *Raster) picture(frame int) *Picture {
	p := &Picture{Frame: frame, raster: r}
	p.each(func(_, _ int, s *shown) {
		switch {
		case s == nil:
			p.MissingPixels++
		case s.wrong() != 0:
			p.WrongPixels++
		}
	})
	return p
}

// each calls do for each pixel with its first wrong sample, or else its first sample, or nil if it is missing.
func (p *Picture) each(do func(x, y int, s *shown)) {
	for y := range p.raster.mode.height {
		for x := range p.raster.mode.width {
			all := p.raster.pixel(p.Frame, x, y)
			if all == nil {
				do(x, y, nil)
				continue
			}
			i := max(0, slices.IndexFunc(all, func(s shown) bool { return s.wrong() != 0 }))
			do(x, y, &all[i])
		}
	}
}

// String describes the picture.
func (p *Picture) String() string {
	m := p.raster.mode
	text := fmt.Sprintf("frame %d, %d by %d pixels", p.Frame, m.width, m.height)
	if p.MissingPixels > 0 {
		text += fmt.Sprintf(", %d of them not captured", p.MissingPixels)
	}
	if p.WrongPixels > 0 {
		text += fmt.Sprintf(", %d of them wrong: the expected frame is to the right", p.WrongPixels)
	}
	return text
}

// Write writes the picture as a PNG.
func (p *Picture) Write(w io.Writer) error {
	m := p.raster.mode
	width := m.width
	if p.WrongPixels > 0 {
		width *= 2
	}
	img := image.NewRGBA(image.Rect(0, 0, width, m.height))
	p.each(func(x, y int, s *shown) {
		if s == nil {
			img.SetRGBA(x, y, grey)
			return
		}
		img.SetRGBA(x, y, colour(s.got, s.gotX))
		if p.WrongPixels > 0 {
			img.SetRGBA(m.width+x, y, colour(s.want, s.wantX))
		}
	})
	return png.Encode(w, img)
}

func colour(levels, unknownBits uint8) color.RGBA {
	if unknownBits&^(hsync|vsync) != 0 {
		return grey
	}
	channel := func(i int) uint8 { return 85 * (levels>>i&1<<1 | levels>>(i+4)&1) }
	return color.RGBA{channel(0), channel(1), channel(2), 255}
}
