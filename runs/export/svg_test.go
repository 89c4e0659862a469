package export

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/utf"
)

// The picture is XML that a page can embed. It describes each step in words, and marks exactly the cells that differ.
func TestSVG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := excerpts.Draw(t, "excerpt")
		r := &driver.Result{Vector: &golden.Vector{Name: `<script>&"` + "\x00" + whole.Vector}, Trace: &whole.Trace}
		if whole.DivergenceIndex >= 0 {
			r.FirstMismatch = &driver.Mismatch{Index: whole.DivergenceIndex}
		}
		e := AroundDivergence(r)
		var b bytes.Buffer
		if err := WriteSVG(&b, e); err != nil {
			t.Fatal(err)
		}
		pic := readSVG(t, b.Bytes())
		if cells := cellsOf(e); pic.cells != cells || pic.crosses != cells+1 { // one cross is in the legend
			t.Fatalf("%d cells with %d crosses, want %d and one more", pic.cells, pic.crosses, cells)
		}
		if first := strings.Count(pic.words, "first divergence"); (first == 1) != (e.DivergenceIndex >= 0) {
			t.Fatalf("first divergence is marked %d times, it is at %d", first, e.DivergenceIndex)
		}
		for i, s := range e.Trace.Steps {
			does := "step " + strconv.Itoa(e.FirstStep+i+1)
			if !strings.Contains(pic.words, does) || strings.Count(pic.words, tile.Describe(utf.TT09, s)) < 2 {
				// below the step, and in the description
				t.Fatalf("step %d (%s) is not in %q", i+1, tile.Describe(utf.TT09, s), pic.words)
			}
		}
		buses := 0
		for i := range e.Trace.Got {
			out, io := e.Trace.Differ(i).Bytes()
			buses += min(1, int(out)) + min(1, int(io))
		}
		if n := strings.Count(pic.words, "; uo is ") + strings.Count(pic.words, "; uio is "); n != buses {
			t.Fatalf("%d buses differ, and %d are described in %q", buses, n, pic.words)
		}
		if !strings.Contains(pic.words, `<script>&"`) {
			t.Fatalf("the name is not in %q", pic.words)
		}
	})
}

// cellsOf counts the differing cells: in each step, one for each bit of uo and one for uio.
func cellsOf(e *Excerpt) (n int) {
	for i := range e.Trace.Got {
		out, io := e.Trace.Differ(i).Bytes()
		n += strings.Count(tile.Binary(out, 0), "1")
		if io != 0 {
			n++
		}
	}
	return n
}

// A drawing holds the parts of an SVG file that the tests check.
type drawing struct {
	cells, crosses int
	words          string // all text, separated by single spaces
}

// readSVG parses a picture. It fails the test if a page could not embed the picture safely, or if a part is outside it.
func readSVG(t interface{ Fatalf(string, ...any) }, text []byte) (d drawing) {
	width := 0
	for dec := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			d.words = strings.Join(strings.Fields(d.words), " ")
			return d
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.CharData:
			d.words += string(token) + "\n"
		case xml.StartElement:
			if !strings.Contains(" svg title desc style rect path text ", " "+token.Name.Local+" ") {
				t.Fatalf("element %s", token.Name.Local)
			}
			for _, a := range token.Attr {
				n, err := strconv.Atoi(a.Value)
				switch {
				case a.Name.Local == "width" && width == 0:
					width = n
				case a.Name.Local == "x" && (err != nil || n < 0 || n >= width):
					t.Fatalf("x is %s in a picture %d wide", a.Value, width)
				case a.Name.Local == "id" || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on"):
					t.Fatalf("attribute %s", a.Name.Local)
				case a.Name.Local == "class" && a.Value == "cell":
					d.cells++
				case a.Name.Local == "class" && a.Value == "cross":
					d.crosses++
				}
			}
		}
	}
}
