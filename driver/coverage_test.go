package driver

import (
	"strings"
	"testing"
	"utfbench/tile"
)

// A run whose coverage is below the threshold is WEAK. Without a threshold, low coverage does not make it WEAK.
func TestCoverageThreshold(t *testing.T) {
	tally := Tally{Coverage: &tile.FaultCoverage{Faults: 100, Testable: 100, Found: 80}}
	tally.Verdicts[Pass] = 1
	tally.Evidence.count(1 | 1<<lines)
	tally.Outputs = 1
	for least, want := range map[float64]Verdict{0: Pass, 80: Pass, 80.1: Weak} {
		if tally.MinCoverage = least; tally.Verdict() != want {
			t.Errorf("--coverage %g: %v, want %v (%s)", least, tally.Verdict(), want, tally.Weakness())
		}
	}
	// of a sample, the upper end of the interval is compared: 86.7 % here, 94.5 % if 10 are unsettled, not untried
	tally.Coverage = &tile.FaultCoverage{Faults: 100, Testable: 1000, Found: 80, Untried: 20}
	for least, want := range map[float64]Verdict{85: Pass, 87: Weak} {
		if tally.MinCoverage = least; tally.Verdict() != want {
			t.Errorf("--coverage %g of a sample: %v, want %v (%s)", least, tally.Verdict(), want, tally.Weakness())
		}
	}
	tally.MinCoverage = 87
	if got := tally.Weakness(); !strings.Contains(got, "% of all; longer proofs may add 20), and") {
		t.Error(got)
	}
	tally.Coverage.Unsettled = 10
	for least, want := range map[float64]Verdict{94: Pass, 95: Weak} {
		if tally.MinCoverage = least; tally.Verdict() != want {
			t.Errorf("--coverage %g of a sample cut short: %v, want %v (%s)", least, tally.Verdict(), want,
				tally.Weakness())
		}
	}
	tally.Coverage = &tile.FaultCoverage{Faults: 100, Testable: 100, Found: 40, Unproved: 60} // or untestable
	tally.MinCoverage = 50
	if !strings.HasPrefix(tally.Weakness(), "its coverage is 40.0 % of 100 faults (longer proofs may excl") {
		t.Errorf("without proofs: %s", tally.Weakness())
	}
	tally.Coverage = &tile.FaultCoverage{Faults: 100, Testable: 100, Found: 80, ProvedInputs: 256}
	if tally.MinCoverage = 90; tally.Verdict() != Pass {
		t.Errorf("a proof is %v (%s)", tally.Verdict(), tally.Weakness())
	}
	tally.MinCoverage, tally.Coverage = 1, nil
	if want := "its coverage was not graded, and a PASS requires 1 %"; tally.Weakness() != want {
		t.Errorf("got %q, want %q", tally.Weakness(), want)
	}
	tally.MinCoverage, tally.Coverage = 0, &tile.FaultCoverage{Faults: 100, Testable: 100}
	if got, want := tally.Weakness(), "it would have shown none of 100 stuck-at faults"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	tally.Coverage.Unknown = 60
	const unknown = "; 60 of them act in unknown ways, by the state at power-up or where chip and bench drive " +
		"one line; --coverage 0 accepts that"
	if got := tally.Weakness(); !strings.HasSuffix(got, unknown) {
		t.Errorf("got %q, want %q", got, unknown)
	}
	tally.Outputs, tally.Coverage.Unknown = 3, 0
	const both = "uo1 never compared; it would have shown none of 100 stuck-at faults"
	if got, want := tally.Weakness(), both; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
