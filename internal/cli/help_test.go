package cli

import "testing"

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text, want string
		width      int
	}{
		{"", "", 10}, {"one", "one", 3}, {"one two", "one two", 7}, {"one two", "one\ntwo", 6},
		{"a  long-word\nb", "a\nlong-word\nb", 4},
	} {
		if got := wrapped(c.text, c.width); got != c.want {
			t.Errorf("%q in %d columns: %q; want %q", c.text, c.width, got, c.want)
		}
	}
}
