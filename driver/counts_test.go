package driver

import "testing"

// A vector has the gravest verdict of its iterations, and is FLAKY if it passed and failed.
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
		Flaky: {Flaky, Aborted, Pass}, Fail: {Flaky, Fail, Weak}, Wiring: {Wiring, Fail}, Error: {Pass, Unjudged}} {
		if got := Gravest(all...); got != want {
			t.Errorf("%v: %s, want %s", all, got, want)
		}
	}
}
