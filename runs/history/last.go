package history

import (
	"time"

	"utfbench/driver"
)

// Last returns the run that "last" names, and how many runs were made together with it, which overlap in time.
// Of these it is the latest FAIL, or else the latest that did not pass, or else the latest. In an empty history it is
// nil.
func (h *History) Last() (last *Run, together int, err error) {
	var began time.Time // of the first of them
	for r, err := range h.Runs(Filter{}) {
		switch {
		case err != nil:
			return nil, 0, err
		case last == nil:
			last, began = r, r.Start.Time
		case r.End == nil || !r.EndTime().After(began):
			return last, together, nil
		}
		together++
		if r.rank() > last.rank() {
			last = r
		}
		if r.Start.Time.Before(began) {
			began = r.Start.Time
		}
	}
	return last, together, nil
}

// rank ranks runs that were made together: 2 for a failing chip, 0 for a pass, and 1 for any other.
func (r *Run) rank() int {
	switch {
	case r.End == nil:
		return 1
	case r.End.Verdict == driver.Fail.String(), r.End.Verdict == driver.Flaky.String():
		return 2
	case r.End.Verdict == driver.Pass.String():
		return 0
	}
	return 1
}
