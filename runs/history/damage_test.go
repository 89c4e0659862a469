package history

import (
	"bytes"
	"database/sql"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/runs/record"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// Processes that begin a history together, and write to it together, get a number of their own for each run.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enterTogether(t, path)
	all := list(t, open(t, path), Filter{})
	if len(all) != 30 || all[0].Number != 30 {
		t.Fatalf("%d runs of 30", len(all))
	}
	for _, r := range all {
		if rec, err := record.Open(Recording(path, r.Number)); err != nil || r.End == nil || rec.Cut != "" {
			t.Errorf("run %d is not whole: %v", r.Number, err)
		}
	}
}

// Of processes that find a history damaged at the same time, one sets it aside, and none the new one.
func TestProcessesFindDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enter(path, "", driver.Pass)
	for round := range 5 {
		if err := os.WriteFile(path, []byte("this was a database once"), 0o644); err != nil {
			t.Fatal(err)
		}
		enterTogether(t, path)
		aside, err := filepath.Glob(path + ".damaged-*")
		aside = slices.DeleteFunc(aside, func(name string) bool {
			return strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm")
		})
		h := open(t, path)
		if all := list(t, h, Filter{}); len(all) != 30 || len(aside) != round+1 || err != nil {
			t.Fatalf("round %d: %d runs of 30, set aside %v", round, len(all), aside)
		}
		h.Close() // which empties the WAL: from one SQLite would restore what is damaged next
	}
}

// enterTogether lets three processes enter ten runs each.
func enterTogether(t *testing.T, path string) {
	t.Helper()
	var others []*exec.Cmd
	var said [3]bytes.Buffer
	for i := range said {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "HISTORY_TEST_ENTER="+path)
		c.Stdout, c.Stderr = &said[i], &said[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		others = append(others, c)
	}
	for i, c := range others {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, &said[i])
		}
	}
}

// A file that is no history, or one no more, is never overwritten, and the run is entered into a new one.
func TestDamagedIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enter(path, "", driver.Fail)
	enter(path, "", driver.Fail)
	for _, text := range []string{"no database at all, but long enough that nobody takes it for an empty one",
		"SQLite format 3\x00 and no more"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		before := len(list(t, mustBegin(t, path, text), Filter{}))
		if before != 1 {
			t.Errorf("%d runs in a new history", before)
		}
	}
	if n := highest(runs(path)); n != 4 {
		t.Errorf("the last number is %d, not 4: recordings were overwritten", n)
	}
}

// mustBegin enters a run, which has to set aside a file with text in it.
func mustBegin(t *testing.T, path, text string) *History {
	t.Helper()
	w := enter(path, "", driver.Fail)
	if w.aside == "" || !strings.Contains(w.Note(), "was damaged and is now called "+w.aside) || w.Number() == 0 {
		t.Fatalf("note %q", w.Note())
	}
	if kept, err := os.ReadFile(w.aside); err != nil || string(kept) != text {
		t.Errorf("set aside: %q %v", kept, err)
	}
	return open(t, path)
}

// Bytes changed, or cut off, anywhere: no panic, and everything that cannot be read is still there, unchanged.
func TestRandomDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "h.db")
	for range 3 {
		enter(path, "", driver.Fail)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	set, noted := 0, 0
	for n := range 150 {
		bad := bytes.Clone(whole)
		for range 1 + n%40 {
			bad[random.IntN(len(bad)>>(n%3*3))] = byte(random.Uint32())
		}
		if n%10 == 0 {
			bad = bad[:random.IntN(len(bad)-1)+1]
		}
		path := filepath.Join(dir, strconv.Itoa(n)+".db")
		err := os.WriteFile(path, bad, 0o644)
		if err == nil {
			err = os.CopyFS(runs(path), os.DirFS(runs(filepath.Join(dir, "h.db"))))
		}
		if err != nil {
			t.Fatal(err)
		}
		w := enter(path, "", driver.Fail)
		switch {
		case w.aside != "":
			set++
			if kept, err := os.ReadFile(w.aside); err != nil || len(kept) < len(bad)/2 {
				t.Errorf("%d: %d bytes set aside of %d: %v", n, len(kept), len(bad), err)
			}
			if w.Number() == 0 || w.trouble != nil {
				t.Errorf("%d: %s", n, w.Note())
			}
		case w.trouble != nil: // taken for a newer one, say
			noted++
		case len(list(t, open(t, path), Filter{Number: w.Number()})) != 1:
			t.Errorf("%d: the run is not there, and nothing was said", n)
		}
	}
	t.Logf("set aside %d of 150, left alone with a note %d", set, noted)
	if set < 20 {
		t.Error("the damage was no damage")
	}
}

func TestLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		old          bool // it was a history
		change, says string
	}{
		"newer":       {true, "PRAGMA user_version = 9", "it is of schema 9, and this bench knows 7"},
		"other's":     {true, "PRAGMA application_id = 7", "it is a database of another program"},
		"other's own": {false, "CREATE TABLE bookmarks (name TEXT)", "it is a database of another program"},
	} {
		path := filepath.Join(t.TempDir(), "h.db")
		if c.old {
			enter(path, "", driver.Pass)
		}
		db, err := sql.Open("sqlite", path)
		if err == nil {
			_, err = db.Exec(c.change)
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		isLeftAlone(t, name, path, c.says)
	}
	path := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("Dear all, this is a letter. ", 50)), 0o644); err != nil {
		t.Fatal(err)
	}
	isLeftAlone(t, "text", path, "it is no database, and never was a history")
}

func isLeftAlone(t *testing.T, name, path, says string) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := enter(path, "", driver.Pass)
	after, err := os.ReadFile(path)
	if w.Number() != 0 || !strings.Contains(w.Note(), says) || !bytes.Equal(before, after) {
		t.Errorf("%s: run %d, note %q, changed %v (%v)", name, w.Number(), w.Note(), !bytes.Equal(before, after), err)
	}
}

// The history never makes a run fail.
func TestNowhereToWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w := enter(filepath.Join(file, "h.db"), "", driver.Fail)
	if w.Number() != 0 || !strings.HasPrefix(w.Note(), "this run is not in the history") {
		t.Errorf("run %d, note %q", w.Number(), w.Note())
	}
	// A recording that breaks off leaves the run's line.
	path := filepath.Join(t.TempDir(), "h.db")
	w = NewWriter(path)
	_ = w.Start(report.Run{})
	w.file.Discard()
	res := &driver.Result{Tile: utf.TT09, Vector: &golden.Vector{Name: "s/a"}, Iteration: 1,
		Trace: &driver.Trace{Tile: utf.TT09, Steps: make([]transport.Step, 1e5)}}
	_ = w.Result(res)
	_ = w.End(report.Outcome{Tally: &driver.Tally{}})
	if r, err := open(t, path).Get(1); err != nil || r == nil || r.End == nil || r.End.Exit != 5 ||
		!strings.HasPrefix(w.Note(), "of run 1 not all is recorded in the history: ") {
		t.Errorf("%+v %v, note %q", r, err, w.Note())
	}
	// One that cannot be made, too. leaves the run's line.
	path = filepath.Join(t.TempDir(), "h.db")
	if err := os.MkdirAll(Recording(path, 1), 0o755); err != nil {
		t.Fatal(err)
	}
	h, err := Open(path)
	if err == nil {
		_, err = h.db.Exec("UPDATE sqlite_sequence SET seq = 0")
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	w = enter(path, "", driver.Fail)
	if w.Number() != 1 || !strings.Contains(w.Note(), "is a folder") {
		t.Errorf("run %d, note %q", w.Number(), w.Note())
	}
	if all := list(t, open(t, path), Filter{}); len(all) != 1 || all[0].End == nil {
		t.Error("the run's line is missing")
	}
}

// On a disk that is full at the end of a run, the run has no verdict in the history, and no number is told.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	w := NewWriter(path)
	if err := w.Start(report.Run{}); err != nil || w.Number() != 0 || w.Note() != "" {
		t.Fatal(err, w.Number(), w.Note())
	}
	if _, err := w.h.db.Exec("PRAGMA max_page_count = 1"); err != nil {
		// as many as there are: SQLite does not go below
		t.Fatal(err)
	}
	for i := range 1000 {
		_ = w.Result(&driver.Result{Tile: utf.TT09, Vector: &golden.Vector{Name: "s/" + strconv.Itoa(i)}, Iteration: 1,
			Verdict: driver.Error, Reason: "of old age"})
	}
	_ = w.End(report.Outcome{Tally: &driver.Tally{}})
	if w.Number() != 0 || !strings.HasPrefix(w.Note(), "this run is number 1 of the history, without its verdict: ") ||
		!strings.Contains(w.Note(), "full") {
		t.Errorf("run %d, note %q", w.Number(), w.Note())
	}
	if r, err := open(t, path).Get(1); err != nil || r == nil || r.End != nil {
		t.Errorf("%+v %v", r, err)
	}
}
