package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
)

func TestFind(t *testing.T) {
	f, db := &Finder{Env: files.ProcessEnv()}, filepath.Join(t.TempDir(), "h.db")
	t.Setenv("BENCH_DB", db)
	if _, err := f.Find("last"); err == nil || !strings.HasPrefix(err.Error(), "there is no history ") {
		t.Errorf("without a history: %v", err)
	}
	if last, says := f.Latest(); last != nil || says != NoRuns {
		t.Errorf("without a history the latest is %+v, %q", last, says)
	}
	for range 2 {
		if w := enter(db, "a", driver.Fail); w.trouble != nil {
			t.Fatal(w.Note())
		}
	}
	second := path(db, 2)
	for run, want := range map[string]string{"2": second, "last": second, "1": path(db, 1), second: second,
		"./finder.go": "./finder.go"} {
		if path, err := f.Find(run); path != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", run, path, err, want)
		}
	}
	if err := os.Rename(second, second+".part"); err != nil {
		t.Fatal(err)
	}
	if path, err := f.Find("2"); path != second+".part" || err != nil {
		t.Errorf("a run that goes on: %s, %v", path, err)
	}
	for run, says := range map[string]string{"0": "runs are numbered from 1", "-3": "runs are numbered from 1",
		"7": "there is no run 7: the latest is 2; ", "a.rec": "there is no file a.rec: ",
		"./2": "there is no file ./2"} {
		if _, err := f.Find(run); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", run, err)
		}
	}
	if last, says := f.Latest(); last == nil || last.Number != 2 ||
		says != "runs: 2; the latest is run 2: FLAKY (no chip)" {
		t.Errorf("the latest is %+v, %q", last, says)
	}
}

// Finder returns a usage error if the history is a file or the run is missing.
func TestTrouble(t *testing.T) {
	f, db := &Finder{Env: files.ProcessEnv()}, filepath.Join(t.TempDir(), "h")
	t.Setenv("BENCH_DB", db)
	enter(db, "a", driver.Fail)
	for run, want := range map[string]bool{"a.rec": false, "9": false, "1": true, "last": true} {
		if r, err := f.FindRun(run); err != nil || (r != nil) != want {
			t.Errorf("%s: %v, %v", run, r, err)
		}
	}
	if _, err := f.Find("7"); failure.KindOf(err) != failure.User {
		t.Errorf("no such run: %v", err)
	}
	db = filepath.Join(t.TempDir(), "letter")
	t.Setenv("BENCH_DB", db)
	if err := os.WriteFile(db, []byte("Dear Jo, "), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Open(); err == nil || failure.KindOf(err) != failure.User {
		t.Errorf("no history ever: %v", err)
	}
	if w := enter(db, "a", driver.Fail); w.Number() != 0 || !strings.HasPrefix(w.Note(), "this run is not in ") {
		t.Errorf("%d, %s", w.Number(), w.Note())
	}
}
