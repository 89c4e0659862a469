package driver

import (
	"testing"

	"utfbench/golden"
)

// The verdict of a vector is the most severe over its iterations, except that a FAIL is FLAKY if one passed.
func TestCounts(t *testing.T) {
	for want, c := range map[string]Counts{
		"PASS":         {Pass: 2, Skipped: 1},
		"FAIL":         {Fail: 3, Skipped: 1},
		"FLAKY 1 of 4": {Fail: 1, Pass: 3},
		"FLAKY 1 of 2": {Fail: 1, Pass: 1, Aborted: 1},
		"ABORTED":      {Pass: 1, Aborted: 1},
		"WIRING":       {Pass: 1, Fail: 1, Wiring: 1},
		"ERROR":        {Error: 1, Fail: 1, Pass: 3},
		"SKIPPED":      {Skipped: 1},
	} {
		if c.String() != want {
			t.Errorf("%v: %s, want %s", c, c.String(), want)
		}
	}
}

func TestGravest(t *testing.T) {
	for want, all := range map[Verdict][]Verdict{Skipped: nil, Pass: {Skipped, Pass}, Weak: {Weak, Pass},
		Flaky: {Flaky, Aborted, Pass}, Fail: {Flaky, Fail, Weak}, Wiring: {Wiring, Fail},
		Aborted: {Weak, Aborted}, Error: {Pass, Unjudged}} {
		if got := Gravest(all...); got != want {
			t.Errorf("%v: %s, want %s", all, got, want)
		}
	}
}

// A simulator's ERROR does not hide a FAIL; any other ERROR outranks a FAIL.
func TestSimulatorsErrorHidesNoFail(t *testing.T) {
	v := golden.Vector{}
	for _, c := range []struct {
		errors, otherwise, xs, fails int
		want                         Verdict
	}{{2, 1, 1, 1, Fail}, {2, 2, 0, 0, Error}, {2, 1, 0, 1, Error}, {1, 0, 0, 1, Error}, {0, 0, 0, 1, Fail}} {
		tally := Tally{ErrorsByTwin: c.otherwise, ErrorsByX: c.xs,
			Verdicts: Counts{Error: c.errors, Fail: c.fails, Pass: 1}}
		if c.fails > 0 {
			tally.Repeats = []*Repeat{{&v, Counts{Fail: c.fails}}}
		}
		if got := tally.Verdict(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
