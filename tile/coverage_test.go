package tile

import "testing"

func TestCoverageInWords(t *testing.T) {
	for want, s := range map[string]FaultCoverage{
		"coverage 97.3 % of 4220 faults": {Faults: 4220, Testable: 4220, Found: 4109},
		"coverage 50.0 % of 10 faults (longer proofs may exclude 3)": {
			Faults: 10, Testable: 10, Found: 5, Unproved: 3},
		"coverage 50.0 % of a sample of 64 faults (38 to 62 % of all; longer proofs may exclude 16)": {
			Faults: 64, Testable: 1000, Found: 32, Unproved: 16},
		"coverage 51.9 % of a sample of 256 faults (45 to 58 % of all)": {Faults: 256, Testable: 1051, Found: 133},
		"coverage 100.0 % of 7 faults":                                  {Faults: 7, Testable: 7, Found: 7},
		"coverage at least 70.0 % of a sample of 1000 faults (67 to 92 % of all)": {Faults: 1000,
			Testable: 1234567, Found: 700, Unsettled: 200},
		"coverage at least 70.0 % of 10 faults": {Faults: 10, Testable: 10,
			Found: 7, Unsettled: 2},
		"coverage 99.9 % of 2000 faults": {Faults: 2000, Testable: 2000, Found: 1999},
		"coverage 50.0 % of 10 faults in gates with the model's logic": {Faults: 10, Testable: 10, Found: 5,
			BesideModel: true},
		"coverage unknown: the gates have no testable fault": {},
	} {
		if got := s.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
