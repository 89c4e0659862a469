package search

import (
	"math"
	"sync"
	"time"
)

// earliest is the time before the likeliest hypothesis so far is shown, and between two of them.
const earliest = 3 * time.Second

// A progress shows the likeliest hypothesis so far of a search that takes long, if it explains the evidence.
type progress struct {
	mu   sync.Mutex
	show func(Hypothesis) // may be nil
	due  time.Time
}

// pass returns a function that takes the fits of one pass.
func (p *progress) pass() func(Fit) {
	best, likeliest := math.MaxInt, (*Hypothesis)(nil)
	return func(f Fit) {
		if p == nil || p.show == nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if f.Cost() < best && f.ExplainsAllButNoise() {
			best, likeliest = f.Cost(), &f.Hypothesis
		}
		if likeliest != nil && !time.Now().Before(p.due) {
			p.show(*likeliest)
			likeliest, p.due = nil, time.Now().Add(earliest)
		}
	}
}
