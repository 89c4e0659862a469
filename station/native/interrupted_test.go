package native

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/utf"
)

// A run whose context is done when it has ended still writes its report, without what explains it.
func TestReportInterrupted(t *testing.T) {
	target := New("mock")
	target.Faults = []string{"uo3=stuck1"}
	r := &station.Run{Target: target, Vectors: plan.Selection{Tile: utf.TT09, Suites: []string{"man7"}}}
	defer r.Close()
	for _, step := range []func(context.Context) error{r.Plan, r.Open, r.Prepare} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	o := Outputs{HTML: filepath.Join(t.TempDir(), "run.html"), Context: interrupted,
		Text: &report.Text{Out: io.Discard}}
	outcome, err := o.Judge(t.Context(), r, report.Each(func(*driver.Result) error { return nil }))
	page, readErr := os.ReadFile(o.HTML)
	if err != nil || readErr != nil || outcome.Verdict() != driver.Fail ||
		!strings.Contains(string(page), "interrupted; bench report repeats it") {
		t.Errorf("%v, %v, %s, page of %d bytes", err, readErr, outcome.Verdict(), len(page))
	}
}
