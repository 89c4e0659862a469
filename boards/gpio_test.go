package boards

import (
	"strings"
	"testing"
)

// Every embedded board is valid, and numbers its pins unless its transport finds them by name.
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
		pins, _, err := b.GPIO()
		if b.Name != name || len(pins) != len(Signals) || err != nil {
			t.Errorf("%s: name %q, %d pins, %v; want its file's name, %d pins and no error", name, b.Name, len(pins), err, len(Signals))
		}
	}
}

func TestHigh(t *testing.T) {
	text, err := embedded.ReadFile("tt-demo-tt04.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ high, want string }{
		{"high: [1]", ""},
		{"high: [2, 4]", ""},
		{"high: 1", "has to be a list"},
		{"high: [3]", "pin 3 is to be kept high, but rst_n has it already"},
		{"high: [1, 1]", "pin 1 is to be kept high, but"},
		{"high: [GPIO1]", `"GPIO1" is not the number of a GPIO`},
		{"high: [1000]", `"1000" is not the number of a GPIO`},
	} {
		b, err := Parse("b.yaml", []byte(strings.Replace(string(text), "high: [1]", c.high, 1)))
		if err == nil {
			_, _, err = b.GPIO()
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v; want no error", c.high, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "b.yaml:")):
			t.Errorf("%s: %v; want file, line and %q", c.high, err, c.want)
		}
	}
}
