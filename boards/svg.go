package boards

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
)

// Sizes in pixels of a picture of places.
const (
	near  = 11  // from pin to pin
	small = 300 // width
)

// DrawHeaderLines draws the board's header as SVG with these lines marked, or returns "" if none is on it.
func DrawHeaderLines(b *Board, lines []string) string {
	pins := b.HeaderPins()
	picture := printable.SVG{Class: "places", Title: b.Title, Width: small, Height: near * (len(pins)/2 + 1),
		Style: []string{"rect{fill:#bbb}", "rect.mark{fill:var(--bad,#c0392b)}"}}
	marked := false
	for i, p := range pins {
		side, class, fill := -1, "right strong", ""
		if i%2 == 1 {
			side, class = 1, "strong"
		}
		x, y := small/2+side*near/2, near/2+i/2*near
		if p.Signal != "" && slices.Contains(lines, p.Signal) {
			marked, fill = true, "mark"
			picture.Text(class, x+side*near, y+4, p.Signal+": "+
				strings.TrimSpace(fmt.Sprintf("%s pin %d", p.Header, p.Number)))
		}
		picture.Rect(fill, x-4, y-4, 8, 8)
	}
	if !marked {
		return ""
	}
	var s strings.Builder
	_ = picture.Write(&s) // a strings.Builder never fails
	return s.String()
}
