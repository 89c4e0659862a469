package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
)

// GitHub annotates at most nine kinds of failure, and the verdict. No name can end a workflow command.
func TestGitHub(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "a,b.vec")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, summary bytes.Buffer
	g := &GitHub{Out: &out, Summary: &summary}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(g.Start(Run{Transport: "mock:tt09", Iterations: 1, Vectors: 30, Identity: Identity{Revision: "tt09"}}))
	tally := new(driver.Tally)
	for i := range 30 {
		r := &driver.Result{Tile: utf.TT09, Vector: &golden.Vector{Name: "v/1", Line: 7}, File: mine,
			Verdict: driver.Error, Reason: "50 % of it:\n```" + strings.Repeat("x", i%15)}
		tally.Verdicts[driver.Error]++
		check(g.Result(r))
	}
	check(g.End(Outcome{Tally: tally, Elapsed: time.Second}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 10 || !strings.HasPrefix(lines[0], "::error file="+strings.ReplaceAll(mine, ",", "%2C")+
		",line=7,title=ERROR v/1::50 %25 of it:%0A```") {
		t.Errorf("%d lines\n%s", len(lines), &out)
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "::error title=ERROR%3A mock%3Att09::the bench is") {
		t.Error(last)
	}
	if s := summary.String(); !strings.HasPrefix(s, "### ERROR\n\nthe bench is at fault") ||
		strings.Count(s, "````") != 2 {
		t.Error(s)
	}
}
