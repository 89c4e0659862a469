package search

import (
	"cmp"
	"math"
	"slices"
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

	wrong []string // lines
}

// order returns the order of a first pass: the faults of a single wrong line first, then its faults with other lines.
func (p *progress) order(hs []Hypothesis) []int {
	order := upTo(len(hs))
	if p == nil {
		return order
	}
	lines := make([]int, len(hs)) // in the fault
	for i, h := range hs {
		lines[i] = math.MaxInt
		for _, s := range h.Suspects() {
			if slices.ContainsFunc(s.Lines, func(line string) bool { return slices.Contains(p.wrong, line) }) {
				lines[i] = min(lines[i], len(s.Lines))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lines[a], lines[b]) })
	return order
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
