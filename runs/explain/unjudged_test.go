package explain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/transport"
)

// wrong is a trace that differs from every chip's.
var wrong = driver.Trace{Steps: []transport.Step{{Reset: true, Clocks: 2}}, Got: []transport.Sample{{Out: 0xFF}}}

// The text gives the reason for an unjudged run instead of "nothing differs", even if samples of an ERROR differ. After
// a bad wire, it suggests the next command.
func TestRunThatWasNotJudged(t *testing.T) {
	passed := &driver.Trace{Steps: []transport.Step{transport.ParkStep}, Got: make([]transport.Sample, 1)}
	for _, c := range []struct {
		verdict driver.Verdict
		reason  string
		also    bool // another vector is PASS
		want    string
		next    bool
	}{
		{driver.Wiring, "clk is open", false, ": no execution was judged\nthe chip was not judged, since the wiring " +
			"is at fault: clk is open\n", true},
		{driver.Error, "no answer", false, ": no execution was judged\n1 execution is ERROR, not FAIL, and there is " +
			"no fault of the chip to explain: no answer\n", false},
		{driver.Error, "x", true, "0 of 1 execution is FAIL\nnothing differs in what was judged; 1 execution is ERROR",
			false},
		{driver.Aborted, "", false, "no execution was judged\n1 execution is ABORTED, which says nothing about the " +
			"chip\n", false},
		{driver.Skipped, "tt08 only", false, "no execution was judged\n1 execution is SKIPPED, which says nothing " +
			"about the chip: tt08 only\n", false},
		{driver.Skipped, "tt08 only", true, "0 of 1 execution is FAIL\nnothing differs, so there is nothing to " +
			"explain\n", false},
	} {
		a := &driver.Result{Vector: &golden.Vector{Name: "a"}, Verdict: c.verdict, Reason: c.reason}
		if c.verdict == driver.Error {
			a.Trace = &wrong
		}
		results := []*driver.Result{a}
		if c.also {
			results = append(results, &driver.Result{Vector: &golden.Vector{Name: "b"},
				Verdict: driver.Pass, Trace: passed})
		}
		d := testkit.Must(diagnosed(t, "last", recordingOf(t, results)))(t)
		var out strings.Builder
		d.WriteText(&out, func(words ...string) string { return "bench " + strings.Join(words, " ") })
		said := out.String()
		if !strings.Contains(said, c.want) || strings.Contains(said, "\n  bench run --no-wiring\n") != c.next {
			t.Errorf("%s: %s", c.verdict, said)
		}
	}
}

// Executions that are ERROR are counted separately from the evidence, even if their samples differ.
func TestErrorsAreNoEvidence(t *testing.T) {
	result := func(name string, v driver.Verdict) *driver.Result {
		return &driver.Result{Vector: &golden.Vector{Name: name}, Verdict: v, Trace: &wrong}
	}
	results := []*driver.Result{result("a", driver.Fail), result("b", driver.Error)}
	d := testkit.Must(diagnosed(t, "last", recordingOf(t, results)))(t)
	var out strings.Builder
	d.WriteText(&out, func(words ...string) string { return "bench " + strings.Join(words, " ") })
	const want = ": 1 of 1 execution is FAIL\n  not diagnosed, since an ERROR says nothing about the chip: 1 exec"
	if d.Executions != 1 || d.Failed != 1 || d.Errors != 1 || !strings.Contains(out.String(), want) {
		t.Errorf("%d executions, %d failed, %d errors\n%s", d.Executions, d.Failed, d.Errors, &out)
	}
}

func recordingOf(t *testing.T, results []*driver.Result) *report.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	w := report.NewWriter(f)
	if err := w.Start(report.Run{Transport: "gpio:lines"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if err := w.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(report.Outcome{Tally: &driver.Tally{}}); err != nil {
		t.Fatal(err)
	}
	rec := testkit.Must(report.Open(path))(t)
	t.Cleanup(func() { rec.Close() })
	return rec
}
