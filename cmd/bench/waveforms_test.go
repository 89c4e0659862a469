package main

import (
	"testing"

	"pgregory.net/rapid"
)

// No two vectors share a file, and no name leads out of the folder or needs quotes.
func TestFileName(t *testing.T) {
	if got, want := fileName("a/..b_%ö", 2), "a~..b_%25%C3%B6@2.vcd"; got != want {
		t.Errorf("file name %s, want %s", got, want)
	}
	names := rapid.StringOf(rapid.SampledFrom([]rune("a~/@2%.\\: ö")))
	rapid.Check(t, func(t *rapid.T) {
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		n, m := rapid.IntRange(1, 3).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "m")
		if a == b && n == m {
			return
		}
		if fileName(a, n) == fileName(b, m) {
			t.Fatalf("%q and %q share %s", a, b, fileName(a, n))
		}
	})
}
