package host

import (
	"math"
	"time"
)

// A pace is how many steps a second were executed of late. The clock is the caller's.
type pace struct {
	marks []mark // of the last seconds, the oldest first
}

type mark struct {
	steps uint64
	at    time.Time
}

// late is the window of a pace: a batch may take a second or two, so a shorter one would jump.
const late = 5 * time.Second

// at records the steps so far, and returns the rate.
func (p *pace) at(steps uint64, now time.Time) (perSecond uint64) {
	for len(p.marks) > 1 && now.Sub(p.marks[1].at) >= late {
		p.marks = p.marks[1:]
	}
	p.marks = append(p.marks, mark{steps, now})
	first := p.marks[0]
	if past := now.Sub(first.at).Seconds(); past > 0 {
		return uint64(math.Round(float64(steps-first.steps) / past))
	}
	return 0
}
