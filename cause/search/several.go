package search

import (
	"slices"

	"utfbench/fault"
	"utfbench/tile"
)

// DecisiveBits is the advantage, in bits, that excludes another account: a thousand to one.
const DecisiveBits = 10

// secondCosts is the number of bits that a further fault has to save: it is one of a thousand, and the odds are a
// thousand to one.
const secondCosts = 10 + DecisiveBits

// MuchBetterThan reports whether a further fault explains a third of what best leaves, and enough to be likely.
func (f Fit) MuchBetterThan(best Fit) bool {
	return f.Cost() <= best.Cost()*2/3 && f.Cost()+secondCosts < best.Cost()
}

// A Source provides more or less evidence.
type Source struct {
	Sample func(failed, passed int) *Evidence // up to as many executions, spread over all
	Whole  func() *Evidence
}

// A sieve sets the number of executions that select pairs, and the number of pairs kept for the next sieve.
type sieve struct{ failed, passed, keep int }

var (
	superposing = sieve{24, 8, 400}
	glancing    = sieve{6, 2, 400}
	selecting   = sieve{48, 16, 40}
	deciding    = sieve{192, 64, 8}
)

// mayBeSpoiled is the number of executions from which on noise may have spoiled some of them.
const mayBeSpoiled = 8

// sieve ranks hypotheses by a few executions, some of which may be corrupted by noise.
func (s Search) sieve(of Source, size sieve, hs []Hypothesis) []Fit {
	e := of.Sample(size.failed, size.passed)
	if len(e.Executions) > mayBeSpoiled {
		return s.WithNoise().Rank(e, hs, size.keep)
	}
	return s.Rank(e, hs, min(size.keep, deciding.keep)) // the sample has all executions
}

// RankFinalists ranks hypotheses by many executions, of which noise may have spoiled some.
func (s Search) RankFinalists(of Source, hs []Hypothesis) []Fit { return s.sieve(of, deciding, hs) }

// SingleFaultHypotheses returns the hypotheses that can be a fault of a pair.
func SingleFaultHypotheses(t tile.Tile) []Hypothesis {
	return slices.DeleteFunc(slices.Concat(WireHypotheses(t), ChipHypotheses(t)),
		func(h Hypothesis) bool { return h.Faults == nil })
}

// FindMultipleFaults returns the combinations of faults that explain the evidence best, and much better than the best
// single fault: pairs, one member of which is likely, or the best pairs with a third fault. It returns none if no
// combination explains much more. If a pair is enough, it searches no further.
func (s Search) FindMultipleFaults(of Source, best Fit, likely []Hypothesis, enough func(Fit) bool) []Fit {
	two := s.pairs(of, best, likely, enough)
	s.Budget.Finish(Pairs)
	if len(two) == 0 || !two[0].MuchBetterThan(best) {
		return nil
	}
	if !enough(two[0]) || two[0].Cost() > 0 && few(of) {
		three := s.third(of, two)
		s.Budget.Finish(ThirdFaults)
		if len(three) > 0 && three[0].MuchBetterThan(two[0]) {
			return Ties(three)
		}
	}
	if !enough(two[0]) {
		return Ties(two)
	}
	return s.alike(of, two)
}

// few reports whether there are so few executions that faults may hide each other.
func few(of Source) bool {
	return len(of.Sample(selecting.failed, selecting.passed).Executions) <= mayBeSpoiled
}

// pairs returns the likeliest pairs of single faults: of those that act apart, and if these are not enough, of a likely
// one with any other. In few executions faults hide each other, so that the latter are tried first, without rare ones.
func (s Search) pairs(of Source, best Fit, likely []Hypothesis, enough func(Fit) bool) (two []Fit) {
	apart := func() []Hypothesis { return s.apart(of) }
	beside := func() []Hypothesis { return s.beside(of, likely, SingleFaultHypotheses(s.Tile)) }
	first, second := apart, beside
	if few(of) {
		first, second = func() []Hypothesis { return s.beside(of, likely, common(SingleFaultHypotheses(s.Tile))) },
			apart
	}
	if two = s.sifted(of, first()); len(two) > 0 && two[0].MuchBetterThan(best) && enough(two[0]) {
		return two
	}
	return s.sifted(of, second(), two...)
}

// apart returns the likeliest pairs of faults that act apart, or none if the budget is too short for the single faults.
func (s Search) apart(of Source) []Hypothesis {
	single := SingleFaultHypotheses(s.Tile)
	steps := s.Budget.steps(len(single), 2)
	if steps < width {
		s.Budget.cut = true
		return nil
	}
	p := superpose(of.Sample(superposing.failed, superposing.passed), steps)
	s.Budget.spend(len(single) * p.simulated())
	return p.pairs(s, single, superposing.keep)
}

// beside returns the likeliest combinations of some hypotheses and another fault, simulated together. It omits rare
// faults if the budget is short.
func (s Search) beside(of Source, some, single []Hypothesis) []Hypothesis {
	all := s.Budget.afford(combined(some, single), of.Sample(glancing.failed, glancing.passed), 2)
	return Shortlist(s.sieve(of, glancing, all), 2*glancing.keep)
}

// third returns the likeliest further fault beside each of some fits.
func (s Search) third(of Source, two []Fit) []Fit {
	return s.sifted(of, s.beside(of, Shortlist(two, mostBeside), SingleFaultHypotheses(s.Tile)))
}

// common returns the hypotheses that are not rare.
func common(hs []Hypothesis) (all []Hypothesis) {
	return slices.DeleteFunc(hs, func(h Hypothesis) bool { return h.Rarity() == MaxRarity })
}

// alike returns the pairs that explain the evidence as well as the best of some, in which each fault of these is
// combined with all others but rare ones.
func (s Search) alike(of Source, two []Fit) []Fit {
	var members []Hypothesis
	for _, f := range Ties(two) {
		for i := range f.Faults {
			members = Merge(members, []Hypothesis{{Tile: f.Tile, Faults: f.Faults[i : i+1 : i+1]}})
		}
	}
	if len(members) > mostMembers {
		return Ties(two)
	}
	return Ties(s.sifted(of, combined(members, common(SingleFaultHypotheses(s.Tile))), Ties(two)...))
}

// mostMembers is the largest number of faults in pairs for which alike searches, and mostBeside the number of pairs
// beside which a third fault is searched for.
const mostMembers, mostBeside = 24, 10

// sifted returns the best of these pairs, and of those sifted before. If one reproduces all the evidence, it ranks them
// on all of it: others may do as well on a sieve's executions.
func (s Search) sifted(of Source, pairs []Hypothesis, before ...Fit) []Fit {
	pairs = s.Budget.afford(pairs, of.Sample(selecting.failed, selecting.passed), 1)
	kept := Shortlist(s.sieve(of, selecting, pairs), 2*selecting.keep)
	two := s.RankFinalists(of, Merge(kept, Hypotheses(before)))
	if len(two) == 0 || two[0].Cost() > 0 || s.Rank(of.Whole(), Hypotheses(Ties(two)), 1)[0].Cost() > 0 {
		return two
	}
	return s.Rank(of.Whole(), Hypotheses(two), len(two))
}

// combined returns each hypothesis with each compatible other fault, no pair twice, and those of rare faults last.
func combined(some, single []Hypothesis) (all []Hypothesis) {
	tried := map[string]bool{}
	for _, rare := range []bool{false, true} {
		clear(tried)
		for _, first := range some {
			for _, second := range single {
				if (second.Rarity() == MaxRarity) != rare || tried[second.String()] {
					continue
				}
				if both, ok := first.WithFault(second.Faults[0]); ok {
					all = append(all, both)
				}
			}
			tried[first.String()] = true
		}
	}
	return all
}

// LikelyMembers returns the candidates for one fault of a pair: most hypotheses that explain the most bits, and
// most that explain the most executions.
func (s Search) LikelyMembers(of Source, most int) (likely []Hypothesis) {
	single := SingleFaultHypotheses(s.Tile)
	sample := of.Sample(selecting.failed, selecting.passed)
	how := []Search{s, s.WithNoise()}
	if len(sample.Executions) <= mayBeSpoiled {
		how = how[:1]
	}
	for _, s := range how {
		fits := s.Rank(sample, single, most)
		likely = Merge(likely, Hypotheses(fits[:min(most, len(fits))]))
	}
	return likely
}

// Merge appends to a list the hypotheses of another that it lacks.
func Merge(all, more []Hypothesis) []Hypothesis {
	all = slices.Clip(all)
	for _, h := range more {
		if !contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

func contains(all []Hypothesis, h Hypothesis) bool {
	name := h.String()
	return slices.ContainsFunc(all, func(o Hypothesis) bool { return o.String() == name })
}

// SeparateFaults returns the pairs of faults, each of one line, that explain the evidence as well as these lines
// swapped or shorted; none if a fault of one line does.
func (s Search) SeparateFaults(e *Evidence, ties []Fit) (pairs []Hypothesis) {
	for _, f := range ties {
		lines := f.Suspects()[0].Lines
		if len(f.Faults) != 1 || len(lines) != 2 {
			return nil // it is as simple
		}
		a := MustParseAll(s.Tile, lines[0]+"=stuck0", lines[0]+"=stuck1", lines[0]+"=open")
		b := MustParseAll(s.Tile, lines[1]+"=stuck0", lines[1]+"=stuck1", lines[1]+"=open")
		for _, tie := range Ties(s.Rank(e, append(combined(a, b), f.Hypothesis), 1)) {
			if len(tie.Faults) == 2 {
				pairs = append(pairs, tie.Hypothesis)
			}
		}
	}
	return pairs
}

// MayBeChip reports whether a line's fault may also be the chip's: the line is an output, not one of uio that the bench
// drives, and no other line is involved.
func MayBeChip(f fault.Fault, driven uint8) bool {
	switch f.Kind {
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr, fault.Register:
		return false
	case fault.Late: // inputs are the bench's
		return true
	}
	return f.A >= fault.UO && f.A < fault.UIO || f.A >= fault.UIO && f.A < fault.Clk && driven>>(f.A-fault.UIO)&1 == 0
}
