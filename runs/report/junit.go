package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"utfbench/driver"
)

// JUnit writes a run as JUnit XML at its end.
type JUnit struct {
	Out io.Writer
	JUnitRun
}

// End implements Reporter.
func (j *JUnit) End(o Outcome) error {
	_ = j.JUnitRun.End(o) // always nil
	switch {
	case o.Tally.Verdicts[driver.Error] > 0: // a vector has it
		j.Trouble = ""
	case j.Trouble == "" && nothing(o) != "":
		j.Trouble = Meaning(&j.run, o)
	}
	return (&JUnits{runs: []*JUnitRun{&j.JUnitRun}}).Write(j.Out, o.Elapsed)
}

// JUnits writes several runs as one JUnit XML, a test suite each. Add returns a reporter for each; Write writes them.
type JUnits struct{ runs []*JUnitRun }

// A JUnitRun counts each vector's verdicts, a test case per vector, and writes nothing itself. It accepts further runs
// of the same vectors: a test case then has the gravest verdict, or FLAKY after both PASS and FAIL. All text is ASCII,
// with code points as numbers, since XML cannot hold many of those in the vectors.
type JUnitRun struct {
	Trouble  string // why it could not be tested or broke off; else ""
	name     string // before the classnames, which distinguishes test cases of the same name; "" for a single run
	run      Run
	cases    map[string]*counted // by the vector's name
	order    []*counted
	room     int // bytes left for details
	said     []junit.Property
	evidence *Evidence // nil before the end of the run, and without a run
}

// roomForDetails keeps the file well below GitLab's limit of 30 MB: later failures have only a message.
const roomForDetails = 8 << 20

// A counted vector has the verdicts of all its iterations.
type counted struct {
	driver.Counts
	took  time.Duration
	worst *driver.Result // the first result with the gravest verdict
}

// Add adds a run. It must not be called concurrently.
func (a *JUnits) Add(name string) *JUnitRun {
	r := &JUnitRun{name: name}
	a.runs = append(a.runs, r)
	return r
}

// The types of the library, with more attributes of a testcase.
type (
	testsuites struct {
		junit.Testsuites
		Suites []testsuite `xml:"testsuite"`
	}
	testsuite struct {
		junit.Testsuite
		Cases []testcase `xml:"testcase"`
	}
	// A testcase of a vector in a user's file also has pytest's attributes, so that a reader can jump to it. The schema
	// of the Jenkins plugin xUnit lacks them.
	testcase struct {
		junit.Testcase
		File string `xml:"file,attr,omitempty"`
		Line int    `xml:"line,attr,omitempty"`
	}
)

func (s *testsuite) add(t testcase) {
	s.AddTestcase(t.Testcase) // counts it
	s.Testcases, s.Cases = nil, append(s.Cases, t)
}

// Write writes all runs.
func (a *JUnits) Write(out io.Writer, elapsed time.Duration) error {
	all := testsuites{Testsuites: junit.Testsuites{Name: "utfbench" + a.unasked(),
		Time: fmt.Sprintf("%.3f", elapsed.Seconds())}}
	for i, r := range a.runs {
		r.room = roomForDetails / len(a.runs)
		s := r.suite(i)
		all.AddSuite(s.Testsuite)
		all.Suites = append(all.Suites, s)
	}
	all.Testsuites.Suites, all.Skipped = nil, 0 // the schema has no sum of them
	enc := xml.NewEncoder(out)
	enc.Indent("", "\t")
	return cmp.Or(enc.Encode(all), enc.Close())
}

// unasked ends the name if only the model was tested.
func (a *JUnits) unasked() string {
	if len(a.runs) == 0 || slices.ContainsFunc(a.runs, func(r *JUnitRun) bool { return !r.run.Chipless() }) {
		return ""
	}
	return a.runs[0].run.Unasked()
}

// Say adds a property of the test suite.
func (r *JUnitRun) Say(name, value string) {
	r.said = append(r.said, junit.Property{Name: ascii(name), Value: ascii(value)})
}

// Start implements Reporter.
func (r *JUnitRun) Start(run Run) error {
	if r.cases == nil { // not a further run
		r.run, r.cases = run, map[string]*counted{}
	}
	return nil
}

// Result implements Reporter.
func (r *JUnitRun) Result(res *driver.Result) error {
	c := r.cases[res.Vector.Name]
	if c == nil {
		c = &counted{worst: res}
		r.cases[res.Vector.Name], r.order = c, append(r.order, c)
	}
	c.Counts[res.Verdict]++
	c.took += res.Took
	if res.Verdict != c.worst.Verdict && driver.Gravest(res.Verdict, c.worst.Verdict) == res.Verdict {
		c.worst = res
	}
	return nil
}

// End implements Reporter.
func (r *JUnitRun) End(o Outcome) error {
	r.Trouble, r.run.Count = o.cut(), cmp.Or(o.Tally.Iterations, r.run.Count)
	if r.evidence == nil || r.evidence.Weak == "" { // as with test cases, a PASS does not replace it
		r.evidence = NewEvidence(&r.run, o)
	}
	return nil
}

// rate describes how often the vector failed, if it ran several times.
func (c *counted) rate() string {
	bad := c.Counts[driver.Fail] + c.Counts[driver.Error]
	runs := bad + c.Counts[driver.Pass]
	if runs < 2 {
		return ""
	}
	low, high := driver.Wilson(bad, runs)
	return fmt.Sprintf("%d of %d runs were not PASS (%s to %s)", bad, runs, Percent(low), Percent(high))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

func (r *JUnitRun) class(name string) string {
	if r.name == "" {
		return name
	}
	return ascii(r.name) + "." + name
}

func (r *JUnitRun) testcase(c *counted) testcase {
	res := c.worst
	t := testcase{Testcase: junit.Testcase{Name: ascii(res.Vector.Name), Classname: r.class(res.Vector.Suite()),
		Time: seconds(c.took)}}
	if own(res) {
		t.File, t.Line = ascii(res.File), res.Vector.Line
	}
	at := fmt.Sprintf("%s:%d: ", res.File, res.Vector.Line)
	if rate := c.rate(); rate != "" {
		t.SystemOut = &junit.Output{Data: rate}
		at += rate + fmt.Sprintf("; in run %d ", res.Iteration)
	}
	switch res.Verdict {
	case driver.Fail:
		t.Failure = &junit.Result{Type: c.Verdict().String(), Message: ascii(at + Words(res)), Data: r.details(res)}
	case driver.Error, driver.Wiring:
		t.Error = &junit.Result{Type: res.Verdict.String(), Message: ascii(at + res.Reason), Data: r.details(res)}
	case driver.Skipped, driver.Aborted:
		t.Skipped = &junit.Result{Type: res.Verdict.String(), Message: ascii(res.Verdict.String() + ": " + res.Reason)}
	}
	return t
}

func (r *JUnitRun) details(res *driver.Result) string {
	lines := []string{fmt.Sprintf("%s:%d, from %s", res.File, res.Vector.Line, res.Vector.Source), what(res)}
	text := ascii(strings.Join(lines, "\n"))
	if r.room -= len(text); r.room < 0 {
		return "omitted to limit the file's size: bench show has the vector, --json everything"
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

// suite returns the run as a test suite.
func (r *JUnitRun) suite(id int) testsuite {
	h := testsuite{Testsuite: junit.Testsuite{Name: ascii(cmp.Or(r.name, r.run.Transport)), ID: id,
		Package: "utfbench"}}
	r.asides(&h)
	var took time.Duration
	for _, c := range r.order {
		h.add(r.testcase(c))
		took += c.took
	}
	h.Time = fmt.Sprintf("%.3f", took.Seconds()) // the maximum precision of the schema
	if r.cases != nil {                          // it has begun
		h.Timestamp = r.run.Started.UTC().Format(time.RFC3339)
		r.addProperties(&h.Testsuite)
	}
	for _, p := range r.said {
		h.AddProperty(p.Name, p.Value)
	}
	return h
}

func (r *JUnitRun) addProperties(h *junit.Testsuite) {
	h.AddProperty("transport", ascii(r.run.Transport))
	h.AddProperty("asked", ascii(r.run.Answerer()+r.run.Unasked()))
	h.AddProperty("board", ascii(r.run.Board))
	h.AddProperty("revision", r.run.Revision)
	h.AddProperty("seed", fmt.Sprint(r.run.Seed))
	h.AddProperty("iterations", fmt.Sprint(cmp.Or(r.run.Count, 1)))
	for _, key := range r.run.Tags.Keys() {
		h.AddProperty(ascii("tag."+key), ascii(r.run.Tags[key]))
	}
	if r.run.Wires != nil {
		h.AddProperty("wires", ascii(r.run.Wires.Why))
	}
	addEvidence(h, r.evidence)
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

// asides adds the test cases of the run as a whole: an error with the reason if it ended early or could not begin, and
// a failure if it is WEAK.
func (r *JUnitRun) asides(h *testsuite) {
	if r.Trouble != "" {
		cut := ascii(r.Trouble)
		h.add(testcase{Testcase: junit.Testcase{Name: "target", Classname: r.class("target"), Time: seconds(0),
			Error: &junit.Result{Type: driver.Error.String(), Message: cut, Data: cut}}})
	}
	if e := r.evidence; e != nil && e.Weak != "" {
		weak := driver.Weak.String()
		h.add(testcase{Testcase: junit.Testcase{Name: "outputs compared", Classname: r.class("evidence"),
			Time: seconds(0), Failure: &junit.Result{Type: weak, Message: ascii(weak + ": " + e.Weak),
				Data: ascii(e.String())}}})
	}
}
