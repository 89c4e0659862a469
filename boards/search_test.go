package boards

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNear(t *testing.T) {
	x := Shuttles()
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
	designs := Shuttles().Designs()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(designs).Draw(t, "design").Name
		from := rapid.IntRange(0, len(name)-1).Draw(t, "from")
		part := name[from:rapid.IntRange(from+1, len(name)).Draw(t, "to")]
		found := match(designs, strings.ToUpper(part))
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
