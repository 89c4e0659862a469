package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"utfbench/transport"
)

// There are too many pairs of faults to simulate them all, so a pair is first judged by the effects of its two faults.
// At a step and line where one of them acts, the pair shows that fault's level; where both act, either level;
// elsewhere, a good chip's. The cost of a pair counts the steps from the first one that this rule does not explain.

// outputLines is the number of lines that a chip drives: uo and uio.
const outputLines = 16

// width is the number of steps of a view, one for each bit of a mask; mostViews is the number of views that the
// executions share, at least one each. An execution's first view is around its first wrong step.
const width, mostViews = 64, 16

// A view is a range of an execution's steps.
type view struct{ execution, from, to int }

// An effect is the effect of one fault on one line in a view.
type effect struct {
	acts  uint64 // steps at which the line differs from a good chip's
	fails uint64 // steps that the fault does not explain: it does not act, or it contradicts the sample
}

// A superposition judges pairs of faults by their effects.
type superposition struct {
	*Evidence
	views []view
	wrong []uint64 // steps at which a good chip contradicts the sample, by view and line
}

// superpose prepares a superposition on views of the evidence with at most limit steps, or on a single view.
func superpose(e *Evidence, limit int) *superposition {
	s := &superposition{Evidence: e}
	steps := 0
	for n, wrong := range e.WrongLines {
		first := slices.IndexFunc(wrong, func(o transport.Outputs) bool { return o != 0 })
		from := max(0, min(first-width/2, len(wrong)-width))
		for range max(1, mostViews/len(e.WrongLines)) {
			to := min(from+width, len(wrong))
			if from >= to || steps+to > limit && s.views != nil {
				break
			}
			s.views = append(s.views, view{n, from, to})
			from = to
		}
		if steps += from; steps > limit {
			break
		}
	}
	s.wrong = make([]uint64, len(s.views)*outputLines)
	for v, at := range s.views {
		for i := at.from; i < at.to; i++ {
			spread(s.wrong[v*outputLines:], e.WrongLines[at.execution][i], i-at.from)
		}
	}
	return s
}

func (s *superposition) simulated() (steps int) {
	for v, at := range s.views {
		if v+1 == len(s.views) || s.views[v+1].execution != at.execution {
			steps += at.to
		}
	}
	return steps
}

func spread(masks []uint64, lines transport.Outputs, bit int) {
	for ; lines != 0; lines &= lines - 1 {
		masks[bits.TrailingZeros16(uint16(lines))] |= 1 << bit
	}
}

func (s *superposition) effects(w *Worker, h Hypothesis) []effect {
	acts, fails := make([]uint64, len(s.wrong)), make([]uint64, len(s.wrong))
	for v := 0; v < len(s.views); {
		n, first := s.views[v].execution, v
		for v < len(s.views) && s.views[v].execution == n {
			v++
		}
		p, at := s.Executions[n], first
		p.Steps = p.Steps[:s.views[v-1].to]
		w.simulate(h, Conditions{Pull: p.Pull, Speed: p.Speed}, p, func(begin int, some []transport.Sample) bool {
			for i, shown := range some {
				i += begin
				if i >= s.views[at].to {
					at++
				}
				if i < s.views[at].from {
					continue
				}
				counts, good := s.ComparedLines[n][i], s.GoodSamples[n][i]
				acting := shown.Levels() ^ good.Levels() | shown.Unknown() ^ good.Unknown()
				missed := p.Got[i].Differ(shown) | shown.Unknown()&^p.Got[i].Unknown()
				spread(acts[at*outputLines:], acting&counts, i-s.views[at].from)
				spread(fails[at*outputLines:], missed&counts, i-s.views[at].from)
			}
			return true
		})
	}
	all := make([]effect, len(acts))
	for i := range all {
		all[i] = effect{acts[i], fails[i] | ^acts[i]}
	}
	return all
}

// cost returns two faults' cost: the sum of the views' unexplained shares, in 1/width. Above limit it is inexact.
func (s *superposition) cost(a, b []effect, limit int) (cost int) {
	for v, at := range s.views {
		var unexplained uint64
		from := v * outputLines
		a, b, wrong := a[from:from+outputLines], b[from:from+outputLines], s.wrong[from:from+outputLines]
		for line := range wrong {
			unexplained |= a[line].fails & b[line].fails & (wrong[line] | a[line].acts | b[line].acts)
		}
		steps := at.to - at.from
		cost += width * max(0, steps-bits.TrailingZeros64(unexplained)) / steps
		if cost > limit {
			break
		}
	}
	return cost
}

// A candidate is a single fault with its effects and its cost.
type candidate struct {
	Hypothesis
	effects []effect
	cost    int
}

func (s *superposition) candidates(of Search, hs []Hypothesis) []candidate {
	all := make([]candidate, len(hs))
	of.forEach(len(hs), func(i int, w *Worker) {
		e := s.effects(w, hs[i])
		all[i] = candidate{hs[i], e, s.cost(e, e, math.MaxInt)}
	})
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	return all
}

// A couple holds the indices of a pair of faults, and its cost.
type couple struct{ cost, a, b int }

// pairs returns up to limit pairs of compatible faults, the likeliest first.
func (s *superposition) pairs(of Search, hs []Hypothesis, limit int) (pairs []Hypothesis) {
	single := s.candidates(of, hs)
	b := bound{keep: limit}
	found := make([][]couple, len(single))
	of.forEach(len(single), func(i int, _ *Worker) {
		for j, other := range single[:i] {
			limit := b.limit()
			cost := s.cost(single[i].effects, other.effects, limit)
			if cost > limit {
				continue
			}
			if _, ok := other.WithFault(single[i].Faults[0]); ok {
				b.add(cost)
				found[i] = append(found[i], couple{cost, j, i})
			}
		}
		found[i] = cheapest(found[i], limit)
	})
	for _, c := range cheapest(slices.Concat(found...), limit) {
		pair, _ := single[c.a].WithFault(single[c.b].Faults[0])
		pairs = append(pairs, pair)
	}
	return pairs
}

func cheapest(all []couple, limit int) []couple {
	slices.SortFunc(all, func(c, o couple) int {
		return cmp.Or(cmp.Compare(c.cost, o.cost), cmp.Compare(c.a, o.a), cmp.Compare(c.b, o.b))
	})
	return all[:min(len(all), limit)]
}
