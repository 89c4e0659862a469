package driver

import "math"

// z95 is the quantile of the normal distribution for a two-sided interval of 95 %.
const z95 = 1.959963984540054

// Wilson returns the 95 % score interval of a rate, from k of n trials. It stays within 0 and 1, and has a width even
// if k is 0 or n. Without trials it is 0 to 1.
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

// A Rate is a failure rate: wrong steps among all steps.
type Rate struct {
	Wrong int `json:"wrong"`
	Steps int `json:"steps"`
}

// Value returns the observed rate; 0 without steps.
func (r Rate) Value() float64 { return float64(r.Wrong) / float64(max(1, r.Steps)) }

// Interval returns the 95 % interval.
func (r Rate) Interval() (low, high float64) { return Wilson(r.Wrong, r.Steps) }

// Repetitions returns how often to repeat the steps so that an error of this rate appears with 99 % probability, at the
// low end of the interval; at most 1000.
func (r Rate) Repetitions() int {
	if r.Wrong == r.Steps { // always wrong, or never run
		return 1
	}
	low, _ := r.Interval()
	return int(min(1000, math.Ceil(math.Log(0.01)/math.Log1p(-low))))
}
