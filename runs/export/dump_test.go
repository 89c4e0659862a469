package export

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// A dump is a parsed VCD file.
type dump struct {
	ids     map[string]string // ids by scope.name
	changes map[string][]change
	end     int
}

type change struct {
	at    int
	value string
}

// parseVCD parses a file. It fails the test if a viewer would reject the file.
func parseVCD(t rapid.TB, text string) *dump {
	d := &dump{ids: map[string]string{}, changes: map[string][]change{}, end: -1}
	words := strings.Fields(text)
	widths, scope := map[string]int{}, ""
	next := func() string {
		if len(words) == 0 {
			t.Fatal("the file ends too early")
		}
		w := words[0]
		words = words[1:]
		return w
	}
	body := func() (s []string) {
		for w := next(); w != "$end"; w = next() {
			s = append(s, w)
		}
		return s
	}
	set := func(id, value string) {
		w, ok := widths[id]
		if !ok || d.end < 0 || len(value) > w {
			t.Fatalf("%q is set to %q at %d", id, value, d.end)
		}
		if len(value) < w {
			value = strings.Repeat("0", w-len(value)) + value
		}
		d.changes[id] = append(d.changes[id], change{d.end, value})
	}
	for len(words) > 0 {
		switch w := next(); {
		case w == "$scope":
			scope = body()[1]
		case w == "$var":
			b := body()
			width, err := strconv.Atoi(b[1])
			if err != nil || d.ids[scope+"."+b[3]] != "" {
				t.Fatalf("$var %q", b)
			}
			widths[b[2]], d.ids[scope+"."+b[3]] = width, b[2]
		case w == "$dumpvars", w == "$end":
		case w[0] == '$':
			body()
		case w[0] == '#':
			at, err := strconv.Atoi(w[1:])
			if err != nil || at < d.end {
				t.Fatalf("time %s after %d", w, d.end)
			}
			d.end = at
		case w[0] == 'b':
			set(next(), w[1:])
		case strings.ContainsRune("01xz", rune(w[0])):
			set(w[1:], w[:1])
		default:
			t.Fatalf("unknown word %q", w)
		}
	}
	return d
}

func (d *dump) at(name string, at int) (value string) {
	for _, c := range d.changes[d.ids[name]] {
		if c.at > at {
			break
		}
		value = c.value
	}
	return value
}

// rises counts the rising edges of a signal at times in [from, to).
func (d *dump) rises(name string, from, to int) (n int) {
	for _, c := range d.changes[d.ids[name]] {
		if c.value == "1" && c.at >= from && c.at < to {
			n++
		}
	}
	return n
}
