package search

import (
	"math"
	"sync"
	"time"
)

// earliest is the time before the likeliest hypothesis so far is shown, and between two of them.
const earliest = 3 * time.Second

// A progress shows the likeliest hypothesis so far of a search that takes long.
type progress struct {
	mu   sync.Mutex
	show func(Hypothesis) // may be nil
	due  time.Time
}

// pass returns a function that takes the hypotheses of one pass, with their costs.
func (p *progress) pass() func(Hypothesis, int) {
	best, likeliest := math.MaxInt, (*Hypothesis)(nil)
	return func(h Hypothesis, cost int) {
		if p == nil || p.show == nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if cost < best {
			best, likeliest = cost, &h
		}
		if likeliest != nil && !time.Now().Before(p.due) {
			p.show(*likeliest)
			likeliest, p.due = nil, time.Now().Add(earliest)
		}
	}
}
