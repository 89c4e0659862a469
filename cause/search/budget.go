package search

import (
	"slices"
	"strings"
	"time"

	"utfbench/tile"
)

// DefaultBudget suffices for all pairs of faults of a small tile.
const DefaultBudget = 20 * time.Second

// The tiers of a search: groups of hypotheses, from likely to rare.
const (
	GoodChip     = "a good chip"
	Revisions    = "other revisions"
	SingleFaults = "single faults"
	Times        = "times"
	Pairs        = "pairs of faults"
	ThirdFaults  = "a third fault"
)

// A Scope lists the tiers that a search has tried.
type Scope struct {
	CompletedTiers []string `json:"completed"`
	CutTiers       []string `json:"cut,omitempty"` // tiers for which the budget did not suffice
}

// String describes the scope in a sentence.
func (s Scope) String() string {
	text := "searched: " + strings.Join(s.CompletedTiers, ", ")
	if len(s.CutTiers) > 0 {
		text += "; cut off: " + strings.Join(s.CutTiers, ", ") + " (--budget 5m goes on)"
	}
	return text
}

// A Budget limits the search for several simultaneous faults, not the search for single ones. It counts simulated steps
// at a nominal time per step, rather than elapsed time, so that a search has the same result on every machine.
type Budget struct {
	step time.Duration // nominal time of a simulated step
	left time.Duration
	cut  bool // hypotheses of the current tier were omitted

	Scope Scope // the tiers that were searched
}

// NewBudget returns a budget for a tile; 0 is DefaultBudget.
func NewBudget(t tile.Tile, all time.Duration) *Budget {
	b := &Budget{step: time.Microsecond, left: DefaultBudget}
	if c, is := t.(tile.BatchSimulator); is {
		b.step *= time.Duration(c.StepCost())
	}
	if all > 0 {
		b.left = all
	}
	return b
}

// SingleFaultTiers returns the tiers of a search for one cause. Only a tile with several revisions has Revisions.
func SingleFaultTiers(t tile.Tile) []string {
	if len(t.Others()) == 0 {
		return []string{GoodChip, SingleFaults}
	}
	return []string{GoodChip, Revisions, SingleFaults}
}

// Finish records that some tiers were searched, and whether the budget sufficed.
func (b *Budget) Finish(tiers ...string) {
	to := &b.Scope.CompletedTiers
	if b.cut {
		to, b.cut = &b.Scope.CutTiers, false
	}
	for _, t := range tiers {
		if !slices.Contains(slices.Concat(b.Scope.CompletedTiers, b.Scope.CutTiers), t) {
			*to = append(*to, t)
		}
	}
}

// steps returns the number of steps per hypothesis that a share of the budget allows for n hypotheses.
func (b *Budget) steps(n, share int) int {
	return int(b.left / time.Duration(max(1, share*n)) / b.step)
}

// afford returns as many of the first hypotheses as one share of the budget can simulate on the evidence.
func (b *Budget) afford(hs []Hypothesis, e *Evidence, share int) []Hypothesis {
	if len(hs) == 0 {
		return hs
	}
	steps := e.CountSteps()
	if n := b.steps(1, share) / max(1, steps); n < len(hs) {
		hs, b.cut = hs[:n], true
	}
	b.spend(len(hs) * steps)
	return hs
}

func (b *Budget) spend(steps int) { b.left -= time.Duration(steps) * b.step }
