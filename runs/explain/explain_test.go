package explain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/cause/cells"
	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func board(t *testing.T, name string) *boards.Board {
	t.Helper()
	return testkit.Must(boards.Open(name))(t)
}

// recorded runs the suite man7 on a mock with faults, and opens the recording.
func recorded(t *testing.T, faults ...fault.Fault) *report.Recording { return reported(t, faults) }

func reported(t *testing.T, faults []fault.Fault, others ...report.Reporter) *report.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	w := append(report.Reporters{report.NewWriter(f)}, others...)
	keep := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	keep(w.Start(report.Run{Transport: "gpio:lines", Vectors: 1, Iterations: 1}))
	r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}), Tile: utf.TT09,
		Report: func(r *driver.Result) { keep(w.Result(r)) }}
	jobs := testkit.Jobs[driver.Job](t, "man7.vec")
	for i := range jobs[:len(jobs)/testkit.Pick(12, 1)] {
		jobs[i] = jobs[i*testkit.Pick(12, 1)]
	}
	tally, err := r.Run(context.Background(), jobs[:len(jobs)/testkit.Pick(12, 1)])
	keep(err)
	keep(w.End(report.Outcome{Tally: tally}))
	rec := testkit.Must(report.Open(path))(t)
	t.Cleanup(func() { rec.Close() })
	return rec
}

func diagnosed(t *testing.T, name string, rec *report.Recording) (*Diagnosis, error) {
	return DiagnoseRecordings(t.Context(), []Run{NewRun(name, rec)}, board(t, "rpi"), utf.TT09, false, 0)
}

// A diagnosis ends when its context is done.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	rec := recorded(t, testkit.Must(model.Bits.Parse("ui5=stuck1"))(t))
	if _, err := DiagnoseRecordings(ctx, []Run{NewRun("a", rec)}, board(t, "rpi"), utf.TT09, false,
		0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// If a check with another design has located the fault of an output, the diagnosis of the run agrees with it.
func TestSettledWires(t *testing.T) {
	stuck := testkit.Must(model.Bits.Parse("uo3=stuck1"))(t)
	for settled, want := range map[string]diagnose.Conclusion{report.DesignAtFault: diagnose.Logic,
		report.LineAtFault: diagnose.Unclear,
		report.OtherDesign: diagnose.Unexplained, "": diagnose.Unclear} {
		rec := recorded(t, stuck)
		rec.Start.Wires = &report.WiringFindings{Reason: "factory test", Lines: []string{"uo3"}, Settled: settled}
		d := testkit.Must(diagnosed(t, "a", rec))(t)
		if settled == report.OtherDesign && d.Suspects != nil {
			t.Errorf("another design answers, and %s", d.Suspects)
		}
		if d.Conclusion != string(want) || (d.Reason == "factory test") != (settled != "") {
			t.Errorf("settled %q: %s, %s", settled, d.Conclusion, d.Reason)
		}
		if settled != report.DesignAtFault {
			continue
		}
		rec.Start.Wires.Lines = nil // all lines are good
		if d, err := diagnosed(t, "a", rec); err != nil || d.Conclusion != string(diagnose.Logic) ||
			d.Suspects != nil || d.Reason != "factory test" {
			t.Errorf("of all lines: %s, %s, %q, %v", d.Conclusion, d.Reason, d.Suspects, err)
		}
		rec.Start.Wires.Lines = []string{"uo4"} // not uo3
		if d, err := diagnosed(t, "a", rec); err != nil ||
			d.Conclusion != string(diagnose.Unclear) || d.Reason == "factory test" {
			t.Errorf("of uo4, settled %q: %s, %v", settled, d.Conclusion, err)
		}
	}
}

// The diagnosis counts the executions that a recording lacks, and explains the others.
func TestMissing(t *testing.T) {
	stuck := testkit.Must(model.Bits.Parse("ui5=stuck1"))(t)
	rec := recorded(t, stuck)
	for planned, want := range map[int]string{0: "", 3: " or samples are missing: 3 more executions\n"} {
		n := 0
		for p := range rec.Executions() {
			if p.Verdict != driver.Skipped {
				n++
			}
		}
		rec.Start.Vectors = n + planned
		d := testkit.Must(diagnosed(t, "a", rec))(t)
		var text strings.Builder
		d.WriteText(&text, func(words ...string) string { return strings.Join(words, " ") })
		if d.MissingExecutions != planned || d.Conclusion != "wire" || !strings.Contains(text.String(), want) ||
			strings.Contains(text.String(), "missing") != (planned > 0) {
			t.Errorf("%d planned and missing: %d, %s: %s", planned, d.MissingExecutions, d.Conclusion, &text)
		}
	}
}

// A stuck line is named with its place on the board, and explains all wrong bits.
func TestRecording(t *testing.T) {
	stuck := testkit.Must(model.Bits.Parse("uo3=stuck1"))(t)
	d := testkit.Must(diagnosed(t, "a", recorded(t, stuck)))(t)
	if d.Conclusion != "unclear" || d.Board != "rpi" || d.Transport != "gpio:lines" || d.Failed == 0 ||
		d.Failed > d.Executions {
		t.Errorf("%+v", d)
	}
	if len(d.Suspects) == 0 || !strings.Contains(d.Suspects[0], "uo3") ||
		!strings.Contains(d.Suspects[0], board(t, "rpi").Probes([]string{"uo3"})) {
		t.Errorf("suspects %q", d.Suspects)
	}
	var text strings.Builder
	d.WriteText(&text, func(words ...string) string { return strings.Join(words, " ") })
	next := regexp.MustCompile(`\nrepeat it, and measure uo3 \(.*\), at the chip's pin and at the bench's:\n  loop `)
	if !next.MatchString(text.String()) {
		t.Errorf("no next command: %s", &text)
	}
	if !strings.Contains(d.Account, "predicts no error that was not seen") || d.Verb == "" {
		t.Errorf("%s: %s", d.Verb, d.Account)
	}
	if good, err := diagnosed(t, "a", recorded(t)); err != nil || good.Conclusion != "nothing" || good.Suspects != nil {
		t.Errorf("a good chip: %+v, %v", good, err)
	}
}

// If the context ends during the explanation of a page, the page is written only if AllowPartial is set.
func TestPageStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var html strings.Builder
	p := &Page{PageOptions: report.PageOptions{Out: &html, Context: ctx},
		Explain: func() *Explanation { stop(); return nil }}
	tally := &driver.Tally{}
	tally.Verdicts[driver.Fail] = 1
	if err := p.End(report.Outcome{Tally: tally}); !errors.Is(err, context.Canceled) || html.Len() > 0 {
		t.Errorf("%v, %d bytes", err, html.Len())
	}
	p.AllowPartial = true
	if err := p.End(report.Outcome{Tally: tally}); err != nil || html.Len() == 0 {
		t.Errorf("%v, %d bytes", err, html.Len())
	}
}

// The explanation in a page equals the diagnosis of the run's recording, with the same conclusion, suspects, order and
// number of bits. A run without a failure has no explanation.
func TestOneAnswer(t *testing.T) {
	for i, text := range []string{"uo3=stuck1", "ui3=stuck1", "ui0~ui5=and", "uio3<>uio4", "ui1=inverted",
		"rst_n=stuck0", "uio2=open", "clk=open", "uo4=flip:1e-2:1", "v3=stuck1", "fmax=1MHz", "uo0=late", ""} {
		if i%testkit.Pick(3, 1) != 0 {
			continue
		}
		var faults []fault.Fault
		if text != "" {
			faults = append(faults, testkit.Must(model.Bits.Parse(text))(t))
		}
		var html strings.Builder
		p := &Page{PageOptions: report.PageOptions{Out: &html, Tile: utf.TT09, Board: board(t, "rpi")}}
		reporter := p.WithDiagnosis()
		explains, page := p.Explain, &Explanation{}
		p.Explain = func() *Explanation { page = explains(); return page }
		d := testkit.Must(diagnosed(t, "a", reported(t, faults, reporter)))(t)
		if text == "" {
			if page.Conclusion != "" || strings.Contains(html.String(), "conclusion") {
				t.Errorf("a good chip: %+v", page)
			}
			continue
		}
		want, got := fmt.Sprintf("%+v", *d.Explanation), fmt.Sprintf("%+v", *page)
		want, got = scope.ReplaceAllString(want, ""), scope.ReplaceAllString(got, "") // a pointer
		if want != got || page.Scope.String() != d.Scope.String() || !strings.Contains(html.String(), page.Account) {
			t.Errorf("%s: a diagnosis says\n%s\nand the page\n%s", text, want, got)
		}
	}
}

// A listener holds back passing executions until the first failure; a skipped vector does not count as one.
func TestDiagnosisBeginsAtAFailure(t *testing.T) {
	l, one := &listener{run: &diagnose.Run{Tile: utf.TT09}}, make([]transport.Step, 1)
	for i, v := range []driver.Verdict{driver.Pass, driver.Skipped, driver.Fail} {
		r := &driver.Result{Verdict: v, Vector: new(golden.Vector)}
		if v != driver.Skipped {
			r.Trace = &driver.Trace{Steps: one, Got: make([]transport.Sample, 1)}
		}
		if err := l.Result(r); err != nil || (l.run.Executions > 0) != (i == 2) {
			t.Errorf("after %s: %d executions, %v", v, l.run.Executions, err)
		}
	}
}

var scope = regexp.MustCompile(`Scope:0x[0-9a-f]+`)

// The text of a diagnosis contains its conclusion and cause, and says what would distinguish equal causes.
func TestDiagnosisInWords(t *testing.T) {
	d := &Diagnosis{Transport: "gpio:lines", Board: "rpi", Revision: "tt09", Executions: 9, Failed: 2,
		CutReason: "byte 7", RunNames: []string{"7"},
		Explanation: &Explanation{Conclusion: "wire", Reason: "so", Verb: "explained by",
			Suspects: []string{"uo3 is stuck at 1"}, Account: "all of it"}}
	said := func() string {
		var w strings.Builder
		d.WriteText(&w, func(words ...string) string { return "bench " + strings.Join(words, " ") })
		return w.String()
	}
	for _, want := range []string{"gpio:lines, board rpi, compared with the tt09 model: 2 of 9 executions are FAIL\n" +
		"  the recording is incomplete: byte 7\n\nconclusion: wire\nso\n",
		"\nexplained by:\n  uo3 is stuck at 1\nall of it\n"} {
		if text := said(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	d.Ambiguous, d.several, d.Suspects = true, true, append(d.Suspects, "uo4 is stuck at 1")
	if !strings.HasSuffix(said(), "\n  bench wiring --tile factory\n") {
		t.Error(said())
	}
	d.Probe = &Probe{Vector: "a/b", Step: 1, Lines: "uo3"}
	if d.unchecked = []string{"--no-wiring"}; !strings.Contains(said(), "  bench loop a/b --no-wiring\n") {
		t.Error(said())
	}
	if d.factory = true; !strings.HasSuffix(said(), "the design from the wires:\n  bench wiring --tile factory\n") {
		t.Error(said())
	}
	if d.Conclusion = "nothing"; !strings.HasSuffix(said(), "byte 7\nso\n") {
		t.Error(said())
	}
}

// accounted returns a cause that explains some of the differing bits. text is its fault, or "" for none.
func accounted(text string, explained, differs int, cost float64) (c search.Fit) {
	if c.Bits = cost; text != "" {
		c.Hypothesis = search.MustParse(utf.TT09, text)
	}
	c.Account = search.Account{DifferingBits: differs, ExplainedBits: explained}
	return c
}

// verb says that a cause may fit if it explains all of a few errors, and does not fit if it explains only some.
func TestVerb(t *testing.T) {
	for explained, want := range map[int]string{3: "may be explained by", 2: "nearest, which does not fit"} {
		f := diagnose.Finding{Conclusion: diagnose.Unclear, Facts: []string{"first wrong: step 1"},
			Causes: []search.Fit{accounted("uo3=flip:1e-4", explained, 3, 40)}}
		if got := verb(f, 1); got != want {
			t.Errorf("%d of 3: %s, want %s", explained, got, want)
		}
	}
}

// If nothing explains a run, the text repeats the earlier wiring check's finding, which the search might not cover.
func TestUnexplainedBehindBadWires(t *testing.T) {
	wires := &report.WiringFindings{Reason: "the samples change"}
	if e := NewExplanation(board(t, "mock"), diagnose.Finding{Conclusion: diagnose.Unexplained},
		wires); !strings.HasSuffix(e.Reason, "; before the run: the samples change") {
		t.Error(e.Reason)
	}
}

// If a cell explains as much as two faults together, both are named.
func TestCellOrPair(t *testing.T) {
	d := &Diagnosis{MayBeCell: true, whole: true, Cell: &cells.Location{Best: []cells.Place{{ExplainedBits: 9}}},
		Explanation: &Explanation{Conclusion: "several", Suspects: []string{"uo3 is stuck at 0", "ui2 is open"}}}
	const want = "cell: a cell inside the chip explains every answer, and no single wire does; several faults " +
		"together do, too: uo3 is stuck at 0; ui2 is open"
	if d.inside(false); d.Conclusion+": "+d.Reason != want {
		t.Errorf("%s: %s", d.Conclusion, d.Reason)
	}
}

// Pairs on the same lines that explain a run equally well share a description.
func TestPairsInWords(t *testing.T) {
	pairs := func(texts ...string) (hs []search.Hypothesis) {
		for _, text := range texts {
			one, other, _ := strings.Cut(text, " ")
			both, _ := search.MustParse(utf.TT09, one).WithFault(search.MustParse(utf.TT09, other).Faults[0])
			hs = append(hs, both)
		}
		return hs
	}
	for _, c := range []struct {
		of   []search.Hypothesis
		want []string
		verb string
	}{
		{pairs("uo3=stuck1 ui0=open", "uo3=open ui0=open", "uo3=open ui1<>ui2"), []string{
			"uo3 is stuck at 1 or open, and ui0 is open", "uo3 is open, and ui1 and ui2 are swapped"},
			"ambiguous between"},
		{pairs("uo3=stuck1 ui0=open"), []string{"uo3 is stuck at 1, and ui0 is open"}, "explained together by"},
	} {
		f := diagnose.Finding{Conclusion: diagnose.SeveralFaults, TieCount: len(c.of)}
		for _, h := range c.of {
			f.Causes = append(f.Causes, accounted("", 3, 3, 0))
			f.Causes[len(f.Causes)-1].Hypothesis = h
		}
		if e := NewExplanation(board(t, "mock"), f, nil); !slices.Equal(e.Suspects, c.want) || e.Verb != c.verb {
			t.Errorf("%s: %q", e.Verb, e.Suspects)
		}
	}
	f := diagnose.Finding{Conclusion: diagnose.Unclear, TieCount: 1, SeparatePairs: pairs("ui1=stuck0 uo3=stuck0"),
		Causes: []search.Fit{accounted("ui1<>uo3", 3, 3, 0)}}
	want := []string{"ui1 and uo3 are swapped", twoLines + "ui1 is stuck at 0 or open, and uo3 is stuck at 0"}
	if e := NewExplanation(board(t, "mock"), f, nil); !slices.Equal(e.Suspects, want) || e.Verb != "ambiguous between" {
		t.Errorf("%s: %q", e.Verb, e.Suspects)
	}
}

// The report names a suspected wire with its place.
func TestWiringInWords(t *testing.T) {
	for text, word := range map[string]string{"uio3": "WIRING   ", "uo3": "UNCLEAR  the output uo3 is at fault, and " +
		"these steps do not tell whether it is the wire, the bench's pin, the chip's pad or the design; "} {
		stuck := testkit.Must(model.Bits.Parse(text + "=stuck1"))(t)
		chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{stuck}})
		r := testkit.Must(diagnose.CheckWiring(t.Context(), chip, utf.TT09, 0))(t)
		var w strings.Builder
		r.WriteText(&w, board(t, "rpi"), "; no chip was tested")
		if lines := strings.Split(w.String(), "\n"); !strings.HasPrefix(lines[0], word) ||
			!strings.HasSuffix(lines[0], "; no chip was tested") ||
			!strings.HasPrefix(lines[1], "         "+text+" is stuck at 1 ") ||
			!strings.Contains(lines[1], ", header pin ") {
			t.Error(&w)
		}
	}
}

// A minimised sequence is printed with its steps, and with its samples, if any.
func TestMinimisedInWords(t *testing.T) {
	r := &MinimisedSequence{Steps: []transport.Step{{Reset: true, Clocks: 1, In: 0xFF}},
		Want: transport.Sample{Out: 0xC0, IOX: 0xFF}, AppliedSteps: 99}
	var once, often strings.Builder
	r.writeText(&once, utf.TT09, "a/b", 9)
	if want := "a/b: 1 of 9 steps remain (a run adds a reset), after 99 steps on the device; " +
		"it was not repeated\n  1  reset\n     want uo 11000000 uio xxxxxxxx\n"; once.String() != want {
		t.Errorf("%q; want %q", &once, want)
	}
	r.Steps = append(r.Steps, transport.Step{Clocks: 1}, transport.Step{Clocks: 1}, transport.Step{In: 1})
	r.Rate, r.Got = driver.Rate{Wrong: 5, Steps: 20}, &transport.Sample{Out: 0xC8}
	r.writeText(&often, utf.TT09, "a/b", 9)
	if said := often.String(); !strings.Contains(said, "; it differed 5 of 20 times (95 % interval: ") ||
		!strings.Contains(said, "\n  1  reset\n  2 to 3  ") || !strings.Contains(said, "\n  4  ") ||
		!strings.Contains(said, "\n     got  uo 11001000 uio 00000000\n") {
		t.Error(said)
	}
}
