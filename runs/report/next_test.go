package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// line joins words that need no quotes into a shell command.
func line(words ...string) string { return strings.Join(append([]string{"bench"}, words...), " ") }

// endedWith returns the collector of a run with one FAIL or ERROR, or with another verdict.
func endedWith(v driver.Verdict) *SuggestionCollector {
	t := &driver.Tally{}
	a := &SuggestionCollector{Outcome: Outcome{Tally: t}, Ended: true}
	switch v {
	case driver.Error:
		t.Verdicts[v], a.FirstError = 1, "s/a"
	case driver.Flaky: // FAIL in one iteration of two
		t.Verdicts[driver.Fail] = 1
		t.Repeats = []*driver.Repeat{{Counts: driver.Counts{driver.Pass: 1, driver.Fail: 1}}}
	case driver.Fail:
		t.Verdicts[v], t.Repeats, a.FirstFailed = 1, []*driver.Repeat{{Counts: driver.Counts{driver.Fail: 1}}}, "s/a"
	default:
		t.Verdicts[v] = 1
	}
	return a
}

// Suggestions depend on the verdict, and on whether there is a recording and a board.
func TestAfter(t *testing.T) {
	given := map[string][]string{"suite": {"--suite", "man7"}, "no-wiring": {"--no-wiring"}, "count": {"--count", "4"}}
	kept := PastRun{GivenFlags: given, TargetArgs: []string{"-t", "gpio"}, RecordingArgs: []string{"7"}, HasWires: true}
	kept.Iterations = 4
	lost, mock, seen, replayed := kept, kept, kept, kept
	lost.RecordingArgs, mock.HasWires, seen.ShownInFull, replayed.Replayed = nil, false, true, true
	chance := kept
	chance.RandomFaults = true
	const (
		looks = "bench diagnose 7; bench report 7 --open; "
		alone = "bench run -t gpio --no-wiring --run ^s/a$ -v; "
	)
	for _, c := range []struct {
		name string
		of   PastRun
		v    driver.Verdict
		want string
	}{
		{"FAIL", kept, driver.Fail, looks + alone},
		{"FAIL that was shown", seen, driver.Fail, looks},
		{"FAIL without a recording", lost, driver.Fail, alone},
		{"FAIL by chance", chance, driver.Fail, looks},
		{"FLAKY", kept, driver.Flaky, looks + "bench run -t gpio --suite man7 --no-wiring --count 20; "},
		{"FLAKY recording", replayed, driver.Flaky, looks},
		{"WIRING", kept, driver.Wiring, "bench run -t gpio --suite man7 --no-wiring; bench run -t gpio --no-wiring; "},
		{"ERROR", kept, driver.Error, "bench doctor -t gpio; "},
		{"ERROR without a board", mock, driver.Error, alone},
		{"PASS", kept, driver.Pass, ""}, {"SKIPPED", kept, driver.Skipped, ""}, {"ABORTED", kept, driver.Aborted, ""},
	} {
		got := ""
		for _, s := range c.of.Suggest(endedWith(c.v)) {
			got += line(s.Args...) + "; "
		}
		if got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
	kept.TargetArgs = []string{"-t", "gpio", "--at", "20MHz", "--sample", "9ns"}
	for period, want := range map[time.Duration]string{
		50:   "bench run -t gpio --at 100ns --suite man7 --no-wiring; bench diagnose 7 last; ",
		2000: "bench run -t gpio --suite man7 --no-wiring; bench diagnose 7 last; ",
	} {
		a := endedWith(driver.Fail)
		if err := a.Start(Run{Speed: &transport.Timing{Period: period}}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range kept.Suggest(a) {
			got += line(s.Args...) + "; "
		}
		if !strings.HasPrefix(got, looks+want) {
			t.Errorf("at speed: %s; want %s", got, looks+want)
		}
	}
	kept.TargetArgs = []string{"-t", "gpio"}
	late := endedWith(driver.Aborted)
	late.Outcome.Tally.StoppedBy, late.Outcome.BenchError = "stopped by --timeout 1s", "stopped by --timeout 1s"
	if got := kept.Suggest(late); got != nil {
		t.Errorf("after the end of the run's time: %v", got)
	}
	stopped := endedWith(driver.Fail)
	stopped.Outcome.Interrupted = true
	if got := kept.Suggest(stopped); got != nil {
		t.Errorf("after an interrupt: %v", got)
	}
}

// A run is named by its number, or else its recording, or else the recording that it replayed.
func TestRecordedAs(t *testing.T) {
	for _, c := range []struct {
		number          int
		path, transport string
		want            string
	}{
		{7, "a.rec", "gpio", "bench 7"},
		{0, "a.rec", "gpio", "bench a.rec"},
		{0, "", "replay:last", "bench last"},
		{0, "", "gpio", "bench"},
	} {
		if got := line(RunArgument(c.number, c.path, c.transport)...); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Each line is a shell command with its purpose as a comment. A long command does not shift the purposes of the others.
func TestWriteNext(t *testing.T) {
	var b bytes.Buffer
	WriteSuggestions(&b, []Suggestion{{[]string{"diagnose", "1"}, "why"}, {[]string{"history"}, "what"},
		{[]string{"vectors", "show", strings.Repeat("x", widest)}, "long"}})
	want := "\nnext:\n  bench diagnose 1  # why\n  bench history     # what\n  bench vectors show " +
		strings.Repeat("x", widest) + "  # long\n"
	if b.String() != want {
		t.Errorf("%q; want %q", &b, want)
	}
	b.Reset()
	if WriteSuggestions(&b, nil); b.Len() > 0 {
		t.Errorf("nothing to do, and %q", &b)
	}
}

// If one vector fails and the reference contradicts another, the suggestions name both correctly, whichever ran first.
func TestAfterFailAndClash(t *testing.T) {
	fail := &driver.Result{Vector: &golden.Vector{Name: "s/dark"}, Verdict: driver.Fail}
	clash := &driver.Result{Vector: &golden.Vector{Name: "s/wrong"}, Verdict: driver.Error,
		Contradiction: &driver.Mismatch{}}
	for _, results := range [][]*driver.Result{{fail, clash}, {clash, fail}} {
		a := endedWith(driver.Error)
		a.FirstError, a.Outcome.Tally.Verdicts[driver.Fail] = "", 1
		for _, r := range results {
			a.Result(r)
		}
		var next bytes.Buffer
		WriteSuggestions(&next, (&PastRun{RecordingArgs: []string{"7"}}).Suggest(a))
		const want = `
next:
  bench diagnose 7               # what explains it
  bench report 7 --open          # a page with waveforms
  bench run --run '^s/dark$' -v  # only the vector of the first failure
  bench vectors show s/wrong     # its steps, and what the vector expects
`
		if next.String() != want {
			t.Errorf("%s", &next)
		}
	}
}

// If a run compared each line at only one level, the suggestion is to check the sources: the reset may be active high.
func TestAfterConstant(t *testing.T) {
	weak := endedWith(driver.Pass)
	weak.Outcome.Tally.Outputs = 1
	weak.Outcome.Tally.Evidence.Add([]transport.Step{{Drive: 0xFF}}, []transport.Sample{{OutX: 0xFE}})
	steps := (&PastRun{DoubtfulSources: "."}).Suggest(weak)
	if len(steps) != 1 || line(steps[0].Args...) != "bench tile check --tile ." {
		t.Error(steps)
	}
	if steps := (&PastRun{}).Suggest(weak); len(steps) != 0 {
		t.Error(steps)
	}
}

// If the vectors of a run show too few faults, the suggestion is a search, unless a search made the vectors.
func TestAfterLittleCoverage(t *testing.T) {
	weak := endedWith(driver.Pass)
	weak.Outcome.Tally.MinCoverage, weak.Outcome.Tally.Coverage = 50, &tile.FaultCoverage{Faults: 10, Found: 4}
	kept := PastRun{TargetArgs: []string{"-t", "gpio", "--tile", "."}, RecordingArgs: []string{"7"}}
	for _, c := range []struct {
		of   PastRun
		want int
	}{{PastRun{TargetArgs: []string{"-t", "rp2040"}}, 1}, {kept, 2}, {PastRun{Replayed: true}, 0}} {
		steps := c.of.Suggest(weak)
		if c.want == 2 && line(steps[0].Args...) != "bench coverage 7 --tile ." {
			t.Error(steps)
		}
		const search = "bench explore -t rp2040 --budget 5s --save explored.vec"
		if len(steps) != c.want || c.want == 1 && (line(steps[0].Args...) != search ||
			!strings.HasSuffix(steps[0].Purpose, "for some seconds")) {
			t.Errorf("%+v: %v", c.of, steps)
		}
	}
	searched := *weak
	_ = searched.Result(&driver.Result{Vector: &golden.Vector{Name: "explored/00001"}})
	if steps := kept.Suggest(&searched); len(steps) != 1 {
		t.Errorf("after a search: %v", steps)
	}
	few := PastRun{TargetArgs: []string{"-t", "gpio"}, GivenFlags: map[string][]string{"run": {"--run", "a"}},
		AllVectors: 185}
	if steps := few.Suggest(weak); len(steps) != 1 || line(steps[0].Args...) != "bench run -t gpio" ||
		!strings.HasPrefix(steps[0].Purpose, "all 185 vectors, ") {
		t.Errorf("after a few vectors of many: %v", steps)
	}
	never := endedWith(driver.Pass)
	never.Outcome.Tally.Outputs, never.Outcome.Tally.Coverage = 1, &tile.FaultCoverage{Faults: 10, Found: 9}
	if steps := kept.Suggest(never); len(steps) != 2 {
		t.Errorf("an output is never compared: %v", steps)
	}
	never.Outcome.Tally.Outputs = 3
	never.Outcome.Tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{OutX: 0xFE, IOX: 0xFF},
		{Out: 1, OutX: 0xFE, IOX: 0xFF}})
	never.Searched = true
	if steps := new(PastRun).Suggest(never); len(steps) != 1 || !slices.Contains(steps[0].Args, "--accept-weak") {
		t.Errorf("a search compares no level of an output: %v", steps)
	}
	never.Outcome.Tally.Outputs, never.Searched = 1, false // both levels were compared: PASS
	if steps := kept.Suggest(never); len(steps) != 1 || line(steps[0].Args...) != "bench coverage 7 --tile ." {
		t.Errorf("a PASS that misses faults: %v", steps)
	}
	never.Outcome.Tally.Outputs = 3
	never.Outcome.Tally.MinCoverage, never.Searched = 95, true
	if steps := new(PastRun).Suggest(never); len(steps) != 0 {
		t.Errorf("to accept it does not make it a PASS: %v", steps)
	}
	weak.Outcome.Tally.Coverage.Testable = 20
	if steps := kept.Suggest(weak); !strings.HasPrefix(steps[0].Purpose, "all faults, not 10 of them, and ") {
		t.Errorf("after a sample: %v", steps)
	}
	weak.Outcome.Tally.Coverage.Unknown = 4 // of 6 faults missed
	if steps := kept.Suggest(weak); len(steps) != 1 || steps[0].Args[0] != "coverage" {
		t.Errorf("missing resets: %v", steps)
	}
}
