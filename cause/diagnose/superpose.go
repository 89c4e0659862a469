package diagnose

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// There are too many pairs of faults to simulate each. But most pairs act apart, on other lines or at other steps. So
// all are first judged by the effects of the single faults: at a step and line where one of them acts, the pair shows
// its level; where both act, either level; elsewhere, a good chip's. A pair costs the steps from the first that this
// does not explain, and the cheapest pairs are simulated.

// view is the number of steps of an execution that are judged so: one per bit of a mask, around the first wrong step.
const view = 64

// An effect is what one fault does to one line in the view of an execution.
type effect struct {
	acts  uint64 // steps at which the line differs from a good chip's
	fails uint64 // steps that the fault does not explain: it does not act, or contradicts the sample
}

// A superposition judges pairs of faults by their effects.
type superposition struct {
	executions []Execution // up to the end of the view
	from       []int       // start of the view
	masks      [][]transport.Sample
	right      [][]transport.Sample
	wrong      []uint64 // steps at which a good chip contradicts the sample, by execution and line
}

// superpose prepares the judgement of pairs by executions.
func superpose(t tile.Tile, executions []Execution) *superposition {
	s := &superposition{masks: countedBits(t, executions), wrong: make([]uint64, len(executions)*outputLines)}
	for n, e := range executions {
		right := make([]transport.Sample, len(e.Steps))
		must(tile.Expect(t, e.Steps, right))
		first := slices.IndexFunc(upTo(len(right)), func(i int) bool {
			wrong, _ := compare(e.Got[i], right[i], s.masks[n][i])
			return wrong != 0
		})
		from := max(0, min(first-view/2, len(right)-view))
		to := min(from+view, len(right))
		e.Steps, e.Got = e.Steps[:to], e.Got[:to]
		s.executions, s.from, s.right = append(s.executions, e), append(s.from, from), append(s.right, right)
		for i := from; i < to; i++ {
			wrong, _ := compare(e.Got[i], right[i], s.masks[n][i])
			spread(s.wrong[n*outputLines:], wrong, i-from)
		}
	}
	return s
}

// spread sets a bit of each line's mask.
func spread(masks []uint64, lines transport.Outputs, bit int) {
	for ; lines != 0; lines &= lines - 1 {
		masks[bits.TrailingZeros16(uint16(lines))] |= 1 << bit
	}
}

// effects returns the effects of a hypothesis by execution and line.
func (s *superposition) effects(h Hypothesis, of func() fault.Chip) []effect {
	acts, fails := make([]uint64, len(s.wrong)), make([]uint64, len(s.wrong))
	for n, e := range s.executions {
		chip := h.Simulate(Setting{e.Pull, e.Speed, of})
		if carriesOver(h) && len(e.before) > 0 {
			must(chip.Run(e.before, make([]transport.Sample, len(e.before))))
		}
		shown := make([]transport.Sample, len(e.Steps))
		must(chip.Run(e.Steps, shown))
		tile.Done(chip)
		for i := s.from[n]; i < len(shown); i++ {
			counts, right := s.masks[n][i], s.right[n][i]
			wrong, unsaid := compare(e.Got[i], shown[i], counts)
			acting := shown[i].Levels() ^ right.Levels() | shown[i].Unknown() ^ right.Unknown()
			spread(acts[n*outputLines:], acting&counts.Levels(), i-s.from[n])
			spread(fails[n*outputLines:], wrong|unsaid, i-s.from[n])
		}
	}
	all := make([]effect, len(acts))
	for i := range all {
		all[i] = effect{acts[i], fails[i] | ^acts[i]}
	}
	return all
}

// cost returns the share of each execution that two faults do not explain, in units of 1/view, or any value above the
// limit.
func (s *superposition) cost(a, b []effect, limit int) (cost int) {
	for n, e := range s.executions {
		at := n * outputLines
		var unexplained uint64
		a, b, wrong := a[at:at+outputLines], b[at:at+outputLines], s.wrong[at:at+outputLines]
		for line := range wrong {
			unexplained |= a[line].fails & b[line].fails & (wrong[line] | a[line].acts | b[line].acts)
		}
		steps := len(e.Steps) - s.from[n]
		cost += view * max(0, steps-bits.TrailingZeros64(unexplained)) / steps
		if cost > limit {
			break
		}
	}
	return cost
}

// A candidate is a single fault with its effects, and its cost without a second one.
type candidate struct {
	Hypothesis
	effects []effect
	cost    int
}

// candidates returns single faults, the likeliest first.
func (s *superposition) candidates(run *Run, hs []Hypothesis) []candidate {
	all := make([]candidate, len(hs))
	parallel(run.Tile, upTo(len(hs)), run.simulator(), func(i int, sim *simulator) {
		e := s.effects(hs[i], sim.chip)
		all[i] = candidate{hs[i], e, s.cost(e, e, math.MaxInt)}
	})
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	return all
}

// A couple is a pair of faults by their numbers.
type couple struct{ cost, a, b int }

func (c couple) compare(o couple) int {
	return cmp.Or(cmp.Compare(c.cost, o.cost), cmp.Compare(c.a, o.a), cmp.Compare(c.b, o.b))
}

// pairs returns up to most pairs of compatible faults, the likeliest first.
func (s *superposition) pairs(run *Run, hs []Hypothesis, most int) (pairs []Hypothesis) {
	single := s.candidates(run, hs)
	b := bound{keep: most}
	found := make([][]couple, len(single))
	parallel(run.Tile, upTo(len(single)), run.simulator(), func(i int, _ *simulator) {
		for j, other := range single[:i] {
			limit := b.limit()
			cost := s.cost(single[i].effects, other.effects, limit)
			if cost > limit {
				continue
			}
			if _, ok := And(other.Hypothesis, FaultsOf(single[i].Hypothesis)[0]); ok {
				b.add(cost)
				found[i] = append(found[i], couple{cost, j, i})
			}
		}
		found[i] = cheapest(found[i], most)
	})
	for _, c := range cheapest(slices.Concat(found...), most) {
		pair, _ := And(single[c.a].Hypothesis, FaultsOf(single[c.b].Hypothesis)[0])
		pairs = append(pairs, pair)
	}
	return pairs
}

func cheapest(all []couple, most int) []couple {
	slices.SortFunc(all, couple.compare)
	return all[:min(len(all), most)]
}
