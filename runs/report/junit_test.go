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
)

// A run that was stopped, or that judged nothing, is not a success, even if no vector failed.
func TestJUnitOfAStoppedRun(t *testing.T) {
	skipped := driver.Tally{Skips: map[string]int{"only for tt08": 1}}
	skipped.Verdicts[driver.Skipped] = 1
	for why, o := range map[string]Outcome{
		"the run was interrupted":           {Tally: &driver.Tally{}, Interrupted: true},
		"stopped by --timeout 1s":           {Tally: &driver.Tally{StoppedBy: "stopped by --timeout 1s"}},
		"the port does not answer":          {Tally: &driver.Tally{}, BenchError: "the port does not answer"},
		"nothing was judged: only for tt08": {Tally: &skipped},
		"no port \x00":                      {Tally: &driver.Tally{}, BenchError: "no port \x00"},
	} {
		var b bytes.Buffer
		r := &JUnit{Out: &b}
		if err := cmp.Or(r.Start(Run{Started: time.Unix(1, 0)}), r.End(o)); err != nil {
			t.Fatal(err)
		}
		got := read(t, &b)
		if got.Errors != 1 || got.Suites[0].Testcases[0].Error.Message != strings.ReplaceAll(why, "\x00", "U+0000") {
			t.Errorf("%s: %s", why, &b)
		}
	}
}

func read(t *testing.T, b *bytes.Buffer) (got junit.Testsuites) {
	t.Helper()
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	return got
}
