package boards

import (
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

func bare(string) string { return "" }

// The text shows the tile's name of a signal beside its pin.
func TestFunctions(t *testing.T) {
	b := testkit.Must(Open("rpi"))(t)
	of := func(signal string) string {
		return map[string]string{"ui0": "/ROUT", "uo5": "ERROR", "": ""}[signal]
	}
	var text strings.Builder
	if err := WriteText(&text, b, of); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{" /ROUT   ui0   GPIO2   3 o o 4   5V\n", "32  GPIO12  uo5    ERROR\n"} {
		if !strings.Contains(text.String(), row) {
			t.Errorf("no %q in\n%s", row, text.String())
		}
	}
}

// The drawing of a header shows every signal once, beside its pin.
func TestHeader(t *testing.T) {
	b := testkit.Must(Open("rpi"))(t)
	var text strings.Builder
	if err := WriteText(&text, b, bare); err != nil {
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
		if n != 1 {
			t.Errorf("%s is in the text %d times; want once", s, n)
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

// A demo board has PMOD headers with the printed labels: pin 4 of J13 carries uo3.
func TestPMODs(t *testing.T) {
	b := testkit.Must(Open("tt-demo-rp2350"))(t)
	var text strings.Builder
	if err := WriteText(&text, b, bare); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"uo     33  34  35  36",
		"   uo3     J13   4 o o 10  J13     uo7\n", "  3V3   6 o o 12  3V3\n"} {
		if !strings.Contains(text.String(), row) {
			t.Errorf("no row %q:\n%s", row, &text)
		}
	}
}

// WriteText writes a table for a board without a header.
func TestTable(t *testing.T) {
	b := testkit.Must(Open("tt-demo-tt04"))(t)
	var text strings.Builder
	if err := WriteText(&text, b, bare); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"clk    0\n", "rst_n  3\n", "uo      5   6   7   8  13  14  15  16\n",
		"mux    nrst 7, inc 8, ena 6; 1 selects: low the mux, high uo\n"} {
		if !strings.Contains(text.String(), row) {
			t.Errorf("the table has no row %q:\n%s", row, text.String())
		}
	}
}
