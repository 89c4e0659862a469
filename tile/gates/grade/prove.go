package grade

import (
	"context"
	"math"
	"slices"

	"utfbench/internal/failure"
	"utfbench/tile/gates/grade/sat"
)

const (
	// proofWork limits the work of the proofs of a grading, as its budget does.
	proofWork  = min(60*workPerSecond, math.MaxInt) // where an int has 32 bits, less
	proofShare = 4                                  // of the budget
	// proofGroups is the number of provers, for 64 faults each, between two checks of the limit.
	proofGroups = 4
)

// prove proves which of the open classes no vector shows, and makes them untestable. The error is ctx's.
func (g *Grader) prove(ctx context.Context) error {
	open := openOf(g.findings)
	if !g.Prove || len(open) == 0 {
		return nil
	}
	left := proofWork
	if g.Budget > 0 {
		left = min(left, g.Budget/proofShare)
	}
	order := newOrder(g.List.Design)
	for some := range slices.Chunk(g.pack(open), proofGroups) {
		share := max(0, left/len(some))
		err := failure.InGroups(ctx, some, 1, func(p []*pack) error {
			p[0].prove(ctx, newProver(g.List, order), share)
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range some {
			left, g.unproved = left-p.work, g.unproved+p.untried
			for i, class := range p.classes {
				if p.live>>i&1 == 0 {
					g.findings[class].Outcome = Untestable
					g.List.Classes[class].Untestable = "proved by induction: no vector shows it"
				}
			}
		}
	}
	return nil
}

// prove drops the faults that it proves untestable, and counts those for which its budget does not suffice.
func (p *pack) prove(ctx context.Context, by *Prover, most int) {
	by.most = min(by.most, max(1, most/4/effortWork)) // no question takes more than a quarter
	for i, class := range p.classes {
		if p.live>>i&1 == 0 {
			continue
		}
		if most <= 0 || by.work() > most || ctx.Err() != nil {
			p.untried++
			continue
		}
		switch by.never(by.l.Classes[class].Faults[0]) {
		case sat.Impossible:
			p.live &^= 1 << i
		case sat.Unknown:
			p.untried++
		}
	}
	p.work += by.work()
}
