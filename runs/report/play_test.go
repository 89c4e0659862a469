package report

import (
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// play runs the built-in vectors on the mock, records them into w unless it is nil, and returns the number of steps.
func play(t testing.TB, w *Writer) int {
	t.Helper()
	jobs := testkit.AllJobs[driver.Job](t)
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	if w != nil {
		r.Report = func(res *driver.Result) {
			if err := w.Result(res); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Start(Run{Vectors: len(jobs), Iterations: 1}); err != nil {
			t.Fatal(err)
		}
	}
	tally := testkit.Must(r.Run(ctx, jobs))(t)
	if w != nil {
		if err := w.End(Outcome{Tally: tally}); err != nil {
			t.Fatal(err)
		}
	}
	return tally.Steps
}
