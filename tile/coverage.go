package tile

import (
	"fmt"
	"math"
	"strings"
)

// A FaultCoverage counts the stuck-at faults of a tile that a run would have detected with its vectors and compared
// bits. Equivalent faults count as one; untestable ones are counted separately.
type FaultCoverage struct {
	Faults       int  `json:"faults"`                 // graded faults: all testable ones, or a sample
	Testable     int  `json:"testable"`               // an upper limit if a sample was graded
	Untestable   int  `json:"untestable"`             // without a path to an output, or without effect
	Found        int  `json:"found"`                  // would have failed the run
	Inactive     int  `json:"never_activated"`        // the net never had the level that shows the fault
	Unknown      int  `json:"unknown"`                // a faulty chip may or may not have shown another level
	Unseen       int  `json:"never_seen"`             // had an effect, but not on a compared output
	ProvedInputs int  `json:"all_inputs,omitempty"`   // combinations, if a stateless design was compared on all
	Unsettled    int  `json:"unsettled"`              // not found, but grading ended before the last vector
	Untried      int  `json:"untried,omitempty"`      // unknown, but a longer proof might find them
	Unproved     int  `json:"unproved,omitempty"`     // not found, but a longer proof might show them untestable
	BesideModel  bool `json:"beside_model,omitempty"` // a model judges; the netlist has the same logic
}

// Percent returns the percentage of graded faults found, rounded down to a tenth.
func (s *FaultCoverage) Percent() float64 { return percent(s.Found, s.Faults) }

func percent(found, of int) float64 {
	if of == 0 {
		return 0
	}
	return math.Floor(float64(found)/float64(of)*1000) / 10
}

// Interval returns bounds of the percentage of faults that the run would have detected, without what longer proofs may
// add or exclude. low counts unsettled faults as undetected, and high as detected. If only a sample was graded, the
// bounds are ends of 95 % confidence intervals.
func (s *FaultCoverage) Interval() (low, high float64) {
	if s.Faults >= s.Testable {
		return s.Percent(), percent(s.Found+s.Unsettled, s.Faults)
	}
	low, _ = Wilson(s.Found, s.Faults)
	_, high = Wilson(s.Found+s.Unsettled, s.Faults)
	return 100 * low, 100 * high
}

// IsMostlyUnknown reports whether no fault was found and most are Unknown, so that other vectors would not help.
func (s *FaultCoverage) IsMostlyUnknown() bool { return s.Found == 0 && 2*s.Unknown > s.Faults }

// DetectedShare describes the share of faults that the run would have detected, as in "97.3 % of 4220 faults".
func (s *FaultCoverage) DetectedShare() string {
	if s.Faults == 0 {
		return "unknown: the gates have no testable fault"
	}
	sample := ""
	if s.Faults < s.Testable {
		sample = "a sample of "
	}
	text := fmt.Sprintf("%.1f %% of %s%d faults", s.Percent(), sample, s.Faults)
	var notes, proofs []string
	if low, high := s.Interval(); low < high && sample != "" {
		notes = append(notes, fmt.Sprintf("%.0f to %.0f %% of all", math.Floor(low), math.Ceil(high)))
	}
	if s.Untried > 0 {
		proofs = append(proofs, fmt.Sprintf("add %d", s.Untried))
	}
	if s.Unproved > 0 {
		proofs = append(proofs, fmt.Sprintf("exclude %d", s.Unproved))
	}
	if proofs != nil {
		notes = append(notes, "longer proofs may "+strings.Join(proofs, " or "))
	}
	if notes != nil {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	if s.BesideModel {
		text += " in gates with the model's logic"
	}
	if s.Unsettled > 0 {
		text = "at least " + text
	}
	return text
}

// String describes the coverage of a run.
func (s *FaultCoverage) String() string {
	return "coverage " + s.DetectedShare()
}

// Lines returns the text of String and, if there is a proof, a line that describes it.
func (s *FaultCoverage) Lines() []string {
	lines := []string{s.String()}
	if s.ProvedInputs > 0 {
		lines = append(lines, fmt.Sprintf("proved: the design has no state, and all %d combinations of its inputs "+
			"were compared", s.ProvedInputs))
	}
	return lines
}

// z95 is the quantile of the normal distribution for a two-sided interval of 95 %.
const z95 = 1.959963984540054

// Wilson returns the 95 % Wilson score interval of a rate, given k successes in n trials. It lies within [0, 1] and
// never shrinks to a point, even if k is 0 or n. Without trials it is [0, 1].
func Wilson(k, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z95*z95/(2*m)) / (1 + z95*z95/m)
	half := z95 / (1 + z95*z95/m) * math.Sqrt(p*(1-p)/m+z95*z95/(4*m*m))
	low, high = max(0, middle-half), min(1, middle+half)
	if k == 0 {
		low = 0 // without rounding errors
	}
	if k == n {
		high = 1
	}
	return low, high
}
