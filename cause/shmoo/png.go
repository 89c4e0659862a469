package shmoo

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

const (
	scale = 2  // pixels of the PNG for one of the layout, so that it can be printed
	size  = 12 // of the letters
)

var edge = color.NRGBA{A: 77} // of a cell, over its colour

// face has the letters of a PNG.
var face = sync.OnceValue(func() font.Face {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	made, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size * scale, DPI: 72})
	if err != nil {
		panic(err)
	}
	return made
})

// lengthOf returns the width of words in the picture; an SVG's letters are about as wide.
func lengthOf(words string) int { return font.MeasureString(face(), words).Ceil() / scale }

// PNG draws what SVG draws, for places that take no SVG.
func (g *Grid) PNG(w io.Writer) error {
	width, height := g.size()
	p := &pngPen{image.NewRGBA(image.Rect(0, 0, width*scale, height*scale))}
	draw.Draw(p.img, p.img.Bounds(), image.White, image.Point{}, draw.Src)
	g.draw(p)
	return png.Encode(w, p.img)
}

type pngPen struct{ img *image.RGBA }

func (p *pngPen) text(a align, x, y int, words string) {
	at := fixed.P(x*scale, y*scale)
	switch length := font.MeasureString(face(), words); a {
	case alignMiddle:
		at.X -= length / 2
	case alignRight:
		at.X -= length
	}
	(&font.Drawer{Dst: p.img, Src: image.Black, Face: face(), Dot: at}).DrawString(words)
}

func (p *pngPen) cell(l *look, x, y, width int, _ string) {
	area := image.Rect(x+1, y+1, x+width-1, y+row-1)
	draw.Draw(p.img, image.Rectangle{area.Min.Mul(scale), area.Max.Mul(scale)}, image.NewUniform(l.fill),
		image.Point{}, draw.Over)
	p.frame(area, l.dashed)
	p.text(alignMiddle, x+width/2, y+row/2+4, l.mark)
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
