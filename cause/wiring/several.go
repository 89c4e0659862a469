package wiring

import (
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/fault"
)

const (
	mostFaults  = 3 // at the same time
	likelyLines = 6 // whose likeliest faults may be one of a pair

	// The faults of the pairs that fit best, up to this number, are combined with all others.
	mostFound = 24
)

// explains returns whether a hypothesis explains the samples, of which a good chip contradicts wrong bits, but for some
// noise and some levels left open.
func (e *exam) explains(wrong int) (func(diagnose.Ranked) bool, error) {
	of, err := diagnose.NewEvidence(e.tile, e.executions)
	if err != nil {
		return nil, err
	}
	return func(r diagnose.Ranked) bool { return r.Wrong <= wrong/mostWrong && r.Unsaid <= of.Sampled/mostUnsaid }, nil
}

// several returns the faults that explain the samples best: single ones, or up to mostFaults together that explain
// more. Where neither is likelier it returns both.
func (e *exam) several(ties []diagnose.Ranked) ([]diagnose.Ranked, error) {
	for n := 1; n < mostFaults; n++ {
		best := ties[0]
		common := slices.ContainsFunc(ties, func(r diagnose.Ranked) bool { return diagnose.Rarity(r) < diagnose.Rare })
		if best.Cost() == 0 && (n > 1 || common) {
			break
		}
		more, err := e.oneMore(best, n == 1)
		switch {
		case err != nil || len(more) == 0:
			return ties, err
		case best.Cost() == 0: // two stuck or cut lines are as likely as such a fault
			return append(ties, slices.DeleteFunc(more, func(r diagnose.Ranked) bool {
				return r.Cost() > 0 || !stuckLines(r)
			})...), nil
		case !saves(more[0], best):
			return ties, nil
		case best.Wrong == 0 && common && more[0].Cost() == 0: // the levels that it leaves open may be any
			return append(more, ties...), nil
		}
		ties = more
	}
	return ties, nil
}

// oneMore returns the best combinations of a hypothesis and another fault, or else of any likely faults.
func (e *exam) oneMore(best diagnose.Ranked, orElse bool) ([]diagnose.Ranked, error) {
	with := diagnose.Wires(e.tile)
	all := pairs([]diagnose.Hypothesis{best.Hypothesis}, with)
	if !orElse {
		return e.rank(e.budget.Afford(all, e.executions), 1)
	}
	with = slices.DeleteFunc(with, func(h diagnose.Hypothesis) bool {
		return diagnose.Rarity(h) == diagnose.Rare
	})
	ranked, err := e.rank(with, len(with)/2)
	if err != nil {
		return nil, err
	}
	var likely []diagnose.Hypothesis
	for _, r := range ranked {
		if len(likely) < likelyLines && !slices.ContainsFunc(likely, func(h diagnose.Hypothesis) bool {
			return slices.Equal(h.Suspects()[0].Lines, r.Suspects()[0].Lines)
		}) {
			likely = append(likely, r.Hypothesis)
		}
	}
	ranked, err = e.rank(e.budget.Afford(append(all, pairs(likely, with)...), e.executions), 1)
	if err != nil || len(ranked) == 0 || best.Cost() > 0 && !saves(ranked[0], best) {
		return ranked, err
	}
	found := members(ranked)
	if len(found) > mostFound {
		return ranked, nil
	}
	same := pairs(found, with) // all faults with the same effect
	if afford := e.budget.Afford(same, e.executions); len(afford) == len(same) {
		return e.rank(same, 1)
	}
	return ranked, nil
}

// pairs returns each hypothesis with each other fault, but no pair twice.
func pairs(hs, with []diagnose.Hypothesis) (all []diagnose.Hypothesis) {
	seconds, tried := map[string]bool{}, map[string]bool{}
	for _, other := range with {
		seconds[other.String()] = true
	}
	for _, h := range hs {
		for _, other := range with {
			both, ok := diagnose.And(h, diagnose.FaultsOf(other)[0])
			if ok && !(seconds[h.String()] && tried[other.String()]) {
				all = append(all, both)
			}
		}
		tried[h.String()] = true
	}
	return all
}

// members returns the faults in these hypotheses, one of each kind.
func members(ranked []diagnose.Ranked) (all []diagnose.Hypothesis) {
	words := map[string]bool{}
	for _, r := range ranked {
		for i, s := range r.Suspects() {
			if !words[s.String()] {
				words[s.String()] = true
				h := r.Hypothesis.(diagnose.Faulty)
				all = append(all, diagnose.Faulty{Faults: h.Faults[i : i+1 : i+1], Tile: h.Tile})
			}
		}
	}
	return all
}

// saves reports whether another fault explains a third of what best leaves, and enough to be likely.
func saves(more, best diagnose.Ranked) bool {
	return more.Cost() <= best.Cost()*2/3 && more.Cost()+diagnose.SecondCosts < best.Cost()
}

// stuckLines reports whether all faults are cut or stuck lines.
func stuckLines(h diagnose.Hypothesis) bool {
	return !slices.ContainsFunc(diagnose.FaultsOf(h), func(f fault.Fault) bool {
		return f.Kind != fault.Stuck && f.Kind != fault.Cut
	})
}
