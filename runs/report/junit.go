package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"utfbench/driver"
)

// JUnit counts each vector's verdicts and writes them as JUnit XML at the end, one test case per vector. All text is
// ASCII, with code points as numbers, since XML cannot hold many of those in the vectors.
type JUnit struct {
	Out    io.Writer
	run    Run
	cases  map[string]*counted // by the vector's name
	suites []*suite
	room   int // bytes left for details
}

// roomForDetails keeps the file well below GitLab's limit of 30 MB: later failures have only a message.
const roomForDetails = 8 << 20

// A counted vector has the verdicts of all its iterations.
type counted struct {
	verdicts [len(driver.Verdicts)]int
	took     time.Duration
	worst    *driver.Result // the first result with the overall verdict
}

type suite struct {
	name, file string
	cases      []*counted
}

// Start implements Reporter.
func (j *JUnit) Start(r Run) error {
	j.run, j.cases, j.room = r, map[string]*counted{}, roomForDetails
	return nil
}

// gravity orders verdicts: a test case has the gravest of its iterations. ABORTED is graver than PASS, since an
// interrupted vector has not passed.
var gravity = map[driver.Verdict]int{
	driver.Error: 5, driver.Wiring: 4, driver.Fail: 3, driver.Aborted: 2, driver.Pass: 1, driver.Skipped: 0,
}

// Result implements Reporter.
func (j *JUnit) Result(r *driver.Result) error {
	c := j.cases[r.Vector.Name]
	if c == nil {
		c = &counted{worst: r}
		j.cases[r.Vector.Name] = c
		s := j.suite(r)
		s.cases = append(s.cases, c)
	}
	c.verdicts[r.Verdict]++
	c.took += r.Took
	if gravity[r.Verdict] > gravity[c.worst.Verdict] {
		c.worst = r
	}
	return nil
}

func (j *JUnit) suite(r *driver.Result) *suite {
	name := r.Vector.Suite()
	for _, s := range j.suites {
		if s.name == name {
			return s
		}
	}
	s := &suite{name: name, file: r.File}
	j.suites = append(j.suites, s)
	return s
}

// rate describes how often the vector failed, if it ran several times.
func (c *counted) rate() string {
	bad := c.verdicts[driver.Fail] + c.verdicts[driver.Error]
	runs := bad + c.verdicts[driver.Pass]
	if runs < 2 {
		return ""
	}
	low, high := driver.Wilson(bad, runs)
	return fmt.Sprintf("%d of %d runs were not PASS (%s to %s)", bad, runs, Percent(low), Percent(high))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

// A testcase of a vector in a user's file also has pytest's attributes, so that a reader can jump to it. The schema of
// the Jenkins plugin xUnit lacks them.
type testcase struct {
	XMLName xml.Name `xml:"testcase"`
	junit.Testcase
	File string `xml:"file,attr,omitempty"`
	Line int    `xml:"line,attr,omitempty"`
}

func (j *JUnit) testcase(c *counted) testcase {
	r := c.worst
	t := testcase{Testcase: junit.Testcase{Name: ascii(r.Vector.Name), Classname: r.Vector.Suite(),
		Time: seconds(c.took)}}
	if own(r) {
		t.File, t.Line = ascii(r.File), r.Vector.Line
	}
	at := fmt.Sprintf("%s:%d: ", r.File, r.Vector.Line)
	rate := c.rate()
	if rate != "" {
		t.SystemOut = &junit.Output{Data: rate}
		at += rate + fmt.Sprintf("; in run %d ", r.Iteration)
	}
	switch r.Verdict {
	case driver.Fail:
		kind := driver.Fail
		if c.verdicts[driver.Pass] > 0 {
			kind = driver.Flaky
		}
		t.Failure = &junit.Result{Type: kind.String(), Message: ascii(at + Words(r)), Data: j.details(r)}
	case driver.Error, driver.Wiring:
		t.Error = &junit.Result{Type: r.Verdict.String(), Message: ascii(at + r.Reason), Data: j.details(r)}
	case driver.Skipped, driver.Aborted:
		t.Skipped = &junit.Result{Type: r.Verdict.String(), Message: ascii(r.Verdict.String() + ": " + r.Reason)}
	}
	return t
}

func (j *JUnit) details(r *driver.Result) string {
	const leftOut = "omitted to limit the file's size: bench show has the vector, --json everything"
	if j.room < 0 {
		return leftOut
	}
	lines := []string{fmt.Sprintf("%s:%d, from %s", r.File, r.Vector.Line, r.Vector.Source)}
	if r.Divergence() != nil {
		lines = append(lines, Explain(r)...)
	} else {
		lines = append(lines, r.Reason)
	}
	text := ascii(strings.Join(lines, "\n"))
	if j.room -= len(text); j.room < 0 {
		return leftOut
	}
	return text
}

// ascii replaces characters that XML or a terminal may not accept by their code points.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' || r >= 0x20 && r < 0x7F {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "U+%04X", r)
		}
	}
	return b.String()
}

func (j *JUnit) head(id int, s *suite, e *Evidence) junit.Testsuite {
	h := junit.Testsuite{Name: s.name, ID: id, File: ascii(s.file), Package: "utfbench", Tests: len(s.cases),
		Timestamp: j.run.Started.UTC().Format(time.RFC3339)}
	var took time.Duration
	for _, c := range s.cases {
		took += c.took
		switch c.worst.Verdict {
		case driver.Fail:
			h.Failures++
		case driver.Error, driver.Wiring:
			h.Errors++
		case driver.Skipped, driver.Aborted:
			h.Skipped++
		}
	}
	h.Time = fmt.Sprintf("%.3f", took.Seconds()) // the maximum precision of the schema
	h.AddProperty("transport", ascii(j.run.Transport))
	h.AddProperty("asked", ascii(j.run.Answerer()+j.run.Unasked()))
	h.AddProperty("board", ascii(j.run.Board))
	h.AddProperty("revision", j.run.Revision)
	h.AddProperty("seed", fmt.Sprint(j.run.Seed))
	h.AddProperty("iterations", fmt.Sprint(cmp.Or(j.run.Count, 1)))
	for _, key := range j.run.Tags.Keys() {
		h.AddProperty(ascii("tag."+key), ascii(j.run.Tags[key]))
	}
	if j.run.Wires != nil {
		h.AddProperty("wires", ascii(j.run.Wires.Why))
	}
	addEvidence(&h, e)
	return h
}

func addEvidence(h *junit.Testsuite, e *Evidence) {
	if e == nil {
		return
	}
	h.AddProperty("compared.bits", fmt.Sprint(e.Bits))
	for _, l := range e.Lines {
		h.AddProperty("compared."+l.Line, fmt.Sprintf("%d at 0, %d at 1", l.Low, l.High))
	}
	if e.Never != "" {
		h.AddProperty("compared.never", e.Never)
	}
	if e.Weak != "" {
		h.AddProperty("weak", e.Weak)
	}
	if text := e.instability(); text != "" {
		h.AddProperty("unstable", text)
	}
	if len(e.Idle) > 0 {
		h.AddProperty("idle_faults", strings.Join(e.Idle, " "))
	}
	if s := e.Strength; s != nil {
		h.AddProperty("strength.percent", fmt.Sprintf("%.1f", s.Percent()))
		h.AddProperty("strength", strings.Join(s.Lines(), "; "))
	}
	if e.FailureRate != nil {
		h.AddProperty("failure_rate_below", fmt.Sprintf("%.4g", *e.FailureRate))
	}
}

// End implements Reporter. It writes each test case separately, so that the file is never in memory.
func (j *JUnit) End(o Outcome) error {
	j.run.Count = cmp.Or(o.Tally.Iterations, j.run.Count)
	all := junit.Testsuites{Name: "utfbench" + j.run.Unasked(), Time: fmt.Sprintf("%.3f", o.Elapsed.Seconds())}
	evidence := NewEvidence(&j.run, o)
	heads := make([]junit.Testsuite, len(j.suites))
	for i, s := range j.suites {
		heads[i] = j.head(i, s, evidence)
		all.AddSuite(heads[i])
	}
	cut := o.cut()
	switch {
	case o.Tally.Verdicts[driver.Error] > 0: // a vector has it
		cut = ""
	case cut == "" && nothing(o) != "":
		cut = Meaning(&j.run, o)
	}
	untold := asides(cut, "evidence", evidence)
	aside := junit.Testsuite{Name: "evidence", ID: len(heads), Package: "utfbench",
		Timestamp: j.run.Started.UTC().Format(time.RFC3339), Time: "0.000"}
	for _, t := range untold {
		t.count(&aside)
	}
	all.AddSuite(aside)
	all.Suites, all.Skipped = nil, 0 // the schema has no sum of them
	w := &nested{out: j.Out}
	w.open(all, "testsuites")
	if len(untold) > 0 {
		w.open(aside, "testsuite")
		for _, t := range untold {
			w.writeElement(t)
		}
		w.text("</testsuite>\n")
	}
	for i, s := range j.suites {
		w.open(heads[i], "testsuite")
		for _, c := range s.cases {
			w.writeElement(j.testcase(c))
		}
		w.text("</testsuite>\n")
	}
	w.text("</testsuites>\n")
	return w.err
}

// A single is a test case without a vector.
type single struct {
	XMLName xml.Name `xml:"testcase"`
	junit.Testcase
}

// asides returns the test cases of a run as a whole, of a class: an error with the reason if it ended early or could
// not begin, and a failure if it is WEAK. e is nil for a run that did not begin.
func asides(cut, class string, e *Evidence) (all []single) {
	if cut != "" {
		all = append(all, single{Testcase: junit.Testcase{Name: "target", Classname: class, Time: seconds(0),
			Error: &junit.Result{Type: driver.Error.String(), Message: ascii(cut), Data: ascii(cut)}}})
	}
	if e != nil && e.Weak != "" {
		weak := driver.Weak.String()
		all = append(all, single{Testcase: junit.Testcase{Name: "outputs compared", Classname: "evidence",
			Time:    seconds(0),
			Failure: &junit.Result{Type: weak, Message: ascii(weak + ": " + e.Weak), Data: ascii(e.String())}}})
	}
	return all
}

// count counts a test case in its suite.
func (s single) count(h *junit.Testsuite) {
	h.AddTestcase(s.Testcase)
	h.Testcases = nil // written one by one
}

// A nested writer writes XML elements with contents.
type nested struct {
	out io.Writer
	err error // the first, after which nothing is written
}

func (w *nested) text(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.out, s)
	}
}

// open writes an element without its end.
func (w *nested) open(element any, name string) {
	var b strings.Builder
	err := xml.NewEncoder(&b).EncodeElement(element, xml.StartElement{Name: xml.Name{Local: name}})
	w.err = cmp.Or(w.err, err)
	w.text(strings.TrimSuffix(b.String(), "</"+name+">") + "\n")
}

func (w *nested) writeElement(element any) {
	b, err := xml.Marshal(element)
	w.err = cmp.Or(w.err, err)
	w.text(string(b) + "\n")
}
