package printable

import (
	"fmt"
	"io"
	"strings"
)

// An SVG is a picture, as a file or embedded in a page, without scripts, fonts and ids. It takes its colours from the
// page: the text colour for lines and words, and the variables --good, --bad, --warn and --fault. A separate picture
// follows the light or dark preference.
type SVG struct {
	Class              string // class of the picture, with which all rules of its style begin
	Title, Description string
	Style              []string // rules, such as "rect{fill:none}"; svgStyle contains the common ones
	Width, Height      int      // in pixels

	body strings.Builder
}

// svgStyle contains the rules of all pictures; .C stands for their class.
const svgStyle = `.C:root{--drawn:#1b1f24}
@media (prefers-color-scheme:dark){.C:root{--drawn:#e6e9ed;--good:#3fb950;--bad:#ff7b72;--warn:#d29922;--fault:#bc8cff}}
.C{font:12px ui-sans-serif,system-ui,sans-serif;color:var(--drawn,currentColor);max-width:100%;height:auto}
.C text{fill:currentColor}
.C .right{text-anchor:end}
.C .middle{text-anchor:middle}
.C .strong{font-weight:700}
`

// Text writes text with its baseline at y; class determines which end of it is at x. An empty text is not written.
func (s *SVG) Text(class string, x, y int, text string) {
	if text != "" {
		fmt.Fprintf(&s.body, `<text%s x="%d" y="%d">%s</text>`+"\n", classOf(class), x, y, XML(text))
	}
}

// Rect draws a rectangle.
func (s *SVG) Rect(class string, x, y, width, height int) {
	fmt.Fprintf(&s.body, `<rect%s x="%d" y="%d" width="%d" height="%d"/>`+"\n", classOf(class), x, y, width, height)
}

// Path draws a path in SVG's notation, such as "M2 3h5". An empty path is not drawn.
func (s *SVG) Path(class, path string) {
	if path != "" {
		fmt.Fprintf(&s.body, `<path%s d="%s"/>`+"\n", classOf(class), path)
	}
}

// Group adds a tooltip to the shapes drawn by draw.
func (s *SVG) Group(tooltip string, draw func()) {
	fmt.Fprintf(&s.body, "<g><title>%s</title>", XML(tooltip))
	draw()
	s.body.WriteString("</g>\n")
}

func classOf(class string) string {
	if class == "" {
		return ""
	}
	return ` class="` + class + `"`
}

// Write writes the whole picture.
func (s *SVG) Write(w io.Writer) error {
	style := strings.ReplaceAll(svgStyle, ".C", "."+s.Class)
	for _, rule := range s.Style {
		style += "." + s.Class + " " + rule + "\n"
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" class="%s" role="img" width="%d" height="%d" `+
		`viewBox="0 0 %[2]d %[3]d">`+"\n<title>%s</title>\n<desc>%s</desc>\n<style>\n%s</style>\n%s</svg>\n", s.Class,
		s.Width, s.Height, XML(s.Title), XML(s.Description), style, s.body.String())
	return err
}
