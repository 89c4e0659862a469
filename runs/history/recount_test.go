package history

import (
	"strings"
	"testing"

	"utfbench/runs/report"
)

// A recording that is incomplete, or was changed, is no run.
func TestRunOf(t *testing.T) {
	start := report.Start{Event: "start"}
	for _, c := range []struct {
		rec   report.Recording
		words string
	}{
		{report.Recording{Start: start}, "did not end"},
		{report.Recording{Start: start, End: &report.End{}}, "did not end"},
		{report.Recording{Start: start, End: &report.End{Verdict: "PASS"}, Cut: "it ends at byte 7"},
			"is incomplete: it ends"},
		{report.Recording{Start: start, End: &report.End{Verdict: "PASS"}}, "its executions are SKIPPED"},
		{report.Recording{Start: start, End: &report.End{Verdict: "PASS\x1b"}}, "the unknown verdict"},
	} {
		if _, _, err := runOf(&c.rec); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%v; want %q", err, c.words)
		}
	}
}
