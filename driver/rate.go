package driver

import (
	"math"
	"utfbench/tile"
)

// A Rate is a failure rate: wrong steps among all steps.
type Rate struct {
	Wrong int `json:"wrong"`
	Steps int `json:"steps"`
}

// Value returns the observed rate, or 0 if there are no steps.
func (r Rate) Value() float64 { return float64(r.Wrong) / float64(max(1, r.Steps)) }

// Interval returns the 95 % confidence interval of the rate.
func (r Rate) Interval() (low, high float64) { return tile.Wilson(r.Wrong, r.Steps) }

// Repetitions returns how many repetitions, at most 1000, show an error with 99 % probability at its lowest rate.
func (r Rate) Repetitions() int {
	if r.Wrong == r.Steps { // a permanent failure, or no steps
		return 1
	}
	low, _ := r.Interval()
	return int(min(1000, math.Ceil(math.Log(0.01)/math.Log1p(-low))))
}
