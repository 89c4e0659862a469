package grade

import (
	"context"
	"math/bits"
	"slices"

	"utfbench/transport"
)

// together is the number of faults in a machine that starts from random states, 21 for each fault. An odd number gives
// each fault all fates of floating lines, which follow each other in a machine's lanes.
const together = 3

// abreast is the number of such machines between two looks at the budget.
const abreast = 4

// fromStates finds the unclear classes, such as a stuck clock, that a vector shows whatever the state at power-up and
// the levels of floating lines are: from each of 21 or more random ones.
func (g *Grader) fromStates(ctx context.Context) error {
	var open []int32
	for i := range g.findings {
		if !g.Known && g.findings[i].Outcome == Unclear && g.unclear[i] != nil {
			open = append(open, int32(i))
		}
	}
	var packs []*pack
	for len(open) > 0 {
		n := together
		if len(open) < n {
			n = 1
		}
		packs = append(packs, g.pack(open[:n])...)
		open = open[n:]
	}
	for group := range slices.Chunk(packs, abreast) { // so that no machine's cores decide where the budget ends
		if g.over(g.work) {
			g.cut = true
			break
		}
		if err := g.each(ctx, group, g.scatter); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// scatter powers a pack up in random states and runs the vectors up to the last in which it is unclear: as in the run,
// a vector begins with what those before it left, which may hide the fault where a random state shows it.
func (g *Grader) scatter(p *pack) {
	if p.err = g.build(p); p.err != nil {
		return
	}
	p.rig.Scatter()
	for v, last := 0, len(g.Vectors)-1; ; v++ {
		for last >= v && g.vague(p, last) == 0 {
			last--
		}
		if last < v {
			break
		}
		g.wander(p, v)
	}
	p.work = p.rig.Work()
}

// wander runs a vector on a scattered pack.
func (g *Grader) wander(p *pack, v int) {
	r, steps, wanted := p.rig, [][]transport.Step{g.Vectors[v].Steps}, g.vague(p, v)
	shown, clashed := uint64(0), uint64(0) // lanes; in contention the chip may read either level
	for at := range steps[0] {
		r.step(at, steps)
		for _, lanes := range r.chip.Clash {
			clashed |= lanes
		}
		found := r.DifferAll(g.right.looks[v][at]) &^ (shown | clashed)
		if found == 0 {
			continue
		}
		shown |= found
		for left := wanted; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			if r.Chips(i)&^shown == 0 {
				g.found(p, 1<<i, Finding{Found, v, at})
				wanted &^= 1 << i
			}
		}
	}
}

// vague returns the live classes of a pack with which the chip was unclear in a vector.
func (g *Grader) vague(p *pack, vector int) (classes uint64) {
	for i, class := range p.classes {
		classes |= g.unclear[class][vector/lanes] >> (vector % lanes) & 1 << i
	}
	return classes & p.live
}
