package boards

import (
	"fmt"
	"io"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// Sizes of a strip, in mm. The pins of a header with a pitch of 0.1 inch are 2.54 mm apart.
const (
	apart  = 2.54
	beside = 34.0 // width of the text on each side
	hole   = 5.4  // gap for the two rows of pins
	border = 3.0
	words  = 1.7 // height of the letters
)

// WriteLabels draws a strip to print unscaled and to put over a header's pins after cutting out the middle. It shows
// each pin's function and the tile's name for it.
func WriteLabels(w io.Writer, b *Board, of Functions) error {
	if b.PMODs != nil {
		return failure.Usagef("%s has no header for a strip of labels: --svg draws its PMOD headers", b.Name)
	}
	pins, err := pinsOf(b)
	if err != nil {
		return err
	}
	wide, high := 2*(border+beside)+hole, 2*border+apart*float64(len(pins)/2)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%gmm" height="%gmm" viewBox="0 0 %[1]g %[2]g" `+
		`font-family="sans-serif" font-size="%g">`+"\n", wide, high, words)
	fmt.Fprintf(&s, "<title>%s</title>\n", printable.XML(b.Title))
	left := border + beside
	fmt.Fprintf(&s, `<rect width="%g" height="%g" fill="white"/>`+"\n", wide, high)
	fmt.Fprintf(&s, `<g fill="none" stroke="black" stroke-width=".1"><rect x=".1" y=".1" width="%g" height="%g"/>`+
		`<rect x="%g" y="%g" width="%g" height="%g" stroke-dasharray=".5"/></g>`+"\n", wide-.2, high-.2, left, border,
		hole, high-2*border)
	for i, p := range pins {
		x, anchor := left-1, "end"
		if i%2 == 1 {
			x, anchor = left+hole+1, "start"
		}
		y := border + apart*(float64(i/2)+.5) + words*.35
		fmt.Fprintf(&s, `<text x="%g" y="%.2f" text-anchor="%s">%s</text>`+"\n", x, y, anchor,
			printable.XML(at(p, of, i%2 == 1)))
	}
	s.WriteString("</svg>\n")
	_, err = io.WriteString(w, s.String())
	return err
}

// at returns the label of a pin, with the number on the inner side.
func at(p HeaderPin, of Functions, right bool) string {
	parts := []string{fmt.Sprint(p.Number), p.Signal, of(p.Signal)}
	if p.Signal == "" {
		parts = []string{fmt.Sprint(p.Number), p.Name}
	}
	if parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	if !right {
		for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
			parts[i], parts[j] = parts[j], parts[i]
		}
	}
	return strings.Join(parts, " ")
}
