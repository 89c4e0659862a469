package fleet

import (
	"sync"
	"time"
)

// progress records when the boards of a fleet finished parts of their work, and which are at work.
type progress struct {
	mu   sync.Mutex
	done time.Time        // time of the latest finished part, or of the start
	busy map[string]stint // by board
}

// A stint is one call of a board's work.
type stint struct {
	since    time.Time
	answered func() time.Time // when the board answered last
}

// start begins the measurement.
func (p *progress) start() { p.done, p.busy = time.Now(), map[string]stint{} }

// Done records that a board has finished a part of its work.
func (p *progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = time.Now()
}

// begin marks a board as busy until ended is called.
func (p *progress) begin(board string, answered func() time.Time) (ended func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[board] = stint{time.Now(), answered}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.busy, board)
	}
}

// stalled reports whether nothing was finished for a time, unless a slow board has been busy and responsive throughout.
func (p *progress) stalled(patience time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := time.Now().Add(-patience)
	if p.done.After(before) {
		return false
	}
	for _, b := range p.busy {
		if b.since.Before(before) && b.answered().After(before) {
			return false
		}
	}
	return true
}
