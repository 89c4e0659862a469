package grade

import (
	"context"
	"math"
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

const (
	// proofWork limits the work of a grading's proofs, which the budget does not include.
	proofWork  = min(60*workPerSecond, math.MaxInt) // less where an int has 32 bits
	proofShare = 4                                  // divisor of the budget
	// proofGroups is the number of provers, for 64 faults each, that run between two checks of the limit.
	proofGroups = 4
)

// provedNever is the reason recorded for a class that is proved untestable.
const (
	provedNever = "proved by induction: no vector shows it"
	afterReset  = " after a reset"
)

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
	resets := []*transport.Step{nil}
	always := !slices.ContainsFunc(g.Vectors, func(v Vector) bool { return !v.resets() })
	if len(g.Vectors) > 0 && always {
		resets = append(resets, &g.Vectors[0].Steps[0])
	}
	for _, reset := range resets {
		got, err := proveClasses(ctx, g.List, openOf(g.findings), limit, reset)
		limit -= got.work
		for _, class := range got.never {
			g.findings[class].Outcome = Untestable
		}
		g.unproved = got.untried
		if err != nil {
			return err
		}
	}
	return nil
}

// resets reports whether a vector begins with a clock with rst_n low.
func (v *Vector) resets() bool { return len(v.Steps) > 0 && v.Steps[0].Reset && v.Steps[0].Clocks > 0 }

// proofs is the result of trying to prove that no vector shows faults.
type proofs struct {
	never   []int32 // classes for which it is proved
	untried int     // number of classes for which the allowed work did not suffice
	work    int
	paths   [][]transport.Step // steps after a reset that may show another class
}

// proveClasses tries to prove for each class that no vector shows it or, given reset, no vector that begins with a
// clock at reset's level of rst_n. It returns an error only if ctx ends.
func proveClasses(ctx context.Context, l *gates.FaultList, classes []int32, allowed int, reset *transport.Step) (
	got proofs, err error) {
	if len(classes) == 0 {
		return got, nil
	}
	order, reason := newOrder(l.Design), provedNever
	if reset != nil {
		reason += afterReset
	}
	for some := range slices.Chunk(new(Grader).pack(classes), proofGroups) {
		share := max(0, (allowed-got.work)/len(some))
		if err := inParallel(ctx, some, func(p *pack) { p.prove(ctx, l, order, share, reset) }); err != nil {
			return got, err
		}
		for _, p := range some {
			got.work, got.untried, got.paths = got.work+p.work, got.untried+p.untried, append(got.paths, p.paths...)
			for i, class := range p.classes {
				if p.live>>i&1 == 0 {
					got.never = append(got.never, class)
					l.Classes[class].Untestable = reason
				}
			}
		}
	}
	return got, nil
}

// prove drops the faults that it proves untestable, and counts the faults for which its budget does not suffice.
func (p *pack) prove(ctx context.Context, l *gates.FaultList, o *order, allowed int, reset *transport.Step) {
	if allowed <= 0 {
		p.untried = len(p.classes)
		return
	}
	by := newProver(l, o)
	by.limit = min(by.limit, max(1, allowed/4/effortWork)) // no single question takes more than a quarter
	if reset != nil {
		by.reach, by.end = &reachability{first: map[sat.Lit]rail{}, reset: reset.Reset}, allowed
	}
	for i, class := range p.classes {
		if by.work() > allowed || ctx.Err() != nil {
			p.untried++
			continue
		}
		if reset != nil {
			by.reach.path = nil
		}
		switch by.never(by.l.Classes[class].Faults[0]) {
		case sat.Impossible:
			p.live &^= 1 << i
		case sat.Unknown:
			p.untried++
		case sat.Possible:
			if reset != nil && by.reach.path != nil {
				p.paths = append(p.paths, by.reach.path)
			}
		}
	}
	p.work = by.work()
}
