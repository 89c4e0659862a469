package history

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
)

// given returns a run of a history for handing in, with a copy of its recording in a folder.
func given(t *testing.T, from *History, number int, folder string) *HandIn {
	t.Helper()
	text, err := os.ReadFile(from.Recording(number))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "in")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	rec := testkit.Must(report.Open(path))(t)
	defer rec.Close()
	r, counted, err := Recorded(rec)
	if err != nil {
		t.Fatal(err)
	}
	vectors := testkit.Must(from.Vectors(number))(t)
	for i := range counted { // the recording has everything but the words
		if counted[i].Mismatch = vectors[i].Mismatch; *counted[i] != vectors[i] {
			t.Errorf("counted %+v, listed %+v", counted[i], vectors[i])
		}
	}
	sum := sha256.Sum256(text)
	in := &HandIn{Run: *r, SHA256: hex.EncodeToString(sum[:]), Recording: path}
	in.Run.By = "pi1"
	for i := range vectors {
		in.Vectors = append(in.Vectors, &vectors[i])
	}
	return in
}

// begun returns a new history.
func begun(t *testing.T) *History {
	t.Helper()
	return testkit.Must(Open(filepath.Join(t.TempDir(), "lab.db")))(t)
}

// A run that was handed in is the same in the other history, and is entered once.
func TestTake(t *testing.T) {
	own := filepath.Join(t.TempDir(), "h.db")
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail} {
		enter(own, "a", v)
	}
	from, to := open(t, own), begun(t)
	for want := 1; want <= 2; want++ { // in reverse order, to get other numbers
		in := given(t, from, 3-want, t.TempDir())
		if n, had, err := to.Take(in); n != want || had || err != nil {
			t.Fatalf("%d, %t, %v; want %d", n, had, err, want)
		}
		if _, err := os.Stat(in.Recording); !os.IsNotExist(err) {
			t.Errorf("the recording was not moved: %v", err)
		}
		if sum, err := to.SHA256(want); sum != in.SHA256 || err != nil {
			t.Errorf("%q, %v", sum, err)
		}
		again := given(t, from, 3-want, t.TempDir())
		if n, had, err := to.Take(again); n != want || !had || err != nil {
			t.Errorf("again: %d, %t, %v", n, had, err)
		}
		if n, err := to.Handed(in.SHA256); n != want || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		was, err := from.Get(3 - want)
		is, ierr := to.Get(want)
		if errors.Join(err, ierr) != nil {
			t.Fatal(err, ierr)
		}
		if was.Number, was.By = want, "pi1"; cmp.Diff(was, is) != "" {
			t.Error(cmp.Diff(was, is))
		}
		vectors, err := from.Vectors(3 - want)
		copied, cerr := to.Vectors(want)
		if d := cmp.Diff(vectors, copied); errors.Join(err, cerr) != nil || d != "" {
			t.Error(err, cerr, d)
		}
	}
	var table strings.Builder
	if err := Table(&table, to, Filter{}); err != nil || !strings.HasSuffix(table.String(), "pi1\n") {
		t.Errorf("%v, and the table is\n%s", err, &table)
	}
}

// A rejected run leaves nothing, and the next one gets its number.
func TestNotTaken(t *testing.T) {
	own := filepath.Join(t.TempDir(), "h.db")
	enter(own, "a", driver.Fail)
	from, to := open(t, own), begun(t)
	in := given(t, from, 1, t.TempDir())
	missing := *in
	missing.Recording += "no"
	strange := *in
	strange.Run.Start.Time = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) // can be encoded but not decoded
	for _, bad := range []*HandIn{&missing, &strange} {
		if n, _, err := to.Take(bad); err == nil {
			t.Errorf("it is run %d", n)
		}
		if n, err := to.Count(); n != 0 || err != nil {
			t.Errorf("%d runs, %v", n, err)
		}
	}
	if err := os.WriteFile(Recording(to.path, 1), []byte("left"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, _, err := to.Take(in); n != 2 || err != nil { // nothing is overwritten
		t.Errorf("%d, %v", n, err)
	}
}

// A run is in the history even if the machine died after its recording was moved and before its line was written.
func TestTakenHalf(t *testing.T) {
	own := filepath.Join(t.TempDir(), "h.db")
	enter(own, "a", driver.Fail)
	to, folder := begun(t), t.TempDir()
	in := given(t, open(t, own), 1, folder)
	if err := errors.Join(os.Mkdir(runs(to.path), 0o700), os.Rename(in.Recording, Recording(to.path, 1))); err != nil {
		t.Fatal(err)
	}
	again := given(t, open(t, own), 1, folder)
	if n, had, err := to.Take(again); n != 1 || !had || err != nil {
		t.Errorf("%d, %t, %v", n, had, err)
	}
	if r, err := to.Get(1); err != nil || r == nil || r.End == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// A recording is rejected if no history can hold its run.
func TestRecorded(t *testing.T) {
	start := report.Start{Event: "start"}
	long := start
	long.Board = strings.Repeat("b", mostForeign)
	for _, c := range []struct {
		rec   report.Recording
		words string
	}{
		{report.Recording{Start: start}, "did not end"},
		{report.Recording{Start: start, End: &report.End{}}, "did not end"},
		{report.Recording{Start: start, End: &report.End{Verdict: "PASS"}, Cut: "it ends at byte 7"},
			"is incomplete: it ends"},
		{report.Recording{Start: start, End: &report.End{Verdict: "PASS"}}, "its executions are SKIPPED"},
		{report.Recording{Start: start, End: &report.End{Verdict: "PASS\x1b"}}, "the unknown verdict"},
		{report.Recording{Start: long, End: &report.End{Verdict: "SKIPPED"}}, "at most 16384 are allowed"},
	} {
		if _, _, err := Recorded(&c.rec); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%v; want %q", err, c.words)
		}
	}
}

// The oldest recordings are removed first, and the runs stay.
func TestKeepTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for range 4 {
		enter(path, "a", driver.Fail)
	}
	h := open(t, path)
	each := sizes(path)[1]
	for _, c := range []struct {
		quota int64
		n     int
		left  []int
	}{{4 * each, 0, []int{1, 2, 3, 4}}, {3*each - 1, 2, []int{3, 4}}, {3 * each, 0, []int{3, 4}}, {each, 1, []int{4}},
		{0, 1, nil}, {0, 0, nil}} {
		n, err := h.KeepTo(c.quota)
		var left []int
		for run := 1; run <= 4; run++ {
			if _, err := os.Stat(h.Recording(run)); err == nil {
				left = append(left, run)
			}
		}
		if d := cmp.Diff(c.left, left); err != nil || n != c.n || d != "" {
			t.Errorf("%d bytes: %d, %v %s", c.quota, n, err, d)
		}
	}
	if n, err := h.Count(); n != 4 || err != nil {
		t.Errorf("%d runs, %v", n, err)
	}
}

// A run is due from its end until it is settled.
func TestDue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enter(path, "a", driver.Pass)
	for range 2 {
		w := NewWriter(path)
		w.Due = "tls://lab:7060"
		run(w, "a", driver.Pass)
	}
	h := open(t, path)
	for _, want := range [][]Due{{{2, "tls://lab:7060"}, {3, "tls://lab:7060"}}, {{3, "tls://lab:7060"}}} {
		due, err := h.Due()
		if d := cmp.Diff(want, due); err != nil || d != "" {
			t.Error(err, d)
		}
		if err := errors.Join(h.Settle(2), h.Settle(1)); err != nil {
			t.Error(err)
		}
	}
}
