package grade

import (
	"context"
	"slices"
)

const (
	// smallProofs is the work, in faults times operations, that proofs of untestability may take within a run: less
	// than a second.
	smallProofs = 200_000
	// proofWork limits the work of the proofs of a grading.
	proofWork = 60 * workPerSecond
	// proofGroups is the number of provers, for 64 faults each, between two checks of the limit.
	proofGroups = 4
)

// Small reports whether the untestable faults can be proved within a run.
func (l *List) Small() bool { return len(l.Classes)*l.Design.Program().Ops() <= smallProofs }

// prove proves which of the open classes no vector shows, and makes them untestable. The error is ctx's.
func (g *Grader) prove(ctx context.Context) error {
	var open []int32
	for i, f := range g.findings {
		if g.Prove && f.Outcome.open() {
			open = append(open, int32(i))
		}
	}
	if len(open) == 0 {
		return nil
	}
	order := newOrder(g.List.Design)
	fixed := constants(g.List, order, g.right.constant())
	work := 0
	for some := range slices.Chunk(g.pack(open), proofGroups) {
		if work > proofWork {
			break
		}
		err := InGroups(ctx, some, 1, func(p []*pack) error {
			p[0].prove(ctx, newProver(g.List, order, fixed))
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range some {
			work += p.work
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

// prove drops the faults that no vector shows.
func (p *pack) prove(ctx context.Context, by *Prover) {
	for i, class := range p.classes {
		if p.live>>i&1 != 0 && ctx.Err() == nil && by.Never(by.l.Classes[class].Faults[0]) {
			p.live &^= 1 << i
			p.never++
		}
	}
	p.work += by.work()
}
