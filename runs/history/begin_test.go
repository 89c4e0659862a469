package history

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/runs/report"
)

// A lost journal is restored completely, except for runs without a recording.
func TestRestored(t *testing.T) {
	path, _, want := threeRuns(t)
	old := open(t, path)
	words, err := old.Vectors(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.strip(1); err != nil {
		t.Fatal(err)
	}
	for _, lose := range []func() error{func() error { return os.Remove(path) },
		func() error { return os.Truncate(path, 0) }} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		w := NewWriter(path)
		_ = w.Start(report.Run{})
		_ = w.End(report.Outcome{Tally: &driver.Tally{}})
		if w.Number() != 4 || !strings.HasPrefix(w.Note(), "the history "+path+" was missing: ") {
			t.Errorf("run %d: %s", w.Number(), w.Note())
		}
		h := open(t, path)
		all := list(t, h, Filter{Before: 4})
		if d := cmp.Diff(want[:2], all); d != "" {
			t.Error(d)
		}
		if v, err := h.Vectors(2); err != nil || cmp.Diff(words, v) != "" {
			t.Errorf("%v, %v", v, err)
		}
		if err := h.strip(4); err != nil {
			t.Fatal(err)
		}
	}
}
