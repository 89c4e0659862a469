package history

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/failure"
)

func TestFind(t *testing.T) {
	f := &Finder{DB: filepath.Join(t.TempDir(), "h.db")}
	if _, err := f.Find("last"); err == nil || !strings.HasPrefix(err.Error(), "there is no history ") {
		t.Errorf("without a history: %v", err)
	}
	if last, says := f.Latest(); last != nil || says != Empty {
		t.Errorf("without a history the latest is %+v, %q", last, says)
	}
	for range 2 {
		if w := enter(f.DB, "a", driver.Fail); w.trouble != nil {
			t.Fatal(w.Note())
		}
	}
	second := Recording(f.DB, 2)
	for run, want := range map[string]string{"2": second, "last": second, "1": Recording(f.DB, 1), second: second,
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
	if err := os.Remove(second + ".part"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Find("2"); err == nil || !strings.HasPrefix(err.Error(), "the recording of run 2 is gone: ") {
		t.Errorf("without its recording: %v", err)
	}
	if last, says := f.Latest(); last == nil || last.Number != 2 || !strings.HasPrefix(says, "runs: 2; ") {
		t.Errorf("the latest is %+v, %q", last, says)
	}
}

// A defective history is the bench's fault; a missing run is the user's.
func TestTrouble(t *testing.T) {
	f := &Finder{DB: filepath.Join(t.TempDir(), "h.db")}
	if w := enter(f.DB, "a", driver.Fail); w.trouble != nil {
		t.Fatal(w.Note())
	}
	told := 0
	tell := func(*History, *Run) error { told++; return errors.New("nowhere to write") }
	for _, run := range []string{"a.rec", "9"} {
		if err := f.Entered(run, tell); err != nil || told != 0 {
			t.Errorf("%s: %v, told %d times", run, err, told)
		}
	}
	if err := f.Entered("1", tell); failure.KindOf(err) != failure.Bench || told != 1 {
		t.Errorf("%v, told %d times", err, told)
	}
	if _, err := f.Find("7"); failure.KindOf(err) != failure.User {
		t.Errorf("no such run: %v", err)
	}
	if err := os.WriteFile(f.DB, []byte(strings.Repeat("no journal ", 999)), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes []string
	f.Tell = func(note string) { notes = append(notes, note) }
	if path, err := f.Find("last"); err != nil || path != Recording(f.DB, 1) || len(notes) != 1 ||
		!strings.HasSuffix(notes[0], "; a new one was begun, with 1 run from recordings") {
		t.Errorf("damaged: %q, %v, %q", path, err, notes)
	}
	f.DB = filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(f.DB, []byte(strings.Repeat("Dear Jo, ", 999)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Open(); err == nil || failure.KindOf(err) != failure.User {
		t.Errorf("no history ever: %v", err)
	}
}
