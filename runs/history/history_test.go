package history

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/document"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// TestMain acts as the other bench of TestTwoProcesses if the environment says so.
func TestMain(m *testing.M) {
	if path := os.Getenv("HISTORY_TEST_ENTER"); path != "" {
		for range 10 {
			if w := enter(path, "a", driver.Fail); w.trouble != nil {
				fmt.Println(w.Note())
				os.Exit(1)
			} else {
				fmt.Println(w.Number())
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// asked returns an identity with all fields set, except possibly the device.
func asked(device string) report.Identity {
	return report.Identity{Revision: "tt09", Digest: "d", Chip: report.Chip{Kind: "mock", Board: "mock",
		Device: device, ROM: "r", Design: "tt09",
		Sources: "s", Faults: "uo0=flip:0.1 seed 7"}}
}

// enter enters a run with that identity.
func enter(path, device string, v driver.Verdict) *Writer {
	w := NewWriter(path)
	run(w, device, v)
	return w
}

// run runs one vector twice, the first time with this verdict.
func run(w *Writer, device string, v driver.Verdict) {
	_ = w.Start(report.Run{Version: "v1", Transport: "mock:tt09", Identity: asked(device), Seed: 1 << 63,
		Vectors: 1, Count: 2,
		Firmware: "f", Host: "h", Started: time.Unix(1e9, 5),
		Tags: document.Tags{"vdd": "1.8", "note": `"a, b"`}})
	vector := &golden.Vector{Name: "s/a"}
	tally := &driver.Tally{Steps: 2}
	tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 1}})
	for n, verdict := range []driver.Verdict{v, driver.Pass} {
		res := &driver.Result{Tile: utf.TT09, Vector: vector, Iteration: n + 1, Verdict: verdict, Steps: 1,
			Reason: "of old age"}
		if verdict == driver.Fail {
			res.First = &driver.Mismatch{Step: transport.Step{Reset: true, Clocks: 1, In: 0xFF},
				Got: transport.Sample{Out: 8}, OutDiff: 8}
			tally.Repeats = []*driver.Repeat{{Vector: vector, Executions: 2, Failed: 1}}
		}
		tally.Verdicts[verdict]++
		res.Trace = &driver.Trace{Tile: utf.TT09, Steps: make([]transport.Step, 1), Got: make([]transport.Sample, 1)}
		_ = w.Result(res)
	}
	o := report.Outcome{Tally: tally, Elapsed: time.Second}
	if v == driver.Error {
		o.Trouble = "the cable is out"
	}
	_ = w.End(o)
}

func open(t *testing.T, path string) *History {
	t.Helper()
	return testkit.Must(OpenOld(path))(t)
}

func TestCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for want := 1; want <= 3; want++ {
		enter(path, "a", driver.Pass)
		if n, err := open(t, path).Count(); n != want || err != nil {
			t.Errorf("%d runs, %v; want %d", n, err, want)
		}
	}
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
	if len(all) != 4 || all[0].Number != 4 || len(list(t, h, Filter{Last: 2})) != 2 ||
		len(list(t, h, Filter{Device: "a"})) != 3 || len(list(t, h, Filter{Board: "rpi"})) != 0 {
		t.Fatalf("%d runs", len(all))
	}
	for _, r := range all {
		rec := testkit.Must(report.Open(Recording(path, r.Number)))(t)
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
	}{{"a", driver.Fail}, {"a", driver.Pass}, {"b", driver.Fail}, {"a", driver.Error}, {"a", driver.Fail},
		{"a", driver.Fail}, {"a", driver.Pass}} {
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

// Runs with other injected faults are of another board. One with another reference, or of another revision, says
// nothing of this one.
func TestSinceOfEqualBoards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	failed := driver.Tally{}.Verdicts
	failed[driver.Fail] = 1
	w := NewWriter(path)
	for _, of := range []struct{ faults, revision, against string }{{"", "", ""},
		{"uo3=stuck1", "", ""}, {"", "", ""}, {"", "rtl-2", ""}, {"", "", "gates"}} {
		_ = w.Start(report.Run{Identity: report.Identity{Chip: report.Chip{Board: "mock",
			Faults: of.faults}, Revision: of.revision, Against: of.against}})
		_ = w.End(report.Outcome{Tally: &driver.Tally{Verdicts: failed}})
	}
	h := open(t, path)
	for number, want := range map[int]int{2: 2, 3: 1, 4: 4, 5: 5} {
		r := testkit.Must(h.Get(number))(t)
		if _, failed, err := h.Since(r); err != nil || failed == nil || failed.Number != want {
			t.Error(number, failed, err)
		}
	}
}

// An incomplete run is in the history without an end.
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

func thousands(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "h.db")
	enter(path, "a", driver.Fail)
	text := testkit.Must(os.ReadFile(path))(b)
	r := testkit.Must((&History{path: path}).Get(1))(b)
	for number := 2; number <= 10_000; number++ {
		for _, end := range []*report.End{nil, r.End} {
			line := testkit.Must(seal(fact{Run: number, Start: &r.Start, End: end}))(b)
			text = append(text, line...)
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkList lists the latest twenty of ten thousand runs, and a board's runs.
func BenchmarkList(b *testing.B) {
	path := thousands(b)
	for name, f := range map[string]Filter{"latest": {Last: 20}, "board": {Board: "nowhere"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h, err := OpenOld(path)
				if err == nil {
					err = Table(io.Discard, h, f)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEnter enters a run of two vectors into a history of ten thousand, and one in which 8,000 vectors fail.
func BenchmarkEnter(b *testing.B) {
	b.Run("short", func(b *testing.B) {
		path := thousands(b)
		for b.Loop() {
			if w := enter(path, "a", driver.Pass); w.Number() == 0 {
				b.Fatal(w.Note())
			}
		}
	})
	b.Run("failing", func(b *testing.B) {
		path, results := filepath.Join(b.TempDir(), "h.db"), failing(8000)
		for b.Loop() {
			w := NewWriter(path)
			_ = w.Start(report.Run{})
			for _, r := range results {
				_ = w.Result(r)
			}
			_ = w.End(report.Outcome{Tally: &driver.Tally{}})
			if w.Note() != "" {
				b.Fatal(w.Note())
			}
		}
	})
}

func failing(n int) (results []*driver.Result) {
	first := &driver.Mismatch{Step: transport.Step{Reset: true, Clocks: 1, In: 0xFF}, Got: transport.Sample{Out: 8},
		OutDiff: 8}
	for i := range n {
		results = append(results, &driver.Result{Tile: utf.TT09,
			Vector: &golden.Vector{Name: fmt.Sprintf("chip/bmp/%08d/utf32-le-nochk", i)}, Iteration: 1,
			Verdict: driver.Fail, First: first})
	}
	return results
}
