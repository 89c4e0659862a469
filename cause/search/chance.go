package search

import (
	"cmp"
	"math"
	"slices"

	"utfbench/fault"
	"utfbench/transport"
)

// An intermittent fault cannot simply be simulated, since the steps at which it acted are unknown. So a walk through
// each failing execution keeps a few simulated chips: at each step each forks into one with and one without the fault,
// and the best are kept.

// A Walk counts how well one intermittent fault explains executions.
type Walk struct {
	Account
	Steps           int
	Acted, Mattered int // steps at which the fault acted, and at which that makes a difference
}

// AddWalk adds the counts of another walk.
func (w *Walk) AddWalk(o Walk) {
	w.Add(o.Account)
	w.Steps += o.Steps
	w.Acted += o.Acted
	w.Mattered += o.Mattered
}

// ScaledTo extrapolates to a number of steps.
func (w *Walk) ScaledTo(steps int) Walk {
	by := float64(steps) / float64(max(1, w.Steps))
	of := func(n int) int { return int(math.Round(float64(n) * by)) }
	return Walk{w.scaled(of), steps, of(w.Acted), of(w.Mattered)}
}

// A branch is one possible history of the fault's actions.
type branch struct {
	chip *fault.Wires
	Walk
}

// cost returns the cost in bits, with an estimate for encoding when the fault acted.
func (b *branch) cost() int { return b.Cost() + 2*b.Acted }

// Follow walks an execution with up to most chips and returns the branch that explains most.
func (h Hypothesis) Follow(e *Evidence, n, most int) Walk {
	p := e.Executions[n]
	now := []branch{{chip: h.ChipBehindWires()}}
	var next []branch
	for i, s := range p.Steps {
		next = next[:0]
		for _, b := range now {
			next = b.fork(next, s, func(a *Account, shown transport.Sample) {
				a.Compare(p.Got[i], shown, e.Compared[n][i], e.Wrong[n][i])
			})
		}
		now, next = keepBest(next, most), now
	}
	won := slices.MinFunc(now, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	won.Steps = len(p.Steps)
	return won.Walk
}

// fork appends b's successor without the fault after a step and, if it makes a difference, the one with it.
func (b branch) fork(to []branch, s transport.Step, compare func(*Account, transport.Sample)) []branch {
	other := branch{b.chip.Fork(), b.Walk}
	other.chip.ForceRandomFaults(true)
	b.chip.ForceRandomFaults(false)
	withFault, without := other.chip.Step(s), b.chip.Step(s)
	compare(&b.Account, without)
	if withFault == without && other.chip.SameState(b.chip) {
		return append(to, b)
	}
	compare(&other.Account, withFault)
	b.Mattered++
	other.Mattered++
	other.Acted++
	return append(to, b, other)
}

// keepBest returns the branches that explain most, only one of those with equal further behaviour.
func keepBest(all []branch, most int) []branch {
	slices.SortStableFunc(all, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	kept := make([]branch, 0, most)
	for _, b := range all {
		if slices.ContainsFunc(kept, func(k branch) bool { return k.chip.SameState(b.chip) }) {
			continue
		}
		if kept = append(kept, b); len(kept) == most {
			break
		}
	}
	return kept
}
