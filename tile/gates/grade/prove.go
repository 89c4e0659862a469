package grade

import (
	"context"
	"math"
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
)

const (
	// proofWork limits the work of a grading's proofs, which the budget does not include.
	proofWork  = min(60*workPerSecond, math.MaxInt) // less where an int has 32 bits
	proofShare = 4                                  // divisor of the budget
	// proofGroups is the number of provers, for 64 faults each, that run between two checks of the limit.
	proofGroups = 4
)

// provedNever is the reason recorded for a class that is proved untestable.
const provedNever = "proved by induction: no vector shows it"

// prove marks unclear classes as found if they are provably visible from every state, and open classes as untestable if
// provably no vector shows them. It returns an error only if ctx ends.
func (g *Grader) prove(ctx context.Context) error {
	if !g.Prove {
		return nil
	}
	if err := g.showPowerUps(ctx); err != nil {
		return err
	}
	limit := proofWork
	if g.Budget > 0 {
		limit = min(limit, g.Budget/proofShare)
	}
	never, untried, _, err := proveClasses(ctx, g.List, openOf(g.findings), limit)
	for _, class := range never {
		g.findings[class].Outcome = Untestable
	}
	g.unproved = untried
	return err
}

// proveClasses returns the classes that provably no vector shows, the number of classes for which the allowed work did
// not suffice, and the work. It returns an error only if ctx ends.
func proveClasses(ctx context.Context, l *gates.FaultList, classes []int32, allowed int) (never []int32,
	untried, work int, err error) {
	if len(classes) == 0 {
		return nil, 0, 0, nil
	}
	order := newOrder(l.Design)
	for some := range slices.Chunk(new(Grader).pack(classes), proofGroups) {
		share := max(0, (allowed-work)/len(some))
		if err := inParallel(ctx, some, func(p *pack) { p.prove(ctx, l, order, share) }); err != nil {
			return never, untried, work, err
		}
		for _, p := range some {
			work, untried = work+p.work, untried+p.untried
			for i, class := range p.classes {
				if p.live>>i&1 == 0 {
					never = append(never, class)
					l.Classes[class].Untestable = provedNever
				}
			}
		}
	}
	return never, untried, work, nil
}

// prove drops the faults that it proves untestable, and counts the faults for which its budget does not suffice.
func (p *pack) prove(ctx context.Context, l *gates.FaultList, o *order, allowed int) {
	if allowed <= 0 {
		p.untried = len(p.classes)
		return
	}
	by := newProver(l, o)
	by.limit = min(by.limit, max(1, allowed/4/effortWork)) // no single question takes more than a quarter
	for i, class := range p.classes {
		if by.work() > allowed || ctx.Err() != nil {
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
	p.work = by.work()
}
