package host

import (
	"math"
	"time"
)

// A pace measures the rate of executed steps over the last seconds. The caller provides the clock.
type pace struct {
	marks []mark // the oldest first
}

type mark struct {
	steps uint64
	at    time.Time
}

// late is the window of a pace. A batch may take two seconds, so a shorter window would jump.
const late = 5 * time.Second

// at records the number of steps so far and returns the rate.
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
