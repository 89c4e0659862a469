package grade

import (
	"context"
	"math/bits"
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Limits of the proofs that faults are visible from every state.
const (
	powerUpSpans  = 4                 // for each class
	powerUpSteps  = 16                // maximum steps of a span
	powerUpPhases = 128               // maximum phases of clk in a span
	powerUpWork   = 5 * workPerSecond // in total
	powerUpShare  = 8                 // divisor of the budget
	powerUpEffort = 30_000            // effort for the question after each step
	resetChanges  = 8                 // number of changes for which a reset counts
)

// A span is a range of a vector's steps, with the number of compared levels that change in it.
type span struct{ vector, from, to, changes int }

// spans returns the parts of the vectors with the most changes.
func (g *Grader) spans() (all []span) {
	for v, looks := range g.right.looks {
		for from := 0; from < len(looks); from += powerUpSteps {
			s := span{vector: v, from: from, to: min(from+powerUpSteps, len(looks))}
			for i := from + 1; i < s.to; i++ {
				now, last := looks[i], looks[i-1]
				s.changes += bits.OnesCount16(uint16((now.Level ^ last.Level) & now.Mask & last.Mask))
				if g.Vectors[v].Steps[i].Reset {
					s.changes += resetChanges
				}
			}
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return b.changes - a.changes })
	return all[:min(len(all), powerUpSpans)]
}

// showPowerUps marks as found the unclear classes, such as a stuck clock, that a span shows from every state: in none
// does the faulty chip match all compared bits. It begins with the classes whose outputs were unknown most often, and
// marks as untried those for which its limit does not suffice.
func (g *Grader) showPowerUps(ctx context.Context) error {
	if g.List.Design.IsCombinational() {
		return nil
	}
	left, o, classes := powerUpWork, newOrder(g.List.Design), openOf(g.findings)
	if g.Budget > 0 {
		left = min(left, g.Budget/powerUpShare)
	}
	slices.SortStableFunc(classes, func(a, b int32) int { return g.unknown[b] - g.unknown[a] })
	for _, s := range g.spans() {
		for _, class := range classes {
			f, fault := &g.findings[class], g.List.Classes[class].Faults[0]
			switch {
			case f.Outcome != Unclear:
				continue
			case left <= 0:
				f.Untried = true
				continue
			case ctx.Err() != nil:
				return ctx.Err()
			}
			at, work := g.mismatch(o, fault, s, left)
			if left -= work; at >= 0 && g.confirms(fault, s.vector, at) {
				*f = Finding{Outcome: Found, Vector: s.vector, Step: at}
			}
		}
	}
	return nil
}

// mismatch returns a step by which it proves that a faulty chip mismatches from any state, or -1, and the work. All
// power-up levels except the state are unknown. It stops at a step with lingering lines, which frames do not model.
func (g *Grader) mismatch(o *order, fault gates.StuckAt, s span, limit int) (at, work int) {
	f, d, may := newFrames(o, slices.Repeat([]rail{railX}, len(o.drivers))), defectOf(g.List, fault), sat.True
	f.free = f.freeStates()
	for at = s.from; at < s.to && len(f.good) < powerUpPhases && f.work() < limit; at++ {
		step, look := &g.Vectors[s.vector].Steps[at], g.right.looks[s.vector][at]
		if step.Linger {
			break
		}
		for n := range 1 + 2*int(step.Clocks) {
			f.add(n%2 == 1, fixed(step), d)
		}
		for i, n := range slices.Concat(o.uo, o.uio) {
			switch r := f.good[len(f.good)-1][n]; {
			case look.Mask>>i&1 == 0:
			case look.Level>>i&1 == 0:
				may = f.And(may, r.lo)
			default:
				may = f.And(may, r.hi)
			}
		}
		if f.Solve(powerUpEffort, may) == sat.Impossible {
			return at, f.work()
		}
	}
	return -1, f.work()
}

// confirms reports whether 64 faulty chips, with random states, all differ by a step of a vector. A proof does not
// suffice, since it assumes clocks without glitches, and a faulty chip's clocks may glitch.
func (g *Grader) confirms(fault gates.StuckAt, vector, at int) bool {
	d, err := g.List.Inject([]gates.StuckAt{fault})
	if err != nil {
		return false
	}
	rig, differ := FaultMachine{Faults: lanes, Groups: 1, chip: d.NewChip(&sim.RandomChoices{Seed: 1})}, uint64(0)
	for i := range at + 1 {
		rig.step(i, [][]transport.Step{g.Vectors[vector].Steps})
		found, _ := rig.DifferingLanes(g.right.looks[vector][i : i+1])
		differ |= found
	}
	return differ == ^uint64(0)
}
