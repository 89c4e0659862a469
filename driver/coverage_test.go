package driver

import (
	"strings"
	"testing"
)

func TestCoverageInWords(t *testing.T) {
	for want, s := range map[string]FaultCoverage{
		"coverage 97.3 % of 4220 faults": {Faults: 4220,
			Testable: 4220, Found: 4109},
		"coverage 50.0 % of 10 faults (50 to 72 % of all), 3 perhaps untestable": {Faults: 10, Testable: 10,
			Found: 5, Unproved: 3},
		"coverage 50.0 % of a sample of 64 faults (38 to 79 % of all), 16 perhaps untestable": {Faults: 64,
			Testable: 1000, Found: 32, Unproved: 16},
		"coverage 51.9 % of a sample of 256 faults (45 to 58 % of all)": {
			Faults: 256, Testable: 1051, Found: 133},
		"coverage 100.0 % of 7 faults": {Faults: 7, Testable: 7, Found: 7},
		"coverage at least 70.0 % of a sample of 1000 faults (67 to 92 % of all)": {Faults: 1000,
			Testable: 1234567, Found: 700, Unsettled: 200},
		"coverage at least 70.0 % of 10 faults (70 to 90 % of all)": {Faults: 10, Testable: 10,
			Found: 7, Unsettled: 2},
		"coverage 99.9 % of 2000 faults":                     {Faults: 2000, Testable: 2000, Found: 1999},
		"coverage unknown: the gates have no testable fault": {},
	} {
		if got := s.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCoverageThreshold checks that a run below its threshold is WEAK, and that one without a threshold is not.
func TestCoverageThreshold(t *testing.T) {
	tally := Tally{Coverage: &FaultCoverage{Faults: 100, Testable: 100, Found: 80}}
	tally.Verdicts[Pass] = 1
	tally.Evidence.count(1 | 1<<lines)
	tally.Outputs = 1
	for least, want := range map[float64]Verdict{0: Pass, 80: Pass, 80.1: Weak} {
		if tally.MinCoverage = least; tally.Verdict() != want {
			t.Errorf("--coverage %g: %v, want %v (%s)", least, tally.Verdict(), want, tally.Weakness())
		}
	}
	// for a sample the upper end of the interval decides: 86.7 % here, or 94.5 % if 10 more are unsettled
	tally.Coverage = &FaultCoverage{Faults: 100, Testable: 1000, Found: 80}
	for least, want := range map[float64]Verdict{85: Pass, 87: Weak} {
		if tally.MinCoverage = least; tally.Verdict() != want {
			t.Errorf("--coverage %g of a sample: %v, want %v (%s)", least, tally.Verdict(), want, tally.Weakness())
		}
	}
	tally.Coverage.Unsettled = 10
	for least, want := range map[float64]Verdict{94: Pass, 95: Weak} {
		if tally.MinCoverage = least; tally.Verdict() != want {
			t.Errorf("--coverage %g of a sample cut short: %v, want %v (%s)", least, tally.Verdict(), want,
				tally.Weakness())
		}
	}
	tally.Coverage = &FaultCoverage{Faults: 100, Testable: 100, Found: 40, Unproved: 60} // perhaps all that is testable
	if tally.MinCoverage = 50; tally.Verdict() != Weak {
		t.Errorf("without proofs: %v, want WEAK", tally.Verdict())
	}
	tally.Coverage = &FaultCoverage{Faults: 100, Testable: 100, Found: 80, Proved: 256}
	if tally.MinCoverage = 90; tally.Verdict() != Pass {
		t.Errorf("a proof is %v (%s)", tally.Verdict(), tally.Weakness())
	}
	tally.MinCoverage, tally.Coverage = 1, nil
	if want := "its coverage was not graded, and a PASS requires 1 %"; tally.Weakness() != want {
		t.Errorf("got %q, want %q", tally.Weakness(), want)
	}
	tally.MinCoverage, tally.Coverage = 0, &FaultCoverage{Faults: 100, Testable: 100}
	if got, want := tally.Weakness(), "it would have shown none of 100 stuck-at faults"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	tally.Coverage.Unknown = 60
	const unknown = ", and 60 of them act in unknown ways, by the state at power-up or where chip and bench drive " +
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
