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
	"utfbench/tile"
)

// JUnit is a Reporter that writes a run as JUnit XML when it ends: a test case for each vector, with the most severe
// verdict of its iterations, or FLAKY after both PASS and FAIL. All text is ASCII. Code points are written as numbers,
// since XML cannot represent many of the vectors' code points.
type JUnit struct {
	Out io.Writer

	trouble  string // why the run ended early, or ""
	run      Run
	cases    map[string]*counted // by the vectors' names
	order    []*counted
	evidence *Evidence
}

// counted holds the verdicts of a vector over all its iterations.
type counted struct {
	driver.Counts
	took  time.Duration
	worst *driver.Result // the first result with the most severe verdict
}

func (j *JUnit) Start(run Run) error {
	j.run, j.cases = run, map[string]*counted{}
	return nil
}

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

func (j *JUnit) End(o Outcome) error {
	j.trouble, j.evidence = o.cut(), NewEvidence(&j.run, o)
	j.run.Iterations = cmp.Or(o.Tally.Iterations, j.run.Iterations)
	switch {
	case o.Tally.Verdicts[driver.Error] > 0: // a vector reports it
		j.trouble = ""
	case j.trouble == "" && nothing(o) != "":
		j.trouble = Meaning(&j.run, o)
	}
	all := junit.Testsuites{Name: "utfbench" + j.run.NoChipNote(), Time: fmt.Sprintf("%.3f", o.Elapsed.Seconds())}
	all.AddSuite(j.suite())
	all.Skipped = 0 // the schema has no sum of skipped tests
	enc := xml.NewEncoder(j.Out)
	enc.Indent("", "\t")
	return cmp.Or(enc.Encode(all), enc.Close())
}

// rate describes how often the vector failed if it ran several times.
func (c *counted) rate() string {
	bad := c.Counts[driver.Fail] + c.Counts[driver.Error]
	runs := bad + c.Counts[driver.Pass]
	if runs < 2 {
		return ""
	}
	low, high := tile.Wilson(bad, runs)
	return fmt.Sprintf("%d of %d runs were not PASS (%s to %s)", bad, runs, FormatPercent(low), FormatPercent(high))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

func (c *counted) testcase() junit.Testcase {
	res := c.worst
	t := junit.Testcase{Name: ascii(res.Vector.Name), Classname: res.Vector.Suite(), Time: seconds(c.took)}
	at := fmt.Sprintf("%s:%d: ", res.File, res.Vector.Line)
	if rate := c.rate(); rate != "" {
		t.SystemOut = &junit.Output{Data: rate}
		at += rate + fmt.Sprintf("; in run %d ", res.Iteration)
	}
	switch res.Verdict.Row().JUnit {
	case "failure":
		t.Failure = &junit.Result{Type: c.Verdict().String(), Message: ascii(at + DescribeDivergence(res)),
			Data: details(res)}
	case "error":
		t.Error = &junit.Result{Type: res.Verdict.String(), Message: ascii(at + res.Reason), Data: details(res)}
	case "skipped":
		t.Skipped = &junit.Result{Type: res.Verdict.String(), Message: ascii(res.Verdict.String() + ": " + res.Reason)}
	}
	return t
}

func details(res *driver.Result) string {
	return ascii(fmt.Sprintf("%s:%d, from %s\n%s", res.File, res.Vector.Line, res.Vector.Source, what(res)))
}

// ascii replaces characters that XML or a terminal may reject with their code points.
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

func (j *JUnit) suite() junit.Testsuite {
	h := junit.Testsuite{Name: ascii(j.run.Transport), Package: "utfbench"}
	j.asides(&h)
	var took time.Duration
	for _, c := range j.order {
		h.AddTestcase(c.testcase())
		took += c.took
	}
	h.Time = fmt.Sprintf("%.3f", took.Seconds()) // the schema's maximum precision
	h.Timestamp = j.run.Started.UTC().Format(time.RFC3339)
	j.addProperties(&h)
	return h
}

// addProperties adds the facts on which the verdict is based.
func (j *JUnit) addProperties(h *junit.Testsuite) {
	add := func(name, value string) {
		if value != "" {
			h.AddProperty(ascii(name), ascii(value))
		}
	}
	add("transport", j.run.Transport)
	add("asked", j.run.Subject()+j.run.NoChipNote())
	add("board", j.run.Board)
	add("revision", j.run.Revision)
	add("seed", fmt.Sprint(j.run.Seed))
	add("iterations", fmt.Sprint(cmp.Or(j.run.Iterations, 1)))
	for _, key := range j.run.Tags.Keys() {
		add("tag."+key, j.run.Tags[key])
	}
	if j.run.Wires != nil {
		add("wires", j.run.Wires.Reason)
	}
	e := j.evidence
	add("compared", e.String())
	add("unstable", e.instability())
	add("idle_faults", strings.Join(e.IdleFaults, " "))
	if e.Coverage != nil {
		add("coverage", strings.Join(e.Coverage.Lines(), "; "))
	}
}

// asides adds test cases for the run as a whole: an error if it ended early or never began, a failure if it is WEAK.
func (j *JUnit) asides(h *junit.Testsuite) {
	if j.trouble != "" {
		cut := ascii(j.trouble)
		h.AddTestcase(junit.Testcase{Name: "target", Classname: "target", Time: seconds(0),
			Error: &junit.Result{Type: driver.Error.String(), Message: cut, Data: cut}})
	}
	if e := j.evidence; e.Weakness != "" {
		weak := driver.Weak.String()
		h.AddTestcase(junit.Testcase{Name: "outputs compared", Classname: "evidence", Time: seconds(0),
			Failure: &junit.Result{Type: weak, Message: ascii(weak + ": " + e.Weakness), Data: ascii(e.String())}})
	}
}
