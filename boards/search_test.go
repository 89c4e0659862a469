package boards

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	x := load(t)
	for _, c := range []struct {
		shuttle, pattern string
		want             string // names, in order
	}{
		{"tt09", "hardware_UTF", "tt_um_rebeccargb_hardware_utf8"},
		{"tt09", "tt_um_*_utf?", "tt_um_rebeccargb_hardware_utf8"},
		{"tt09", "*_utf", ""},            // a glob matches whole names
		{"tt09", "hardware_utf[89]", ""}, // likewise
		{"tt09", "rebeccargb/hardware-utf8", "tt_um_rebeccargb_hardware_utf8"},
		{"tt09", "rebeccargb/*-utf8", "tt_um_rebeccargb_hardware_utf8"},
		{"tt09", "no such design", ""},
		{"tt04", "chip_rom", "tt_um_chip_rom"},
	} {
		found, err := match(x.Shuttle(c.shuttle).Designs(), c.pattern)
		var names []string
		for _, d := range found {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s, %q: %q, %v; want %q", c.shuttle, c.pattern, got, err, c.want)
		}
	}
	if all, err := match(x.Designs(), ""); err != nil || len(all) != len(x.Designs()) {
		t.Errorf("an empty pattern fits %d designs, %v; want all %d", len(all), err, len(x.Designs()))
	}
	if _, err := match(x.Designs(), "tt_um_[a"); err == nil ||
		!strings.Contains(err.Error(), `"tt_um_[a" is not well-formed`) {
		t.Errorf("a glob without its end: %v", err)
	}
	if _, err := match(nil, "[a"); err == nil {
		t.Error("a glob without its end is refused only where there are designs")
	}
}

func TestNear(t *testing.T) {
	x := load(t)
	for _, c := range []struct{ text, first string }{
		{"hardware_utf9", "tt_um_rebeccargb_hardware_utf8"},
		{"tt_um_rebecargb_hardware_utf8", "tt_um_rebeccargb_hardware_utf8"},
		{"TT_UM_FACTROY_TEST", "tt_um_factory_test"},
		{"xqj", ""},
		{"", ""},
	} {
		near := Similar(x.Designs(), c.text, 3)
		if c.first == "" && c.text != "" && len(near) != 0 || c.first != "" && (len(near) == 0 || near[0] != c.first) ||
			len(near) > 3 {
			t.Errorf("near %q: %v; want %q first, 3 at most", c.text, near, c.first)
		}
	}
}

// distance conforms to its definition: the minimum number of edits to any part of the name.
func TestDistance(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("abc")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		text, name := word.Draw(t, "text"), word.Draw(t, "name")
		want := len(text)
		for i := range len(name) + 1 {
			for j := i; j <= len(name); j++ {
				want = min(want, edits(text, name[i:j]))
			}
		}
		if got := distance(text, name, make([]int, len(text)+1)); got != want {
			t.Fatalf("distance of %q in %q is %d; want %d", text, name, got, want)
		}
	})
}

func edits(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	n := edits(a[1:], b[1:])
	if a[0] != b[0] {
		n++
	}
	return min(n, edits(a[1:], b)+1, edits(a, b[1:])+1)
}

// A part of a name matches exactly the designs that contain it.
func TestMatchParts(t *testing.T) {
	designs := load(t).Designs()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(designs).Draw(t, "design").Name
		from := rapid.IntRange(0, len(name)-1).Draw(t, "from")
		part := name[from:rapid.IntRange(from+1, len(name)).Draw(t, "to")]
		found, err := match(designs, strings.ToUpper(part))
		if err != nil {
			t.Fatal(err)
		}
		fits := map[Design]bool{}
		for _, d := range found {
			fits[d] = true
		}
		for _, d := range designs {
			if has := strings.Contains(strings.ToLower(d.Name+"\n"+d.Repo), strings.ToLower(part)); has != fits[d] {
				t.Fatalf("%q: %+v found %v; want %v", part, d, fits[d], has)
			}
		}
	})
}
