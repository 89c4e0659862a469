package history

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/runs/report"
)

// The history of an older bench is taken over. testdata/former has the head of its database and two recordings, of
// `bench run --suite guide --run guide.short --seed 1`, and of one with `--fault uo3=stuck1 --tag vdd=1.8`, and that
// bench's output of `bench history --json`.
func TestFormer(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "former"))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "history.db")
	died, err := os.ReadFile(Recording(path, 7))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"9.rec.part": died[:len(died)/2], "11.rec": []byte("no recording")} {
		if err := os.WriteFile(filepath.Join(runs(path), name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "history.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := []*Run{{Number: 9}}
	for line := range bytes.Lines(text) {
		r := new(Run)
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatal(err)
		}
		want = append(want, r)
	}
	want[0].Start = want[1].Start // it is half of run 7
	h := open(t, path)
	if d := cmp.Diff(want, list(t, h, Filter{})); d != "" {
		t.Error(d)
	}
	if v, err := h.Vectors(7); len(v) != 35 || v[0].Verdict != "FAIL" || err != nil {
		t.Errorf("%d vectors, %v, %v", len(v), v, err)
	}
	if n := reserve(t, h); n != 12 {
		t.Errorf("the next run is %d", n)
	}
	aside, _ := filepath.Glob(path + ".old-*")
	if len(aside) != 1 || !strings.HasSuffix(h.Note(), "with 4 runs from recordings") {
		t.Fatalf("set aside: %v", aside)
	}
	kept, err := os.ReadFile(aside[0])
	if head, herr := os.ReadFile(filepath.Join("testdata", "former", "history.db")); err != nil || herr != nil ||
		!bytes.Equal(kept, head) {
		t.Errorf("set aside: %q, %v, %v", kept, err, herr)
	}
}

// A lost journal is restored completely, except for runs without a recording. The lab still recognises its runs.
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
		if n, err := h.Handed(sumOf(h.Recording(2))); n != 2 || err != nil {
			t.Errorf("it is handed in as %d, %v", n, err)
		}
		if err := h.strip(4); err != nil {
			t.Fatal(err)
		}
	}
}
