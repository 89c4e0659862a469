package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func results() []*driver.Result {
	vector := func(name string) *golden.Vector {
		return &golden.Vector{Name: "chip/" + name, Line: 7, Source: golden.Source{Document: "a.md",
			Section: "x\x00\u2028", Row: "r"}}
	}
	return []*driver.Result{
		{Tile: utf.TT09, Vector: vector("a"), File: "chip.vec", Iteration: 1, Verdict: driver.Pass, Steps: 3},
		{Tile: utf.TT09, Vector: vector("b"), File: "chip.vec", Iteration: 1, Verdict: driver.Fail, Steps: 9,
			Elapsed: time.Second / 4, SameLines: 2, OtherLines: 1, FirstMismatch: &driver.Mismatch{
				Index: 4, Step: transport.Step{In: 0xFF}, Got: transport.Sample{Out: 0x09, IO: 1},
				Want: transport.Sample{Out: 0x01}, OutDiff: 8, IODiff: 1, FileLine: 7}},
		{Tile: utf.TT09, Vector: vector("c"), File: "chip.vec", Iteration: 1, Verdict: driver.Error,
			Reason: "the cable is out\x1b[0m"},
		{Tile: utf.TT09, Vector: vector("d"), File: "chip.vec", Iteration: 2, Verdict: driver.Skipped,
			Reason: "for another chip"},
		{Tile: utf.TT09, Vector: vector("e"), File: "chip.vec", Iteration: 1, Verdict: driver.Aborted,
			Reason: "interrupted"},
	}
}

func tell(t *testing.T, r Reporter) {
	t.Helper()
	var tally driver.Tally
	err := r.Start(Run{Version: "v", Transport: "mock:tt09", Identity: Identity{Revision: "tt09",
		Chip: Chip{Kind: "verilog", Board: "mock"}}, Vectors: 5, Iterations: 1, Started: time.Unix(0, 0)})
	for _, res := range results() {
		tally.Verdicts[res.Verdict]++
		if err == nil {
			err = r.Result(res)
		}
	}
	if err == nil {
		err = r.End(Outcome{Tally: &tally, Elapsed: time.Second, Hint: "look there", BenchError: "the cable is out"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// If many lines are unstable, instability names only some of them.
func TestManyUnstable(t *testing.T) {
	tally := &driver.Tally{Instability: driver.Instability{Steps: 9, Lines: [16]int{1, 2, 3, 4, 5, 6}}}
	e := NewEvidence(&Run{}, Outcome{Tally: tally})
	const want = "samples of uo0 in 1, uo1 in 2, uo2 in 3, uo3 in 4 and 2 more. "
	if got := e.instability(); !strings.Contains(got, want) || len(e.UnstableLines) != 6 {
		t.Errorf("%s; %d lines", got, len(e.UnstableLines))
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	tell(t, &JUnit{Out: &b})
	var got junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if got.Tests != 5 || got.Failures != 1 || got.Errors != 1 || len(got.Suites) != 1 || got.Suites[0].Skipped != 2 {
		t.Fatalf("%d tests, %d failures, %d errors, %d suites; want 5, 1, 1, 1, and 2 skipped", got.Tests,
			got.Failures, got.Errors, len(got.Suites))
	}
	cases := got.Suites[0].Testcases
	if f := cases[1].Failure; f.Message != "chip.vec:7: uo3 (OVERLONG) is 1, not 0; uio is 01, not 00 (uio0)" ||
		!strings.Contains(f.Data, "want     00000001") {
		t.Errorf("failure %+v", f)
	}
	if e := cases[2].Error; e.Message != "chip.vec:7: the cable is outU+001B[0m" ||
		!strings.Contains(e.Data, `"x\x00\u2028"`) {
		t.Errorf("error %+v; want code points by number", e)
	}
	if cases[3].Name != "chip/d" || cases[3].Skipped == nil {
		t.Errorf("skipped case %+v", cases[3])
	}
	for _, want := range []string{`<testcase name="chip/b" classname="chip" time="0.250000">`,
		`time="0.250" timestamp=`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

// Each vector is one test case, however often it ran, with its failure rate and the first of its most severe results.
func TestJUnitOfIterations(t *testing.T) {
	var b bytes.Buffer
	j := &JUnit{Out: &b}
	if err := j.Start(Run{Iterations: 20}); err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]func(round int) driver.Verdict{
		"always": func(int) driver.Verdict { return driver.Fail },
		"never":  func(int) driver.Verdict { return driver.Pass },
		"rarely": func(n int) driver.Verdict {
			return map[bool]driver.Verdict{true: driver.Fail, false: driver.Pass}[n == 4 || n == 9]
		},
		"cut": func(n int) driver.Verdict {
			return map[bool]driver.Verdict{true: driver.Aborted, false: driver.Pass}[n == 20]
		},
		"skipped": func(int) driver.Verdict { return driver.Skipped },
	}
	for n := range 20 {
		for _, name := range []string{"always", "never", "rarely", "cut", "skipped"} {
			r := *results()[1]
			r.Vector, r.Iteration, r.Verdict = &golden.Vector{Name: "chip/" + name, Line: 7}, n+1, verdicts[name](n+1)
			if r.Verdict != driver.Fail {
				r.FirstMismatch = nil
			}
			if err := j.Result(&r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := j.End(Outcome{Tally: &driver.Tally{}}); err != nil {
		t.Fatal(err)
	}
	var got junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if got.Tests != 5 || got.Failures != 2 || got.Suites[0].Skipped != 2 {
		t.Fatalf("%d tests, %d failures, %d skipped; want 5, 2, 2", got.Tests, got.Failures, got.Suites[0].Skipped)
	}
	cases := got.Suites[0].Testcases
	for i, want := range []string{"FAIL chip.vec:7: 20 of 20 runs were not PASS (84 % to 100 %); in run 1 uo3", "",
		"FLAKY chip.vec:7: 2 of 20 runs were not PASS (2.8 % to 30 %); in run 4 uo3"} {
		said := ""
		if f := cases[i].Failure; f != nil {
			said = f.Type + " " + f.Message
		}
		if !strings.HasPrefix(said, want) || want == "" && said != "" {
			t.Errorf("%q; want %q", said, want)
		}
	}
	if o := cases[1].SystemOut; o == nil || !strings.HasPrefix(o.Data, "0 of 20 runs were not PASS") ||
		cases[1].Time != "5.000000" {
		t.Errorf("of what always passed %+v", cases[1])
	}
	if s := cases[3].Skipped; s == nil || s.Type != "ABORTED" {
		t.Errorf("of what was interrupted %+v", cases[3])
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	tell(t, NewJSON(&b))
	var events []map[string]any
	for line := range strings.Lines(b.String()) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		events = append(events, e)
	}
	if len(events) != 7 || events[0]["event"] != "start" || events[0]["schema"] != float64(SchemaVersion) ||
		events[6]["event"] != "end" {
		t.Fatalf("%d events: %v", len(events), events)
	}
	m := events[2]["mismatch"].(map[string]any)
	if m["step"] != 5.0 || m["later_same_lines"] != 2.0 || m["got"].(map[string]any)["uo"] != "00001001" {
		t.Errorf("mismatch %v", m)
	}
	counts := events[6]["counts"].(map[string]any)
	for v, want := range map[string]float64{"PASS": 1, "FAIL": 1, "ERROR": 1, "SKIPPED": 1, "ABORTED": 1} {
		if counts[v] != want {
			t.Errorf("counts[%s] = %v, want %v", v, counts[v], want)
		}
	}
}

func TestTextColour(t *testing.T) {
	var plain, colour bytes.Buffer
	tell(t, &Text{Out: &plain})
	tell(t, &Text{Out: &colour, Colour: true})
	if strings.Contains(plain.String(), "\x1b[3") {
		t.Errorf("colour without being asked for:\n%q", plain.String())
	}
	if !strings.Contains(colour.String(), "\x1b[31;1mFAIL   \x1b[0m chip/b") {
		t.Errorf("FAIL has no colour:\n%q", colour.String())
	}
	for _, want := range []string{"step 5 of 9", "3 later steps differ, 2 of them only on these lines",
		"The bench could not finish: the cable is out", "look there"} {
		if !strings.Contains(plain.String(), want) {
			t.Errorf("no %q in\n%s", want, plain.String())
		}
	}
}

// If a thousand failures are of one kind, the text shows one example and their number.
func TestTextShowsEachKindOnce(t *testing.T) {
	var b bytes.Buffer
	text := Text{Out: &b}
	fail := results()[1]
	for range 1000 {
		if err := text.Result(fail); err != nil {
			t.Fatal(err)
		}
	}
	other := *fail
	first := *fail.FirstMismatch
	first.OutDiff = 0x10
	other.FirstMismatch = &first
	if err := text.Result(&other); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "FAIL "); n != 2 || text.hidden != 999 {
		t.Errorf("%d shown and %d hidden; want 2 and 999", n, text.hidden)
	}
}

// If many lines are unknown, DescribeDivergence names them together.
func TestWordsOfUnknownLines(t *testing.T) {
	r := &driver.Result{Tile: utf.TT09, FirstMismatch: &driver.Mismatch{OutDiff: 0xF7,
		Got: transport.Sample{OutX: 0x77}, Want: transport.Sample{Out: 0x80}}}
	if got := DescribeDivergence(r); got != "uo0-uo2, uo4-uo6 are unknown; uo7 (BEOF) is 0, not 1" {
		t.Error(got)
	}
}

// DescribeDivergence says that the simulator's X may have caused a wrong bit.
func TestWordsBesideX(t *testing.T) {
	r := &driver.Result{Tile: utf.TT09, FirstMismatch: &driver.Mismatch{OutDiff: 8, Got: transport.Sample{OutX: 0x81},
		Want: transport.Sample{Out: 8, OutX: 0x81}, X: 0x81}}
	if got := DescribeDivergence(r); !strings.HasSuffix(got,
		"; the simulator's X on uo0, uo7 may be the cause: --simulator "+
			"verilator has no X") {
		t.Error(got)
	}
	if r.FirstMismatch.X = 0; strings.Contains(DescribeDivergence(r), "simulator") {
		t.Error(DescribeDivergence(r))
	}
}

// The timeout of a run is reported once, and not as a fault of the vector.
func TestMeaningOfOvertime(t *testing.T) {
	const why = "stopped by --timeout 1s; the rest was not judged"
	var b bytes.Buffer
	o := Outcome{Tally: &driver.Tally{StoppedBy: why}, BenchError: why}
	o.Tally.Verdicts[driver.Aborted] = 2
	if err := (&Text{Out: &b}).End(o); err != nil || strings.Count(b.String(), "stopped") != 1 ||
		!strings.Contains(b.String(), "\nERROR  "+why+"\n") {
		t.Errorf("%s, %v", &b, err)
	}
	o.Tally.Verdicts[driver.Error] = 1
	o.Tally.Verdicts[driver.Fail] = 2
	if got := Meaning(new(Run), o); !strings.HasSuffix(got, ": this says nothing about the chip, but 2 FAILs do (0s)") {
		t.Error(got)
	}
}

// Beyond its pads' rated clock, a chip is not the only suspect. A wire that the factory test clears is not blamed.
func TestCulprits(t *testing.T) {
	tally := &driver.Tally{Repeats: []*driver.Repeat{{Counts: driver.Counts{driver.Fail: 1}}}}
	tally.Verdicts[driver.Fail] = 1
	for _, c := range []struct {
		kind, settled string
		period        time.Duration
		want          string
	}{
		{"rp2040", LineAtFault, 20,
			"the chip, or a wire, or its output pads, clocked beyond their 33MHz, is at fault: "},
		{"rp2040", "", 31, "the chip, or a wire, is at fault: "},
		{"rp2040", DesignAtFault, 31, "the chip's design is at fault: "},
		{Mock, DesignAtFault, 20, "the mock is at fault: "},
	} {
		r := &Run{Speed: &transport.Timing{Period: c.period}, Wires: &WiringFindings{Settled: c.settled}}
		r.Kind = c.kind
		if got := Meaning(r, Outcome{Tally: tally}); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s at %s: %s", c.kind, c.period, got)
		}
	}
	tally.OtherRevision = 1
	r := &Run{Identity: Identity{Chip: Chip{Kind: "rp2040"}, Revision: "tt08"}}
	const other = "the chip answers as another revision than tt08: "
	if got := Meaning(r, Outcome{Tally: tally}); !strings.HasPrefix(got, other) {
		t.Error(got)
	}
}

// A simulated design is not the only suspect if an X may have caused all of its mismatches.
func TestMeaningOfX(t *testing.T) {
	r := &Run{Identity: Identity{Chip: Chip{Kind: Verilog}}}
	tally := &driver.Tally{}
	tally.Verdicts[driver.Fail], tally.FailsByX = 2, 2
	tally.Repeats = []*driver.Repeat{{Counts: driver.Counts{driver.Fail: 1}}}
	const both = "the simulated design, or the simulator's X, is at fault: 2 of 2 vectors differ"
	if got := Meaning(r, Outcome{Tally: tally}); !strings.HasPrefix(got, both) {
		t.Error(got)
	}
	if tally.FailsByX = 1; !strings.HasPrefix(Meaning(r, Outcome{Tally: tally}), "the simulated design is at fault: ") {
		t.Error(Meaning(r, Outcome{Tally: tally}))
	}
	tally.Verdicts[driver.Error], tally.ErrorsByTwin = 1, 1
	if got := Meaning(r, Outcome{Tally: tally}); !strings.Contains(got, ": 2 of 2 vectors differ") ||
		!strings.Contains(got, "; the sources simulate otherwise than they synthesise, which leaves 1 vector open") {
		t.Error(got)
	}
}

// FormatPercent gives all rates the same notation, with two significant digits.
func TestPercent(t *testing.T) {
	for p, want := range map[float64]string{0: "0 %", 1e-9: "0.00000010 %", 3.7e-6: "0.00037 %", 9.3e-5: "0.0093 %",
		2.1e-4: "0.021 %", 0.57: "57 %", 0.9999: "99.99 %", 0.999979: "99.998 %", 1: "100 %"} {
		if got := FormatPercent(p); got != want {
			t.Errorf("%g: %q, want %q", p, got, want)
		}
	}
}
