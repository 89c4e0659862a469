package report

import (
	"bytes"
	"cmp"
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

// Each run is a suite with the cases of all suites of vectors; a run that could not start is an error.
func TestJUnits(t *testing.T) {
	var all JUnits
	tell(t, all.Add("rp2040:A"))
	tell(t, all.Add("a\x1b<b>"))
	all.Add("absent").Trouble = "no such port\x00"
	var b bytes.Buffer
	if err := all.Write(&b, time.Second); err != nil {
		t.Fatal(err)
	}
	var got junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	if got.Tests != 13 || got.Failures != 2 || got.Errors != 5 || got.Suites[0].Skipped != 2 || len(got.Suites) != 3 {
		t.Fatalf("%+v", got)
	}
	first, last := got.Suites[0], got.Suites[2]
	if first.Name != "rp2040:A" || first.Tests != 6 || len(first.Testcases) != 6 || first.Timestamp == "" ||
		first.Testcases[0].Error.Message != "the cable is out" || first.Testcases[2].Failure == nil {
		t.Errorf("%+v", first)
	}
	if got.Suites[1].Name != "aU+001B<b>" {
		t.Errorf("%q", got.Suites[1].Name)
	}
	if last.Tests != 1 || last.Timestamp != "" || last.Testcases[0].Error.Message != "no such portU+0000" {
		t.Errorf("%+v", last)
	}
}

// A run that was stopped is no success, though none of its vectors failed.
func TestJUnitOfAStoppedRun(t *testing.T) {
	for why, o := range map[string]Outcome{
		"the run was interrupted":  {Tally: &driver.Tally{}, Interrupted: true},
		"stopped by --timeout 1s":  {Tally: &driver.Tally{Stopped: "stopped by --timeout 1s"}},
		"the port does not answer": {Tally: &driver.Tally{}, Trouble: "the port does not answer"},
	} {
		var one, several bytes.Buffer
		var all JUnits
		for _, r := range []Reporter{&JUnit{Out: &one}, all.Add("mock")} {
			if err := cmp.Or(r.Start(Run{Started: time.Unix(1, 0)}), r.End(o)); err != nil {
				t.Fatal(err)
			}
		}
		if err := all.Write(&several, time.Second); err != nil {
			t.Fatal(err)
		}
		for _, b := range []*bytes.Buffer{&one, &several} {
			var got junit.Testsuites
			if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if got.Errors != 1 || got.Suites[0].Testcases[0].Error.Message != why {
				t.Errorf("%s: %s", why, b)
			}
		}
	}
}

// A run that judged nothing is no success either, and a second run that passes does not hide that the first was WEAK.
func TestJUnitOfTooLittle(t *testing.T) {
	skipped, weak := driver.Tally{Skips: map[string]int{"only for tt08": 1}}, driver.Tally{Outputs: 1}
	skipped.Verdicts[driver.Skipped], weak.Verdicts[driver.Pass] = 1, 1
	passed := weak
	passed.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{OutX: 0xFE, IOX: 0xFF},
		{Out: 1, OutX: 0xFE, IOX: 0xFF}})
	var one, several bytes.Buffer
	var all JUnits
	both := all.Add("gpio")
	if err := cmp.Or((&JUnit{Out: &one}).End(Outcome{Tally: &skipped}), both.End(Outcome{Tally: &weak}),
		both.End(Outcome{Tally: &passed}), all.Write(&several, 0)); err != nil {
		t.Fatal(err)
	}
	if want := `<error message="nothing was judged: only for tt08"`; !strings.Contains(one.String(), want) {
		t.Errorf("no %s in\n%s", want, &one)
	}
	if want := `<failure message="WEAK: no output was compared"`; !strings.Contains(several.String(), want) {
		t.Errorf("no %s in\n%s", want, &several)
	}
}

// A second run of the same vectors uses the same test cases: one that failed and passed is FLAKY.
func TestJUnitsOfSeveralRuns(t *testing.T) {
	var all JUnits
	r := all.Add("rp2040:now-and-then")
	v := &golden.Vector{Name: "s/v", Line: 3}
	for _, verdict := range []driver.Verdict{driver.Fail, driver.Pass} {
		if err := (All{r}).Start(Run{Started: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
		res := &driver.Result{Vector: v, File: "s.vec", Verdict: verdict, Iteration: 1, Tile: utf.TT09}
		if verdict == driver.Fail {
			res.First = &driver.Mismatch{OutDiff: 8}
		}
		if err := r.Result(res); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := all.Write(&b, time.Second); err != nil {
		t.Fatal(err)
	}
	var got junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	if len(got.Suites) != 1 || got.Tests != 1 || got.Failures != 1 || got.Errors != 0 {
		t.Fatalf("%+v", got)
	}
	cases := got.Suites[0].Testcases
	if len(cases) != 1 || cases[0].Failure.Type != "FLAKY" {
		t.Errorf("%+v", cases)
	}
}
