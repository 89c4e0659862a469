package history

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// Processes that create and write a history concurrently get unique run numbers.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enterTogether(t, path)
	all := list(t, open(t, path), Filter{})
	if len(all) != 30 || all[0].Number != 30 {
		t.Fatalf("%d runs of 30", len(all))
	}
	for _, r := range all {
		if rec, err := report.Open(Recording(path, r.Number)); err != nil || r.End == nil || rec.Cut != "" {
			t.Errorf("run %d is not whole: %v", r.Number, err)
		}
	}
}

// If several processes find a damaged journal at the same time, only one sets it aside, and the new one stays.
func TestProcessesFindDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enter(path, "", driver.Pass)
	for round := 1; round <= 2; round++ {
		if err := os.WriteFile(path, []byte("this was a journal once"), 0o644); err != nil {
			t.Fatal(err)
		}
		enterTogether(t, path)
		aside, err := filepath.Glob(path + ".old-*")
		if all := list(t, open(t, path), Filter{}); len(all) != 1+30*round || len(aside) != round || err != nil {
			t.Fatalf("round %d: %d runs, set aside %v", round, len(all), aside)
		}
	}
}

// other returns a command that enters runs into a history, and prints the number of each entered run.
func other(path string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "HISTORY_TEST_ENTER="+path)
	return c
}

// enterTogether runs three processes that enter ten runs each.
func enterTogether(t *testing.T, path string) {
	t.Helper()
	var others []*exec.Cmd
	var said [3]bytes.Buffer
	for i := range said {
		c := other(path)
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

// A run whose number was printed is in the history with its verdict, whenever the process is killed.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	random := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		c := other(path)
		var said bytes.Buffer
		c.Stdout = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+random.IntN(150)) * time.Millisecond)
		_ = c.Process.Kill() // unless it has ended
		_ = c.Wait()
		h, err := Open(path) // the process may not have created it
		if err != nil {
			t.Fatal(err)
		}
		for number := range strings.Lines(said.String()) {
			n, err := strconv.Atoi(strings.TrimSpace(number))
			if err != nil {
				continue // half a line
			}
			if r, err := h.Get(n); err != nil || r == nil || r.End == nil {
				t.Errorf("run %d is lost: %+v, %v", n, r, err)
			}
		}
		if note := h.Note(); note != "" {
			t.Error(note)
		}
	}
	if w := enter(path, "", driver.Pass); w.Number() == 0 || w.Note() != "" {
		t.Error(w.Note())
	}
}

// threeRuns returns a journal of a PASS, a FLAKY and an ERROR, its text, and its runs, the latest first.
func threeRuns(t *testing.T) (path string, text []byte, all []*Run) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "h.db")
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error} {
		enter(path, "a", v)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, text, list(t, open(t, path), Filter{})
}

// reserve takes the next number.
func reserve(t *testing.T, h *History) (number int) {
	t.Helper()
	err := h.change(false, func() (*fact, error) {
		number = h.next()
		return &fact{Run: number, Start: &report.Start{}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// Whatever byte of a journal changes, no run is lost, a note names the line, nothing is overwritten, and no number is
// reused.
func TestDamage(t *testing.T) {
	path, whole, want := threeRuns(t)
	for at := 0; at < len(whole); at += testkit.Pick(13, 1) {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		h := open(t, path)
		if d := cmp.Diff(want, list(t, h, Filter{})); d != "" {
			t.Fatalf("byte %d: %s", at, d)
		}
		line := bytes.Count(whole[:at], []byte("\n")) + 1
		says := "the history " + path + ": skipped 1 damaged line: " + strconv.Itoa(line)
		if note := h.Note(); note != says && at < len(whole)-1 { // without the last newline a line is incomplete
			t.Fatalf("byte %d: the note is %q; want %q", at, note, says)
		}
		if n := reserve(t, h); n <= 3 || n > 5 {
			t.Fatalf("byte %d: the next number is %d", at, n)
		}
		after, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(after, bad) {
			t.Fatalf("byte %d: the journal was overwritten, %v", at, err)
		}
		if n := len(list(t, open(t, path), Filter{})); n != 4 {
			t.Fatalf("byte %d: %d runs with a new one", at, n)
		}
	}
}

// Without recordings all runs are read except those on the damaged line.
func TestDamageWithoutRecordings(t *testing.T) {
	path, whole, want := threeRuns(t)
	if err := os.RemoveAll(runs(path)); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole)-1; at += testkit.Pick(29, 1) {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		h := open(t, path)
		got, without := list(t, h, Filter{}), 0
		for i, r := range got {
			if r.End == nil && without == 0 { // the damaged line had its end
				without, r.End = 1, want[i].End
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("byte %d: %s", at, d)
		}
		if n := reserve(t, h); n <= 3 || n > 5 {
			t.Fatalf("byte %d: the next number is %d", at, n)
		}
	}
}

// The number of a run whose lines are both damaged is not reused, even if its recording is gone, too.
func TestDamagedNumber(t *testing.T) {
	path, whole, _ := threeRuns(t)
	if err := os.RemoveAll(runs(path)); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n")) // behind the last newline is nothing
	for _, line := range lines[len(lines)-3 : len(lines)-1] {
		line[len(line)/2] ^= 1
	}
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if n := reserve(t, open(t, path)); n != 5 { // each damaged line may have been a run
		t.Errorf("the next number is %d; want 5", n)
	}
}

// No run is lost wherever a journal is truncated.
func TestCut(t *testing.T) {
	path, whole, want := threeRuns(t)
	for size := 1; size < len(whole); size += testkit.Pick(13, 1) {
		if err := os.WriteFile(path, whole[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		h := open(t, path)
		if d := cmp.Diff(want, list(t, h, Filter{})); d != "" {
			t.Fatalf("%d bytes: %s", size, d)
		}
		if n := reserve(t, h); n <= 3 {
			t.Fatalf("%d bytes: the next run is %d", size, n)
		}
	}
}

// After other benches wrote to a journal only the new lines are read, or all lines if it was overwritten.
func TestReadOn(t *testing.T) {
	path, whole, want := threeRuns(t)
	h := open(t, path)
	line := testkit.Must(seal(fact{Run: 4, Start: &report.Start{}}))(t)
	if err := os.WriteFile(path, append(bytes.Repeat([]byte("x"), len(whole)), line...), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := h.Count(); n != 4 || err != nil { // the lines already read are not checked again
		t.Errorf("%d runs, %v", n, err)
	}
	if all := list(t, h, Filter{}); len(all) != 1 {
		t.Errorf("%d runs of an overwritten journal", len(all))
	}
	if d := cmp.Diff(want, list(t, h, Filter{Before: 4})); d != "" {
		t.Error(d)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, list(t, h, Filter{})); d != "" || !strings.Contains(h.Note(), "was missing") {
		t.Errorf("a journal that is gone: %s", d)
	}
}

// A foreign file or a newer bench's journal is not changed.
func TestLeftAlone(t *testing.T) {
	newer := testkit.Must(seal(fact{History: version + 1}))(t)
	for text, says := range map[string]string{
		string(newer): "it has format 2, but this bench reads 1: use the bench that wrote it",
		strings.Repeat("Dear all, this is a letter. ", 50): "it is not a history: give",
		strings.Repeat("x", 3*mostLine):                    "it is not a history: give",
		"\n":                                               "it is not a history: give",
	} {
		path := filepath.Join(t.TempDir(), "h.db")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w := enter(path, "", driver.Pass)
		after, err := os.ReadFile(path)
		if w.Number() != 0 || !strings.Contains(w.Note(), says) || string(after) != text {
			t.Errorf("%.20q: run %d, note %q, changed %v (%v)", text, w.Number(), w.Note(), string(after) != text, err)
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
	// An interrupted recording leaves the run's line.
	path := filepath.Join(t.TempDir(), "h.db")
	w = NewWriter(path)
	_ = w.Start(report.Run{})
	w.file.Discard()
	res := &driver.Result{Tile: utf.TT09, Vector: &golden.Vector{Name: "s/a"}, Iteration: 1,
		Trace: &driver.Trace{Tile: utf.TT09, Steps: make([]transport.Step, 1e5)}}
	_ = w.Result(res)
	_ = w.End(report.Outcome{Tally: &driver.Tally{}})
	if r, err := open(t, path).Get(1); err != nil || r == nil || r.End == nil || r.End.Exit != 5 ||
		!strings.HasPrefix(w.Note(), "run 1 is only partly in the history: ") {
		t.Errorf("%+v %v, note %q", r, err, w.Note())
	}
	// So does one that cannot be created.
	path = filepath.Join(t.TempDir(), "h.db")
	if err := os.WriteFile(runs(path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w = enter(path, "", driver.Fail)
	if w.Number() != 1 || !strings.HasPrefix(w.Note(), "run 1 is only partly in the history: ") {
		t.Errorf("run %d, note %q", w.Number(), w.Note())
	}
	if all := list(t, open(t, path), Filter{}); len(all) != 1 || all[0].End == nil {
		t.Error("the run's line is missing")
	}
}

// A journal that cannot be locked, as in a read-only folder, can be read, damaged or not. A run that cannot be entered
// causes a note.
func TestReadOnly(t *testing.T) {
	path, whole, want := threeRuns(t)
	err := os.Remove(path + ".lock")
	if err == nil {
		err = os.Mkdir(path+".lock", 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, append(whole, "damage\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, list(t, open(t, path), Filter{})); d != "" {
		t.Error(d)
	}
	w := enter(path, "", driver.Pass)
	if w.Number() != 0 || !strings.HasPrefix(w.Note(), "this run is not in the history: ") {
		t.Errorf("run %d, note %q", w.Number(), w.Note())
	}
}

// A run that does not fit into the journal at its end has no verdict there, and its number is not printed.
func TestFullJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	w := NewWriter(path)
	if err := w.Start(report.Run{}); err != nil || w.Number() != 0 || w.Note() != "" {
		t.Fatal(err, w.Number(), w.Note())
	}
	limit := files.History.Limit
	defer func() { files.History.Limit = limit }()
	files.History.Limit = 500
	_ = w.End(report.Outcome{Tally: &driver.Tally{}})
	if w.Number() != 0 || !strings.HasPrefix(w.Note(), "this run is number 1 of the history, without its verdict: ") ||
		!strings.HasSuffix(w.Note(), "it has reached its limit of 500 bytes: give --db another file") {
		t.Errorf("run %d, note %q", w.Number(), w.Note())
	}
	if r, err := open(t, path).Get(1); err != nil || r == nil || r.End != nil {
		t.Errorf("%+v %v", r, err)
	}
}
