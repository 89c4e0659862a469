package history

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// TestMain acts as one of TestTwoProcesses' benches if HISTORY_TEST_ENTER is set.
func TestMain(m *testing.M) {
	if dir := os.Getenv("HISTORY_TEST_ENTER"); dir != "" {
		for range 10 {
			w := enter(dir, "a", driver.Fail)
			fmt.Println(w.Number(), w.Note())
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func asked(device string) report.Identity {
	return report.Identity{Revision: "tt09", Digest: "d", Chip: report.Chip{Kind: "mock", Board: "mock",
		Device: device, ROM: "r", Design: "tt09",
		Sources: "s", Faults: "uo0=flip:0.1 seed 7"}}
}

// enter adds a run with an identity. Its vector runs twice, the first time with the given verdict.
func enter(dir, device string, v driver.Verdict) *Writer {
	w := NewWriter(dir)
	_ = w.Start(report.Run{Version: "v1", Transport: "mock:tt09", Identity: asked(device), Seed: 1 << 63,
		Vectors: 1, Iterations: 2,
		Firmware: "f", Host: "h", Started: time.Unix(1e9, 5),
		Tags: files.Tags{"vdd": "1.8", "note": `"a, b"`}})
	vector := &golden.Vector{Name: "s/a"}
	tally := &driver.Tally{Steps: 2}
	tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 1}})
	for n, verdict := range []driver.Verdict{v, driver.Pass} {
		res := &driver.Result{Tile: utf.TT09, Vector: vector, Iteration: n + 1, Verdict: verdict, Steps: 1,
			Reason: "of old age"}
		if verdict == driver.Fail {
			tally.Repeats = []*driver.Repeat{{Vector: vector, Counts: driver.Counts{driver.Pass: 1, driver.Fail: 1}}}
		}
		tally.Verdicts[verdict]++
		res.Trace = &driver.Trace{Tile: utf.TT09, Steps: make([]transport.Step, 1), Got: make([]transport.Sample, 1)}
		_ = w.Result(res)
	}
	o := report.Outcome{Tally: tally, Elapsed: time.Second}
	if v == driver.Error {
		o.BenchError = "the cable is out"
	}
	_ = w.End(o)
	return w
}

func open(t *testing.T, dir string) *History {
	t.Helper()
	return testkit.Must(Open(dir))(t)
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
	dir := filepath.Join(t.TempDir(), "new", "a%20b?.db")
	for n, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error} {
		if w := enter(dir, "a", v); w.Note() != "" || w.Number() != n+1 {
			t.Fatal(w.Number(), w.Note())
		}
	}
	enter(dir, "b", driver.Pass)
	h := open(t, dir)
	all := list(t, h, Filter{})
	if len(all) != 4 || all[0].Number != 4 || len(list(t, h, Filter{Limit: 2})) != 2 ||
		len(list(t, h, Filter{Board: "rpi"})) != 0 {
		t.Fatalf("%d runs", len(all))
	}
	for _, r := range all {
		rec := testkit.Must(report.Open(h.RecordingPath(r.Number)))(t)
		rec.Close()
		if d := cmp.Diff(rec.Start, r.Start) + cmp.Diff(rec.End, r.End); d != "" {
			t.Errorf("run %d: the recording and the history differ:\n%s", r.Number, d)
		}
	}
}

// Benches that add runs at the same time never get the same number, even if they name the folder by different paths.
func TestTwoProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "h")
	link := dir + "-link"
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var all []*exec.Cmd
	var said [4]strings.Builder
	for i := range said {
		cmd := exec.Command(testkit.Must(os.Executable())(t))
		cmd.Env = append(os.Environ(), "HISTORY_TEST_ENTER="+[]string{dir, link}[i%2])
		cmd.Stdout, cmd.Stderr = &said[i], &said[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	numbers := map[string]bool{}
	for i, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err, said[i].String())
		}
		for _, number := range strings.Fields(said[i].String()) {
			numbers[number] = true
		}
	}
	if len(numbers) != 40 || numbers["0"] || !numbers["40"] {
		t.Errorf("the numbers are %v", slices.Sorted(maps.Keys(numbers)))
	}
	if runs := list(t, open(t, dir), Filter{}); len(runs) != 40 {
		t.Errorf("%d runs", len(runs))
	}
}

// A run whose bench died is in the history, without an end.
func TestBenchThatDies(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "h")
	_ = NewWriter(dir).Start(report.Run{Started: time.Now()})
	h := open(t, dir)
	if r, err := h.Get(1); err != nil || r == nil || r.End != nil || r.Verdict() != "no end" {
		t.Fatal(r, err)
	}
	if n, _, err := h.Prune(0); n != 0 || err != nil {
		t.Errorf("a run that may go on was pruned: %d %v", n, err)
	}
	if w := enter(dir, "a", driver.Pass); w.Number() != 2 {
		t.Errorf("the next run is %d: %s", w.Number(), w.Note())
	}
}

// Pruning keeps a run's verdict and number. The run can no longer be judged again.
func TestPrune(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "h")
	for range 5 {
		enter(dir, "", driver.Fail)
	}
	h := open(t, dir)
	want := list(t, h, Filter{})
	n, bytes, err := h.Prune(2)
	if n != 3 || bytes <= 0 || err != nil {
		t.Fatal(n, bytes, err)
	}
	if n, _, err := h.Prune(2); n != 0 || err != nil {
		t.Errorf("pruned again: %d, %v", n, err)
	}
	for i, r := range list(t, h, Filter{}) {
		if d := cmp.Diff(want[i].Start, r.Start) + cmp.Diff(want[i].End, r.End); d != "" || r.Pruned != (i > 1) {
			t.Errorf("run %d: pruned %v, %s", r.Number, r.Pruned, d)
		}
		if _, err := report.Open(h.RecordingPath(r.Number)); (err != nil) != r.Pruned {
			t.Errorf("run %d: %v", r.Number, err)
		}
	}
	if w := enter(dir, "", driver.Pass); w.Number() != 6 {
		t.Errorf("the next run is %d: %s", w.Number(), w.Note())
	}
}

// Runs that cannot be read are skipped, with a note. A damaged run has no verdict.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		enter(dir, "a", driver.Pass)
	}
	whole := testkit.Must(os.ReadFile(path(dir, 1)))(t)
	for number, text := range map[int][]byte{1: whole[:len(whole)-1], 2: []byte("no recording")} {
		if err := os.WriteFile(path(dir, number), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, notes := open(t, dir), ""
	h.onNote = func(note string) { notes += note }
	all := list(t, h, Filter{})
	if len(all) != 2 || all[0].Number != 3 || all[1].Verdict() != "no end" ||
		!strings.HasPrefix(notes, "run 2 of the history cannot be read: ") {
		t.Errorf("%d runs, %s", len(all), notes)
	}
}

// BenchmarkList lists the latest twenty of ten thousand runs and the runs of one board.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	enter(dir, "a", driver.Fail)
	text := testkit.Must(os.ReadFile(path(dir, 1)))(b)
	for number := 2; number <= 10_000; number++ {
		if err := os.WriteFile(path(dir, number), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for name, f := range map[string]Filter{"latest": {Limit: 20}, "board": {Board: "nowhere"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := WriteTable(io.Discard, testkit.Must(Open(dir))(b), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
