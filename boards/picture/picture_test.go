package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/transport"
)

// The header's drawings name every signal once, next to the pin that the board file gives it.
func TestHeader(t *testing.T) {
	b, err := boards.Open("rpi")
	if err != nil {
		t.Fatal(err)
	}
	var text, svg strings.Builder
	if err := errors.Join(Text(&text, b), SVG(&svg, b)); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(text.String())
	for _, s := range transport.Lines {
		n := 0
		for _, w := range words {
			if w == s {
				n++
			}
		}
		if n != 1 || strings.Count(svg.String(), ">"+s+"<") != 1 {
			t.Errorf("%s is in the text %d times and in the SVG %d times; want once each", s, n,
				strings.Count(svg.String(), ">"+s+"<"))
		}
	}
	for _, row := range []string{
		"           3V3   1 o o 2   5V\n",
		"   ui0   GPIO2   3 o o 4   5V\n",
		"  uio0  GPIO27  13 o o 14  GND\n",
		"         ID_SD  27 o o 28  ID_SC\n",
		"           GND  39 o o 40  GPIO21  uio7\n",
	} {
		if !strings.Contains(text.String(), row) {
			t.Errorf("the text has no row %q:\n%s", row, text.String())
		}
	}
}

func TestSVGIsXML(t *testing.T) {
	b, err := boards.Open("rpi")
	if err != nil {
		t.Fatal(err)
	}
	b.Title = `a <b> & "c"`
	var svg strings.Builder
	if err := SVG(&svg, b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(svg.String())); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}

// Boards without a header have a table, and no SVG.
func TestTable(t *testing.T) {
	b, err := boards.Open("tt-demo-tt04")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := Text(&text, b); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"clk    0\n", "rst_n  3\n", "uo      5   6   7   8  13  14  15  16\n",
		"mux    nrst 7, inc 8, ena 6; 1 selects: low the mux, high uo\n"} {
		if !strings.Contains(text.String(), row) {
			t.Errorf("the table has no row %q:\n%s", row, text.String())
		}
	}
	if err := SVG(io.Discard, b); err == nil || !strings.Contains(err.Error(), "has no header to draw") {
		t.Errorf("SVG: %v; want an error", err)
	}
}
