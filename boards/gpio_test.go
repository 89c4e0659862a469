package boards

import (
	"bytes"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

// Every embedded board is valid, and its pins have numbers unless its transport finds them by name.
func TestEmbedded(t *testing.T) {
	for _, name := range Names() {
		b, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if b.Transport == "gpio" {
			if len(b.Chips) == 0 {
				t.Errorf("%s names no GPIO chip", name)
			}
			continue
		}
		pins, _, err := b.PinNumbers()
		if b.Name != name || len(pins) != len(transport.Lines) || err != nil {
			t.Errorf("%s: name %q, %d pins, %v; want its file's name, %d pins and no error", name, b.Name, len(pins),
				err, len(transport.Lines))
		}
	}
}

func TestHigh(t *testing.T) {
	text := testkit.Must(embedded.ReadFile("tt-demo-tt04.yaml"))(t)
	for _, c := range []struct{ high, want string }{
		{"mux: {nrst: 7, inc: 8, ena: 6}", "pin 7 is given to mux's nrst, but it is uo2's already"},
		{"high: [1]", ""},
		{"high: [1]\nmux: {nrst: 29, inc: 4, ena: 2, select: 1}", "pin 1 is given to mux's select, but " +
			"it is high's already"},
		{"high: [2, 4]", ""},
		{"high: 1", "has to be a list"},
		{"high: [3]", "pin 3 is given to high, but it is rst_n's already"},
		{"high: [1, 1]", "pin 1 is given to high, but"},
		{"high: [GPIO1]", `"GPIO1" is not the number of a GPIO`},
		{"high: [1000]", `"1000" is not the number of a GPIO`},
	} {
		b, err := Parse("b.yaml", []byte(strings.Replace(string(text[:bytes.Index(text, []byte("taken:"))]),
			"mux: {nrst: 7, inc: 8, ena: 6, select: 1}", c.high, 1)))
		if err == nil {
			_, _, err = b.PinNumbers()
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v; want no error", c.high, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "b.yaml:")):
			t.Errorf("%s: %v; want file, line and %q", c.high, err, c.want)
		}
	}
}

// The select pin of a board's multiplexer is among the pins to hold high, and the mux's other pins are shared with uo.
func TestMux(t *testing.T) {
	b := testkit.Must(Open("tt-demo-tt04"))(t)
	_, high, err := b.PinNumbers()
	if err != nil || len(high) != 1 || high[0] != 1 {
		t.Errorf("pins to keep high: %v, %v; want 1", high, err)
	}
	if n, err := b.MuxPinNumbers(); err != nil || n != [4]int{7, 8, 6, 1} {
		t.Errorf("mux: %v, %v; want 7 8 6 1", n, err)
	}
	b.Mux.Select.Name, b.Mux.Ena.Name = "", "LED"
	if n, err := b.MuxPinNumbers(); err == nil {
		t.Errorf("mux with ena at LED: %v; want an error", n)
	}
}
