package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"utfbench/driver"
)

// JUnit collects a run and writes it as JUnit XML at its end. Everything in it is ASCII: code points are written as
// numbers, since XML cannot hold many of those that the vectors are about.
type JUnit struct {
	Out    io.Writer
	run    Run
	suites []*junit.Testsuite
}

// Start implements Reporter.
func (j *JUnit) Start(r Run) error {
	j.run = r
	return nil
}

// Result implements Reporter.
func (j *JUnit) Result(r *driver.Result) error {
	s := j.suite(r)
	c := junit.Testcase{Name: r.Vector.Name + iteration(r), Classname: r.Vector.Suite(), Time: "0"}
	at := fmt.Sprintf("%s:%d", r.File, r.Vector.Line)
	switch r.Verdict {
	case driver.Fail:
		c.Failure = &junit.Result{Type: "FAIL", Message: ascii(at + ": " + Words(r.First)), Data: ascii(details(r, at))}
	case driver.Error:
		c.Error = &junit.Result{Type: "ERROR", Message: ascii(at + ": " + r.Reason), Data: ascii(details(r, at))}
	case driver.Skipped, driver.Aborted:
		c.Skipped = &junit.Result{Type: r.Verdict.String(), Message: ascii(r.Verdict.String() + ": " + r.Reason)}
	}
	s.AddTestcase(c)
	return nil
}

func details(r *driver.Result, at string) string {
	lines := []string{at + ", from " + r.Vector.Source.String()}
	if r.First != nil {
		lines = append(lines, Explain(r)...)
	} else {
		lines = append(lines, r.Reason)
	}
	return strings.Join(lines, "\n")
}

// ascii replaces what XML or a terminal could stumble over by its code point.
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

func (j *JUnit) suite(r *driver.Result) *junit.Testsuite {
	name := r.Vector.Suite()
	for _, s := range j.suites {
		if s.Name == name {
			return s
		}
	}
	s := &junit.Testsuite{Name: name, ID: len(j.suites), File: r.File, Package: "utfbench", Time: "0",
		Timestamp: j.run.Started.UTC().Format(time.RFC3339)}
	s.AddProperty("transport", ascii(j.run.Transport))
	s.AddProperty("asked", ascii(j.run.Answerer()+j.run.Unasked()))
	s.AddProperty("board", ascii(j.run.Board))
	s.AddProperty("revision", j.run.Revision)
	s.AddProperty("seed", fmt.Sprint(j.run.Seed))
	j.suites = append(j.suites, s)
	return s
}

// End implements Reporter.
func (j *JUnit) End(o Outcome) error {
	all := junit.Testsuites{Name: "utfbench" + j.run.Unasked(), Time: fmt.Sprintf("%.3f", o.Elapsed.Seconds())}
	for _, s := range j.suites {
		all.AddSuite(*s)
	}
	return all.WriteXML(j.Out)
}
