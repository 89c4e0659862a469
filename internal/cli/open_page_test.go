package cli

import "testing"

func TestOpener(t *testing.T) {
	for system, want := range map[string]string{"windows": "rundll32", "darwin": "open", "linux": "xdg-open",
		"freebsd": "xdg-open"} {
		if got := opener(system); got[0] != want {
			t.Errorf("%s: %q; want %s", system, got, want)
		}
	}
}
