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

// scatter runs the vectors in which a pack is unclear from random power-up states.
func (g *Grader) scatter(p *pack) {
	if p.err = g.build(p); p.err != nil {
		return
	}
	r := p.rig
	r.Scatter()
	for v := range g.Vectors {
		wanted := g.vague(p, v)
		if wanted == 0 {
			continue
		}
		shown, clashed := uint64(0), uint64(0) // lanes; in contention the chip may read either level
		r.Run([][]transport.Step{g.Vectors[v].Steps}, func(at int) bool {
			for _, lanes := range r.chip.Clash {
				clashed |= lanes
			}
			found := r.DifferAll(g.right.looks[v][at]) &^ (shown | clashed)
			if found == 0 {
				return true
			}
			shown |= found
			for left := wanted; left != 0; left &= left - 1 {
				i := bits.TrailingZeros64(left)
				if r.Chips(i)&^shown == 0 {
					g.found(p, 1<<i, Finding{Found, v, at})
					wanted &^= 1 << i
				}
			}
			return wanted != 0
		})
	}
	p.work = r.Work()
}

// vague returns the live classes of a pack with which the chip was unclear in a vector.
func (g *Grader) vague(p *pack, vector int) (classes uint64) {
	for i, class := range p.classes {
		classes |= g.unclear[class][vector/lanes] >> (vector % lanes) & 1 << i
	}
	return classes & p.live
}
