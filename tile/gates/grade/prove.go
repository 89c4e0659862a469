package grade

import "context"

// provable is the work, in faults times operations, that proofs of untestability may take within a run: less than a
// second.
const provable = 200_000

// Small reports whether the untestable faults can be proved within a run.
func (l *List) Small() bool { return len(l.Classes)*l.Design.Program().Ops() <= provable }

// prove proves which of some open classes have no effect, each once, and makes them untestable. The error is ctx's.
func (g *Grader) prove(ctx context.Context, classes []int32) error {
	if !g.Prove {
		return nil
	}
	for _, class := range classes {
		if g.tried[class] || !g.findings[class].Outcome.open() {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c := &g.List.Classes[class]
		g.tried[class] = true
		if g.prover == nil {
			o := newOrder(g.List.Design)
			g.prover = newProver(g.List, o, constants(g.List, o, g.right.constant()))
		}
		if g.prover.Never(c.Faults[0]) {
			g.findings[class].Outcome = Untestable
			c.Untestable = "proved by induction: no vector shows it"
		}
	}
	return nil
}

// provePacks proves open faults in machines, so that they need no simulation.
func (g *Grader) provePacks(ctx context.Context, packs []*pack) error {
	err := g.prove(ctx, alive(packs))
	for _, p := range packs {
		for i, class := range p.classes {
			if !g.testable(class) {
				p.live &^= 1 << i
			}
		}
	}
	return err
}
