package bundle

import "testing"

// A recording may contain any file name; the bundle's entries stay in their folder on every system.
func TestSafeName(t *testing.T) {
	for path, want := range map[string]string{
		"a/own.vec": "own.vec", `..\..\evil.vec`: "evil.vec", "../..": "", "C:evil": "evil", "a.vec:stream": "stream",
		"x\x00\u202e.vec": "x__.vec",
		"nul .":           "nul_", "CON": "CON", "": "",
	} {
		if got := safeName(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}
