package driver

import "testing"

// A run's verdict is the gravest of its vectors' verdicts, in the order of Verdicts.
func TestGravestVerdict(t *testing.T) {
	counted := []Verdict{Pass, Aborted, Fail, Wiring, Error}
	for i, graver := range counted {
		for _, other := range counted[:i] {
			tally := Tally{Repeats: []*Repeat{{Counts: Counts{Fail: 1}}}}
			tally.Verdicts[graver], tally.Verdicts[other] = 1, 1000
			if got := tally.Verdict(); got != graver {
				t.Errorf("a run with %s and %s is %s, want %s", other, graver, got, graver)
			}
		}
	}
}
