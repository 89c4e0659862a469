package shmoo

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	scale  = 2  // pixels of the PNG for one of the layout, so that it can be printed
	title  = 24 // how high the line of the title is, above the layout
	margin = 12 // left and right of the title
	size   = 12 // of the letters
)

var edge = color.NRGBA{A: 77} // of a cell, over its colour

// PNG draws what SVG draws, with its title above, for places that take no SVG.
func (g *Grid) PNG(w io.Writer) error {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return err
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size * scale, DPI: 72})
	if err != nil {
		return err
	}
	words := g.About.Title()
	width, height := g.size()
	width = max(width, font.MeasureString(face, words).Ceil()/scale+2*margin)
	p := &pngPen{image.NewRGBA(image.Rect(0, 0, width*scale, (height+title)*scale)), face}
	draw.Draw(p.img, p.img.Bounds(), image.White, image.Point{}, draw.Src)
	p.text(alignLeft, margin, -6, words)
	g.draw(p)
	return png.Encode(w, p.img)
}

type pngPen struct {
	img  *image.RGBA
	face font.Face
}

func (p *pngPen) text(a align, x, y int, words string) {
	at := fixed.P(x*scale, (y+title)*scale)
	switch length := font.MeasureString(p.face, words); a {
	case alignMiddle:
		at.X -= length / 2
	case alignRight:
		at.X -= length
	}
	(&font.Drawer{Dst: p.img, Src: image.Black, Face: p.face, Dot: at}).DrawString(words)
}

func (p *pngPen) cell(l *look, x, y, width int, _ string) {
	area := image.Rect(x+1, y+1+title, x+width-1, y+row-1+title)
	draw.Draw(p.img, image.Rectangle{area.Min.Mul(scale), area.Max.Mul(scale)}, image.NewUniform(l.fill),
		image.Point{}, draw.Over)
	p.frame(area, l.dashed)
	for _, line := range l.sign {
		for i := range line[1:] {
			p.stroke(line[i], line[i+1], image.Pt(x+width/2, y+row/2+title))
		}
	}
}

// frame draws the edge of a cell; dashes are 2 long and 3 apart.
func (p *pngPen) frame(r image.Rectangle, dashed bool) {
	dot := func(i, x, y int) {
		if !dashed || i%5 < 2 {
			draw.Draw(p.img, image.Rect(x*scale, y*scale, (x+1)*scale, (y+1)*scale), image.NewUniform(edge),
				image.Point{}, draw.Over)
		}
	}
	for x := range r.Dx() {
		dot(x, r.Min.X+x, r.Min.Y)
		dot(x, r.Min.X+x, r.Max.Y-1)
	}
	for y := 1; y < r.Dy()-1; y++ {
		dot(y, r.Min.X, r.Min.Y+y)
		dot(y, r.Max.X-1, r.Min.Y+y)
	}
}

// stroke draws a line of a sign, 1.8 wide, that goes on for half of this at each end.
func (p *pngPen) stroke(from, to point, middle image.Point) {
	const half = .9
	length := math.Hypot(to.x-from.x, to.y-from.y)
	ux, uy := (to.x-from.x)/length*half, (to.y-from.y)/length*half
	v := vector.NewRasterizer(row*scale, row*scale) // the square about the middle; every sign is in it
	corner := func(put func(x, y float32), x, y float64) { put(float32((row/2+x)*scale), float32((row/2+y)*scale)) }
	corner(v.MoveTo, from.x-ux+uy, from.y-uy-ux)
	corner(v.LineTo, to.x+ux+uy, to.y+uy-ux)
	corner(v.LineTo, to.x+ux-uy, to.y+uy+ux)
	corner(v.LineTo, from.x-ux-uy, from.y-uy+ux)
	v.ClosePath()
	at := middle.Sub(image.Pt(row/2, row/2)).Mul(scale)
	v.Draw(p.img, v.Bounds().Add(at), image.Black, image.Point{})
}
