package boards

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// Sizes in pixels.
const (
	pitch  = 24  // from pin to pin
	margin = 48  // above the first row
	middle = 320 // between the two columns of pins
	width  = 2 * middle
)

// WriteSVG draws the header for a printer or a browser.
func WriteSVG(w io.Writer, b *Board, of Functions) error {
	pins, err := pinsOf(b)
	if err != nil {
		return err
	}
	height := margin + (len(pins)/2+1)*pitch
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="monospace" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&s, `<title>%s</title>`+"\n", printable.XML(b.Title))
	fmt.Fprintf(&s, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	label(&s, middle, margin/2, "middle", "black", true, b.Name+": "+b.Title)
	headers := max(1, len(b.PMODs))
	for i, each := 0, len(pins)/2*pitch/headers; i < headers; i++ {
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#222"/>`+"\n", middle-pitch,
			margin-pitch/2+i*each, 2*pitch, each-2)
	}
	for i, p := range pins {
		drawPin(&s, i, p, of(p.Signal))
	}
	s.WriteString("</svg>\n")
	_, err = io.WriteString(w, s.String())
	return err
}

// Sizes in pixels of a picture of places.
const (
	near  = 11  // from pin to pin
	small = 300 // width
)

// Places draws the board's header and marks only the places of these lines. It returns "" without a place.
func Places(b *Board, lines []string) string {
	pins := b.HeaderPins()
	height := near * (len(pins)/2 + 1)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-size="11"><title>%s</title>`, small, height, small, height, printable.XML(b.Title))
	marked := false
	for i, p := range pins {
		side, anchor := -1, "end"
		if i%2 == 1 {
			side, anchor = 1, "start"
		}
		x, y, fill := small/2+side*near/2, near/2+i/2*near, "#bbb"
		if p.Signal != "" && slices.Contains(lines, p.Signal) {
			marked, fill = true, "#c0392b"
			label(&s, x+side*near, y+4, anchor, fill, true, p.Signal+": "+
				strings.TrimSpace(fmt.Sprintf("%s pin %d", p.Header, p.Number)))
		}
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="8" height="8" fill="%s"/>`, x-4, y-4, fill)
	}
	if !marked {
		return ""
	}
	return s.String() + "</svg>"
}

func pinsOf(b *Board) ([]HeaderPin, error) {
	if pins := b.HeaderPins(); pins != nil {
		return pins, nil
	}
	return nil, failure.Usagef("%s has no header to draw: give its file the line `header: %s`; without --svg "+
		"there is a table", b.Name, HeaderRPi)
}

// drawPin draws odd pins on the left, with their text outside. Pin 1 is square, as on the board.
func drawPin(s *strings.Builder, i int, p HeaderPin, function string) {
	side, anchor := -1, "end"
	if i%2 == 1 {
		side, anchor = 1, "start"
	}
	x, y := middle+side*pitch/2, margin+i/2*pitch
	round := 7
	if p.Number == 1 {
		round = 0
	}
	fmt.Fprintf(s, `<rect x="%d" y="%d" width="14" height="14" rx="%d" fill="%s"/>`+"\n", x-7, y-7, round, colour(p))
	label(s, middle+side*(pitch+4), y+4, anchor, "gray", false, fmt.Sprint(p.Number))
	label(s, middle+side*(pitch+28), y+4, anchor, "black", false, p.Name)
	label(s, middle+side*(pitch+92), y+4, anchor, colour(p), true, p.Signal)
	label(s, middle+side*(pitch+134), y+4, anchor, "black", false, function)
}

func label(s *strings.Builder, x, y int, anchor, fill string, bold bool, text string) {
	if text == "" {
		return
	}
	weight := ""
	if bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(s, `<text x="%d" y="%d" text-anchor="%s" fill="%s"%s>%s</text>`+"\n", x, y, anchor, fill,
		weight, printable.XML(text))
}

// colour returns the colour of a pin's bus; the signal's name is printed too.
func colour(p HeaderPin) string {
	switch {
	case strings.HasPrefix(p.Signal, "uio"):
		return "#8e44ad"
	case strings.HasPrefix(p.Signal, "ui"):
		return "#1f6fb4"
	case strings.HasPrefix(p.Signal, "uo"):
		return "#2e8b57"
	case p.Signal != "":
		return "#c47f00"
	case p.Name == "GND":
		return "#777"
	case p.Name == "3V3" || p.Name == "5V":
		return "#c0392b"
	}
	return "#bbb"
}
