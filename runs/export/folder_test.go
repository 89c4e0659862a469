package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
)

// If the folder disappears during the run, a single error reports that and blames the bench.
func TestWaveformsCannotBeWritten(t *testing.T) {
	w := VCDFolder{Path: filepath.Join(t.TempDir(), "waves")}
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(w.Path); err != nil || len(left) > 0 {
		t.Fatalf("%v is left in the folder, %v", left, err)
	}
	if err := os.Remove(w.Path); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/first", "a/second"} {
		err := w.Result(&driver.Result{Vector: &golden.Vector{Name: name}, Verdict: driver.Fail,
			Trace: &driver.Trace{Tile: utf.TT09}})
		if err == nil || !strings.Contains(err.Error(), "a~first.vcd cannot be written: no such file") ||
			w.CountFiles() != 0 {
			t.Errorf("%s: error %v, %d files", name, err, w.CountFiles())
		}
	}
}

// No two vectors share a file, and no file name leads out of the folder or has to be quoted.
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
