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

// JUnit writes a run as JUnit XML at its end: a test case for each vector, with the gravest verdict of its iterations,
// or FLAKY after both PASS and FAIL. All text is ASCII, with code points as numbers: XML cannot hold many of those in
// the vectors.
type JUnit struct {
	Out io.Writer

	trouble  string // why the run ended early; else ""
	run      Run
	cases    map[string]*counted // by the vector's name
	order    []*counted
	room     int // bytes left for details
	evidence *Evidence
}

// roomForDetails keeps the file well below GitLab's limit of 30 MB: later failures have only a message.
const roomForDetails = 8 << 20

// A counted vector has the verdicts of all its iterations.
type counted struct {
	driver.Counts
	took  time.Duration
	worst *driver.Result // the first result with the gravest verdict
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

// Start implements Reporter.
func (j *JUnit) Start(run Run) error {
	j.run, j.cases, j.room = run, map[string]*counted{}, roomForDetails
	return nil
}

// Result implements Reporter.
func (j *JUnit) Result(res *driver.Result) error {
	c := j.cases[res.Vector.Name]
	if c == nil {
		c = &counted{worst: res}
		j.cases[res.Vector.Name], j.order = c, append(j.order, c)
	}
	c.Counts[res.Verdict]++
	c.took += res.Elapsed
	if res.Verdict > c.worst.Verdict {
		c.worst = res
	}
	return nil
}

// End implements Reporter.
func (j *JUnit) End(o Outcome) error {
	j.trouble, j.run.Count, j.evidence = o.cut(), cmp.Or(o.Tally.Iterations, j.run.Count), NewEvidence(&j.run, o)
	switch {
	case o.Tally.Verdicts[driver.Error] > 0: // a vector has it
		j.trouble = ""
	case j.trouble == "" && nothing(o) != "":
		j.trouble = Meaning(&j.run, o)
	}
	suite := j.suite()
	all := testsuites{Testsuites: junit.Testsuites{Name: "utfbench" + j.run.NoChipNote(),
		Time: fmt.Sprintf("%.3f", o.Elapsed.Seconds())}}
	all.AddSuite(suite.Testsuite)
	all.Testsuites.Suites, all.Suites, all.Skipped = nil, []testsuite{suite}, 0 // the schema has no sum of them
	enc := xml.NewEncoder(j.Out)
	enc.Indent("", "\t")
	return cmp.Or(enc.Encode(all), enc.Close())
}

// rate describes how often the vector failed, if it ran several times.
func (c *counted) rate() string {
	bad := c.Counts[driver.Fail] + c.Counts[driver.Error]
	runs := bad + c.Counts[driver.Pass]
	if runs < 2 {
		return ""
	}
	low, high := driver.Wilson(bad, runs)
	return fmt.Sprintf("%d of %d runs were not PASS (%s to %s)", bad, runs, FormatPercent(low), FormatPercent(high))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

func (j *JUnit) testcase(c *counted) testcase {
	res := c.worst
	t := testcase{Testcase: junit.Testcase{Name: ascii(res.Vector.Name), Classname: res.Vector.Suite(),
		Time: seconds(c.took)}}
	if own(res) {
		t.File, t.Line = ascii(res.File), res.Vector.Line
	}
	at := fmt.Sprintf("%s:%d: ", res.File, res.Vector.Line)
	if rate := c.rate(); rate != "" {
		t.SystemOut = &junit.Output{Data: rate}
		at += rate + fmt.Sprintf("; in run %d ", res.Iteration)
	}
	switch res.Verdict.Row().JUnit {
	case "failure":
		t.Failure = &junit.Result{Type: c.Verdict().String(), Message: ascii(at + DescribeDivergence(res)),
			Data: j.details(res)}
	case "error":
		t.Error = &junit.Result{Type: res.Verdict.String(), Message: ascii(at + res.Reason), Data: j.details(res)}
	case "skipped":
		t.Skipped = &junit.Result{Type: res.Verdict.String(), Message: ascii(res.Verdict.String() + ": " + res.Reason)}
	}
	return t
}

func (j *JUnit) details(res *driver.Result) string {
	lines := []string{fmt.Sprintf("%s:%d, from %s", res.File, res.Vector.Line, res.Vector.Source), what(res)}
	text := ascii(strings.Join(lines, "\n"))
	if j.room -= len(text); j.room < 0 {
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
func (j *JUnit) suite() testsuite {
	h := testsuite{Testsuite: junit.Testsuite{Name: ascii(j.run.Transport), Package: "utfbench"}}
	j.asides(&h)
	var took time.Duration
	for _, c := range j.order {
		h.add(j.testcase(c))
		took += c.took
	}
	h.Time = fmt.Sprintf("%.3f", took.Seconds()) // the maximum precision of the schema
	h.Timestamp = j.run.Started.UTC().Format(time.RFC3339)
	j.addProperties(&h.Testsuite)
	return h
}

func (j *JUnit) addProperties(h *junit.Testsuite) {
	h.AddProperty("transport", ascii(j.run.Transport))
	h.AddProperty("asked", ascii(j.run.Subject()+j.run.NoChipNote()))
	h.AddProperty("board", ascii(j.run.Board))
	h.AddProperty("revision", j.run.Revision)
	h.AddProperty("seed", fmt.Sprint(j.run.Seed))
	h.AddProperty("iterations", fmt.Sprint(cmp.Or(j.run.Count, 1)))
	for _, key := range j.run.Tags.Keys() {
		h.AddProperty(ascii("tag."+key), ascii(j.run.Tags[key]))
	}
	if j.run.Wires != nil {
		h.AddProperty("wires", ascii(j.run.Wires.Reason))
	}
	addEvidence(h, j.evidence)
}

func addEvidence(h *junit.Testsuite, e *Evidence) {
	if e == nil {
		return
	}
	h.AddProperty("compared.bits", fmt.Sprint(e.Bits))
	for _, l := range e.Lines {
		h.AddProperty("compared."+l.Line, fmt.Sprintf("%d at 0, %d at 1", l.Low, l.High))
	}
	if e.NeverCompared != "" {
		h.AddProperty("compared.never", e.NeverCompared)
	}
	if e.Weakness != "" {
		h.AddProperty("weak", e.Weakness)
	}
	if text := e.instability(); text != "" {
		h.AddProperty("unstable", text)
	}
	if len(e.IdleFaults) > 0 {
		h.AddProperty("idle_faults", strings.Join(e.IdleFaults, " "))
	}
	if s := e.Coverage; s != nil {
		h.AddProperty("coverage.percent", fmt.Sprintf("%.1f", s.Percent()))
		h.AddProperty("coverage", strings.Join(s.Lines(), "; "))
	}
	if e.FailureRate != nil {
		h.AddProperty("failure_rate_below", fmt.Sprintf("%.4g", *e.FailureRate))
	}
}

// asides adds the test cases of the run as a whole: an error with the reason if it ended early or could not begin, and
// a failure if it is WEAK.
func (j *JUnit) asides(h *testsuite) {
	if j.trouble != "" {
		cut := ascii(j.trouble)
		h.add(testcase{Testcase: junit.Testcase{Name: "target", Classname: "target", Time: seconds(0),
			Error: &junit.Result{Type: driver.Error.String(), Message: cut, Data: cut}}})
	}
	if e := j.evidence; e != nil && e.Weakness != "" {
		weak := driver.Weak.String()
		h.add(testcase{Testcase: junit.Testcase{Name: "outputs compared", Classname: "evidence",
			Time: seconds(0), Failure: &junit.Result{Type: weak, Message: ascii(weak + ": " + e.Weakness),
				Data: ascii(e.String())}}})
	}
}
