package driver

import (
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A run ends as soon as its conclusion is certain: a steady failure after five iterations, a frequent one after the
// first in which no vector is left that failed each time, a rare one and none at the end.
func TestEnough(t *testing.T) {
	jobs := testkit.Jobs[Job](t, "chip.vec")[:100]
	type end struct {
		after int
		as    Verdict
	}
	for text, want := range map[string]end{"": {MostIterations, Pass}, "v7=stuck0": {steadyIterations, Fail},
		"uo0=flip:1e-2:1": {4, Flaky}, "uo0=flip:1e-4:1": {MostIterations, Flaky}} {
		var faults []fault.Fault
		if text != "" {
			f := testkit.Must(model.Bits.Parse(text))(t)
			faults = append(faults, f)
		}
		r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}),
			Rules:  Rules{Count: MostIterations, Until: Conclusive, Accepted: ^transport.Outputs(0)},
			Report: func(*Result) {}}
		tally := testkit.Must(r.Run(t.Context(), jobs))(t)
		got := end{tally.Iterations, tally.Verdict()}
		if got != want || tally.Executions() != want.after*len(jobs) {
			t.Errorf("%q: %v, %d executions; want %v", text, got, tally.Executions(), want)
		}
	}
}

// A vector that passed in each of MostIterations fails in at most a tenth of its executions, and one that failed
// steadyIterations times in more than half.
func TestLimits(t *testing.T) {
	if _, high := Wilson(0, MostIterations); high > 0.1 {
		t.Errorf("after %d passes it may fail in %.3f", MostIterations, high)
	}
	if low, _ := Wilson(steadyIterations, steadyIterations); low < 0.5 {
		t.Errorf("after %d failures it may fail in only %.3f", steadyIterations, low)
	}
}

// An ERROR, and a run without a judged vector, are not repeated.
func TestEnoughOfErrors(t *testing.T) {
	for _, v := range []Verdict{Error, Skipped} {
		tally := Tally{Iterations: 1, Repeats: []*Repeat{{Counts: Counts{Pass: 1, Fail: 1}}}}
		tally.Verdicts[v] = 3
		if !Conclusive(&tally) {
			t.Errorf("%v is repeated", v)
		}
	}
}
