package report

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// JUnits writes several runs as one JUnit XML, a test suite each. Add returns a reporter for each; Write writes them.
type JUnits struct{ runs []*JUnitRun }

// A JUnitRun reports one run and writes nothing itself. It accepts further runs of the same vectors: a test case then
// has the gravest verdict, or FLAKY after both PASS and FAIL.
type JUnitRun struct {
	JUnit
	Trouble  string // why it could not be tested or broke off; else ""
	name     string
	said     []junit.Property
	evidence *Evidence // nil before the end of the run, and without a run
}

// Add adds a run. It must not be called concurrently.
func (a *JUnits) Add(name string) *JUnitRun {
	r := &JUnitRun{name: name}
	a.runs = append(a.runs, r)
	return r
}

// Drop removes a run that Add returned.
func (a *JUnits) Drop(r *JUnitRun) {
	a.runs = slices.DeleteFunc(a.runs, func(of *JUnitRun) bool { return of == r })
}

// class includes the run in a classname, which distinguishes test cases of the same name.
func (r *JUnitRun) class(name string) string { return ascii(r.name) + "." + name }

// Say adds a property of the test suite.
func (r *JUnitRun) Say(name, value string) {
	r.said = append(r.said, junit.Property{Name: ascii(name), Value: ascii(value)})
}

// Start implements Reporter.
func (r *JUnitRun) Start(run Run) error {
	if r.cases != nil {
		return nil // a further run
	}
	return r.JUnit.Start(run)
}

// End implements Reporter.
func (r *JUnitRun) End(o Outcome) error {
	r.Trouble = o.cut()
	if r.evidence == nil || r.evidence.Weak == "" { // as with test cases, a PASS does not replace it
		r.evidence = NewEvidence(&r.run, o)
	}
	return nil
}

// Write writes all runs, test case by test case.
func (a *JUnits) Write(out io.Writer, elapsed time.Duration) error {
	all := junit.Testsuites{Name: "utfbench" + a.unasked(), Time: fmt.Sprintf("%.3f", elapsed.Seconds())}
	heads := make([]junit.Testsuite, len(a.runs))
	for i, r := range a.runs {
		r.room = roomForDetails / len(a.runs)
		heads[i] = r.head(i)
		all.AddSuite(heads[i])
	}
	all.Suites = nil
	w := &nested{out: out}
	w.open(all, "testsuites")
	for i, r := range a.runs {
		w.open(heads[i], "testsuite")
		r.write(w)
		w.text("</testsuite>\n")
	}
	w.text("</testsuites>\n")
	return w.err
}

// unasked ends the name if only the model was tested.
func (a *JUnits) unasked() string {
	if len(a.runs) == 0 || slices.ContainsFunc(a.runs, func(r *JUnitRun) bool { return !r.run.Chipless() }) {
		return ""
	}
	return a.runs[0].run.Unasked()
}

// head returns a run's suite, with the cases of all suites of vectors.
func (r *JUnitRun) head(id int) junit.Testsuite {
	s := &suite{name: ascii(r.name)}
	for _, own := range r.suites {
		s.cases = append(s.cases, own.cases...)
		s.file = own.file
	}
	if len(r.suites) != 1 {
		s.file = ""
	}
	h := r.JUnit.head(id, s, r.evidence)
	for _, t := range r.asides() {
		t.count(&h)
	}
	if r.run.Started.IsZero() {
		h.Timestamp, h.Properties = "", nil
	}
	for _, p := range r.said {
		h.AddProperty(p.Name, p.Value)
	}
	return h
}

func (r *JUnitRun) asides() []single { return asides(r.Trouble, r.class("target"), r.evidence) }

func (r *JUnitRun) write(w *nested) {
	for _, t := range r.asides() {
		w.writeElement(t)
	}
	for _, s := range r.suites {
		for _, c := range s.cases {
			t := r.testcase(c)
			t.Classname = r.class(t.Classname)
			w.writeElement(t)
		}
	}
}
