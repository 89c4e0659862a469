package verilog

import (
	"context"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
)

// Every vector passes on the chip in Verilog, for each revision and simulator.
func TestSuites(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		for _, rev := range []model.Revision{model.TT09, model.TT08} {
			t.Run(rev.String(), func(t *testing.T) {
				tr := mustOpen(t, ourChip(simulator, rev))
				defer tr.Close()
				runner := driver.Runner{Transport: tr, Tile: utf.Tile(rev), Report: func(r *driver.Result) {
					if r.Verdict != driver.Pass && r.Verdict != driver.Skipped {
						t.Errorf("%s is %s %s", r.Vector.Name, r.Verdict, r.Reason)
					}
				}}
				tally, err := runner.Run(context.Background(), allJobs(t))
				if err != nil || tally.Verdict() != driver.Pass {
					t.Errorf("%+v, %v; want all to pass", tally, err)
				}
			})
		}
	})
}

// allJobs returns all vectors for a full test, and otherwise those of the suite sequences.
func allJobs(t *testing.T) []driver.Job {
	if !testkit.Full() {
		return testkit.Jobs[driver.Job](t, "sequences.vec")
	}
	return testkit.AllJobs[driver.Job](t)
}
