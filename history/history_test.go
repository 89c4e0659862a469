package history

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/record"
	"utfbench/report"
	"utfbench/transport"
)

// TestMain is the other bench of TestTwoProcesses when it is told so.
func TestMain(m *testing.M) {
	if path := os.Getenv("HISTORY_TEST_ENTER"); path != "" {
		for range 10 {
			if w := enter(path, "a", driver.Fail); w.trouble != nil {
				fmt.Println(w.Note())
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// enter is a run of one vector, twice, with this verdict the first time.
func enter(path, device string, v driver.Verdict) *Writer {
	w := NewWriter(path)
	_ = w.Start(report.Run{Version: "v1", Transport: "mock:tt09", Board: "mock", Device: device, Revision: "tt09", Seed: 1 << 63, Vectors: 1, Count: 2,
		Digest: "d", Firmware: "f", ROM: "r", Host: "h", Started: time.Unix(1e9, 5)})
	vector := &golden.Vector{Name: "s/a"}
	tally := &driver.Tally{Steps: 2}
	for n, verdict := range []driver.Verdict{v, driver.Pass} {
		res := &driver.Result{Vector: vector, Iteration: n + 1, Verdict: verdict, Steps: 1, Reason: "of old age"}
		if verdict == driver.Fail {
			res.First = &driver.Mismatch{Step: transport.Step{Reset: true, Clocks: 1, In: 0xFF}, Got: transport.Sample{Out: 8}, OutDiff: 8}
			tally.Repeats = []*driver.Repeat{{Vector: vector, Runs: 2, Failed: 1}}
		}
		tally.Verdicts[verdict]++
		w.Observe(res, driver.Trace{Steps: make([]transport.Step, 1), Got: make([]transport.Sample, 1)})
		_ = w.Result(res)
	}
	o := report.Outcome{Tally: tally, Elapsed: time.Second}
	if v == driver.Error {
		o.Exit, o.Trouble = 3, "the cable is out"
	}
	_ = w.End(o)
	return w
}

func open(t *testing.T, path string) *History {
	t.Helper()
	h, err := OpenOld(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func list(t *testing.T, h *History, f Filter) (all []*Run) {
	t.Helper()
	for r, err := range h.Runs(f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestWhatIsEnteredIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a%20b?.db")
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error} {
		if w := enter(path, "a", v); w.Note() != "" {
			t.Fatal(w.Note())
		}
	}
	enter(path, "b", driver.Pass)
	h := open(t, path)
	all := list(t, h, Filter{})
	if len(all) != 4 || all[0].Number != 4 || len(list(t, h, Filter{Last: 2})) != 2 || len(list(t, h, Filter{Device: "a"})) != 3 || len(list(t, h, Filter{Board: "rpi"})) != 0 {
		t.Fatalf("%d runs", len(all))
	}
	for _, r := range all {
		rec, err := record.Open(Recording(path, r.Number))
		if err != nil {
			t.Fatal(err)
		}
		rec.Close()
		rec.Start.Notes = nil
		if d := cmp.Diff(rec.Start, r.Start) + cmp.Diff(rec.End, r.End); d != "" {
			t.Errorf("run %d: the recording and the history differ:\n%s", r.Number, d)
		}
	}
	for number, want := range map[int][]Vector{
		1: nil,
		2: {{"s/a", "FLAKY", "step 1, reset: uo3 (OVERLONG) is 1, not 0", 1, 2}},
		3: {{"s/a", "ERROR", "of old age", 1, 1}},
	} {
		got, err := h.Vectors(number)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("run %d: %v %s", number, err, d)
		}
	}
}

func TestSince(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for _, run := range []struct {
		device string
		v      driver.Verdict
	}{{"a", driver.Fail}, {"a", driver.Pass}, {"b", driver.Fail}, {"a", driver.Error}, {"a", driver.Fail}, {"a", driver.Fail}, {"a", driver.Pass}} {
		enter(path, run.device, run.v)
	}
	h := open(t, path)
	for number, want := range map[int][2]int{1: {0, 1}, 3: {0, 3}, 5: {2, 5}, 6: {2, 5}} {
		r, err := h.Get(number)
		if err != nil {
			t.Fatal(err)
		}
		passed, failed, err := h.Since(r)
		if err != nil || failed == nil {
			t.Fatal(err, failed)
		}
		got := [2]int{0, failed.Number}
		if passed != nil {
			got[0] = passed.Number
		}
		if got != want {
			t.Errorf("run %d: passed until %d, failed since %d; want %v", number, got[0], got[1], want)
		}
	}
}

// A run that did not come to its end is in the history without one.
func TestBenchThatDies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	w := NewWriter(path)
	_ = w.Start(report.Run{Started: time.Now()})
	h := open(t, path)
	if r, err := h.Get(0); err != nil || r == nil || r.End != nil || r.Number != 1 {
		t.Fatal(r, err)
	}
	if _, err := os.Stat(Recording(path, 1) + ".part"); err != nil {
		t.Error(err)
	}
	if n, _, err := h.Prune(0, time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("a run that may go on was pruned: %d %v", n, err)
	}
}

func TestPrune(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for range 5 {
		enter(path, "", driver.Fail)
	}
	h := open(t, path)
	if n, _, err := h.Prune(0, time.Unix(1e9, 0)); n != 0 || err != nil {
		t.Errorf("%d runs were too old: %v", n, err)
	}
	n, bytes, err := h.Prune(2, time.Now())
	if n != 3 || bytes == 0 || err != nil {
		t.Fatal(n, bytes, err)
	}
	for number := range 5 {
		_, err := os.Stat(Recording(path, number+1))
		vectors, verr := h.Vectors(number + 1)
		if kept := number+1 > 3; (err == nil) != kept || (len(vectors) > 0) != kept || verr != nil {
			t.Errorf("run %d: recording %v, %d vectors, %v", number+1, err, len(vectors), verr)
		}
	}
	if len(list(t, h, Filter{})) != 5 {
		t.Error("a run is gone")
	}
}

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
		aside = slices.DeleteFunc(aside, func(name string) bool { return strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") })
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
	for _, text := range []string{"no database at all, but long enough that nobody takes it for an empty one", "SQLite format 3\x00 and no more"} {
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

// mustBegin enters a run, which has to set aside a file that held text.
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

// Bytes changed, or cut off, anywhere: no panic, and whatever cannot be read is still there, changed by nobody.
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
		"newer":       {true, "PRAGMA user_version = 9", "it is of schema 9, and this bench knows 1"},
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

// A database of an older schema is brought up to date with what it holds. There is one schema so far, so the second is made here.
func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enter(path, "", driver.Fail)
	old := migrations
	defer func() { migrations = old }()
	migrations = append(migrations[:1:1], "ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")
	for range 2 {
		h := open(t, path)
		if v, err := schema(h.db); v != 2 || err != nil {
			t.Fatal(v, err)
		}
		if all := list(t, h, Filter{}); len(all) != 1 || all[0].End == nil {
			t.Fatal(all)
		}
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
	// A recording that cannot be made leaves the run's line.
	path := filepath.Join(t.TempDir(), "h.db")
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
