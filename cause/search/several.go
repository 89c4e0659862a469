package search

import (
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// DecisiveBits is the advantage, in bits, with which one account excludes another: a thousand to one.
const DecisiveBits = 10

// secondCosts is the number of bits that a further fault, chosen among a thousand, must save to be decisively likelier.
const secondCosts = 10 + DecisiveBits

// MuchBetterThan reports whether f costs at most two thirds of best, and so much less that a further fault is likely.
func (f Fit) MuchBetterThan(best Fit) bool {
	return f.Cost() <= best.Cost()*2/3 && f.Cost()+secondCosts < best.Cost()
}

// A Source provides evidence, in samples or as a whole.
type Source struct {
	SampledEvidence func(failed, passed int) *Evidence // up to this many executions of each kind, spread over the run
	FullEvidence    func() *Evidence
}

// A sieve holds how many failed and passed executions hypotheses are ranked on, and how many hypotheses are kept.
type sieve struct{ failed, passed, keep int }

var (
	superposing = sieve{24, 8, 400}
	glancing    = sieve{6, 2, 400}
	selecting   = sieve{48, 16, 40}
	deciding    = sieve{192, 64, 8}
)

// mayBeSpoiled is the number of executions above which noise is assumed to have spoiled some.
const mayBeSpoiled = 8

// sieve ranks hypotheses on a few executions, some of which noise may have spoiled.
func (s Search) sieve(of Source, size sieve, hs []Hypothesis) []Fit {
	e := of.SampledEvidence(size.failed, size.passed)
	if len(e.Executions) > mayBeSpoiled {
		return s.WithNoise().Rank(e, hs, size.keep)
	}
	return s.Rank(e, hs, min(size.keep, deciding.keep)) // the sample contains all executions
}

// RankFinalists ranks hypotheses on many executions, some of which noise may have spoiled.
func (s Search) RankFinalists(of Source, hs []Hypothesis) []Fit { return s.sieve(of, deciding, hs) }

// SingleFaultHypotheses returns the hypotheses of a single fault that may be one of a pair.
func SingleFaultHypotheses(t tile.Tile) []Hypothesis {
	return slices.DeleteFunc(slices.Concat(WireHypotheses(t), ChipHypotheses(t)),
		func(h Hypothesis) bool { return h.Faults == nil })
}

// FindMultipleFaults returns the combinations of faults that explain the evidence best, and much better than the best
// single fault: pairs, or the best pairs with a third fault. likely holds candidates for a member of a pair. It returns
// none if no combination explains much more. It tries third faults if no pair is enough, or faults may hide each other.
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

// few reports whether the executions are so few that faults may hide each other.
func few(of Source) bool {
	return len(of.SampledEvidence(selecting.failed, selecting.passed).Executions) <= mayBeSpoiled
}

// pairs returns the likeliest pairs of single faults: first pairs that act independently and, if these do not suffice,
// pairs of a likely fault and any other. With few executions, the second kind, without rare faults, comes first.
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

// apart returns the likeliest pairs of faults that act independently, or none if the budget is too short to rank them.
func (s Search) apart(of Source) []Hypothesis {
	single := SingleFaultHypotheses(s.Tile)
	steps := s.Budget.steps(len(single), 2)
	if steps < width {
		s.Budget.cut = true
		return nil
	}
	p := superpose(of.SampledEvidence(superposing.failed, superposing.passed), steps)
	s.Budget.spend(len(single) * p.simulated())
	return p.pairs(s, single, superposing.keep)
}

// beside simulates some hypotheses with each single fault, rare ones only if the budget allows; it returns the best.
func (s Search) beside(of Source, some, single []Hypothesis) []Hypothesis {
	all := s.Budget.afford(combined(some, single), of.SampledEvidence(glancing.failed, glancing.passed), 2)
	return Shortlist(s.sieve(of, glancing, all), 2*glancing.keep)
}

// third returns the likeliest combinations of a third fault with each of some pairs.
func (s Search) third(of Source, two []Fit) []Fit {
	return s.sifted(of, s.beside(of, Shortlist(two, mostBeside), SingleFaultHypotheses(s.Tile)))
}

func common(hs []Hypothesis) (all []Hypothesis) {
	return slices.DeleteFunc(hs, func(h Hypothesis) bool { return h.Rarity() == MaxRarity })
}

// alike returns pairs that explain the evidence as well as the best of some pairs: it combines each fault of the best
// pairs with all other faults except rare ones.
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

// mostMembers is the maximum number of faults that alike combines with others, and mostBeside the maximum number of
// pairs to which a third fault is added.
const mostMembers, mostBeside = 24, 10

// sifted returns the best fits among pairs and the earlier fits, before. If one explains all the evidence, sifted ranks
// the finalists on all of it, since others may also explain the sieve's executions.
func (s Search) sifted(of Source, pairs []Hypothesis, before ...Fit) []Fit {
	pairs = s.Budget.afford(pairs, of.SampledEvidence(selecting.failed, selecting.passed), 1)
	kept := Shortlist(s.sieve(of, selecting, pairs), 2*selecting.keep)
	two := s.RankFinalists(of, Merge(kept, Hypotheses(before)))
	if len(two) == 0 || two[0].Cost() > 0 || s.Rank(of.FullEvidence(), Hypotheses(Ties(two)), 1)[0].Cost() > 0 {
		return two
	}
	return s.Rank(of.FullEvidence(), Hypotheses(two), len(two))
}

// combined combines each hypothesis with each compatible fault, without duplicates, pairs with rare faults last.
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

// LikelyMembers returns candidates for one fault of a pair: up to limit hypotheses that explain the most bits, and as
// many that explain the most executions.
func (s Search) LikelyMembers(of Source, limit int) (likely []Hypothesis) {
	single := SingleFaultHypotheses(s.Tile)
	sample := of.SampledEvidence(selecting.failed, selecting.passed)
	how := []Search{s, s.WithNoise()}
	if len(sample.Executions) <= mayBeSpoiled {
		how = how[:1]
	}
	for _, s := range how {
		fits := s.Rank(sample, single, limit)
		likely = Merge(likely, Hypotheses(fits[:min(limit, len(fits))]))
	}
	return likely
}

// Merge returns all, followed by the hypotheses of more that it lacks.
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

// SeparateFaults returns the pairs of single-line faults that explain the evidence as well as the ties, which are swaps
// or shorts. It returns none if one single-line fault explains as much.
func (s Search) SeparateFaults(e *Evidence, ties []Fit) (pairs []Hypothesis) {
	for _, f := range ties {
		lines := f.Suspects()[0].Lines
		if len(f.Faults) != 1 || len(lines) != 2 {
			return nil // one fault explains it as simply
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

// MayBeChip reports whether a line's fault may be the chip's rather than the wire's: the line is an output, but not one
// of uio that the bench drives, and no other line is involved.
func MayBeChip(f fault.Fault, driven uint8) bool {
	switch f.Kind {
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr, fault.Register:
		return false
	case fault.Late: // the bench drives the inputs
		return true
	}
	return f.A >= fault.UO && f.A < fault.UIO || f.A >= fault.UIO && f.A < fault.Clk && driven>>(f.A-fault.UIO)&1 == 0
}

// inputTrials and inputSteps are the minimum numbers of simulations of an intermittent input and of their steps.
const inputTrials, inputSteps = 16, 16_000

// IntermittentInputs returns the inputs that may be wrong now and then: in some trial at least half as many bits are
// wrong as in the evidence, all of them on lines that are wrong there.
func (s Search) IntermittentInputs(e *Evidence) []Hypothesis {
	all := make([]Hypothesis, len(fault.Lines))
	s.forEach(len(all), func(line int, w *Worker) {
		if line >= fault.UO && line < fault.UIO {
			return
		}
		h := MustParse(s.Tile, fault.Lines[line]+"=flip:1:0")
		f, wrong, n, any := &h.Faults[0], float64(e.DifferingBits), 0, ^transport.Outputs(0)
		f.Probability = min(1, wrong/float64(e.CountSteps())) // if the line has an effect in every step
		for n = w.errors(h, e, any); 2*n < e.DifferingBits && f.Probability < 0.5; n = w.errors(h, e, any) {
			f.Probability *= 2
		}
		f.Probability = min(1, f.Probability*wrong/float64(max(1, n)))
		for range max(inputTrials, inputSteps/e.CountSteps()) {
			if n := w.errors(h, e, e.DifferingLines); n > 0 && 2*n >= e.DifferingBits {
				all[line] = h
				return
			}
		}
	})
	return slices.DeleteFunc(all, func(h Hypothesis) bool { return h.Faults == nil })
}

// errors returns the number of bits in which a flip's simulation differs from a good chip, or 0 if any bit outside
// lines differs. Each execution uses the next seed.
func (w *Worker) errors(h Hypothesis, e *Evidence, lines transport.Outputs) (n int) {
	others := false
	for k, p := range e.Executions {
		h.Faults[0].Seed++
		w.simulate(h, Conditions{Pull: p.Pull}, p, func(at int, shown []transport.Sample) bool {
			for i, s := range shown {
				differs := s.Differ(e.GoodSamples[k][at+i]) & e.ComparedLines[k][at+i]
				n, others = n+differs.Count(), others || differs&^lines != 0
			}
			return !others
		})
		if others {
			return 0
		}
	}
	return n
}
