package failure

import (
	"testing"

	"pgregory.net/rapid"
)

func TestOf(t *testing.T) {
	suites := []string{"0", "chip", "forms", "guide", "man7", "sequences", "states"}
	for typed, want := range map[string]string{
		"chips": "chip", "chp": "chip", "CHIP": "chip", "hcip": "chip", "from": "", "form": "forms", "seq": "sequences",
		"sequenecs": "sequences", "state": "states", "": "", "s": "", "man": "man7", "elephant": "", "g": "",
	} {
		if got := Nearest(typed, suites); got != want {
			t.Errorf("Of(%q) = %q; want %q", typed, got, want)
		}
	}
	if got := DidYouMean("chp", suites); got != " (did you mean chip?)" {
		t.Errorf("Hint says %q", got)
	}
	if got := DidYouMean("elephant", suites); got != "" {
		t.Errorf("Hint says %q of a word that is none of them", got)
	}
}

// distance is 0 only for equal words, is symmetric, and is at most the length of the longer word.
func TestDistance(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		n := distance(a, b)
		if (n == 0) != (a == b) || n != distance(b, a) || n > max(len(a), len(b)) || n < len(a)-len(b) {
			t.Fatalf("%q and %q: %d, and %d the other way", a, b, n, distance(b, a))
		}
	})
	for _, c := range []struct {
		a, b string
		want int
	}{{"run", "rnu", 1}, {"fault", "fualt", 1}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %d; want %d", c.a, c.b, got, c.want)
		}
	}
}
