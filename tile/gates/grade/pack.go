package grade

import (
	"context"
	"math/bits"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A pack holds up to 64 classes that share one machine.
type pack struct {
	classes []int32
	live    uint64 // classes still to be found
	rig     *FaultMachine
	work    int  // for the current part
	cut     bool // its share of the budget is used up
	err     error
	untried int // number of faults for which no proof was tried with sufficient effort
	paths   [][]transport.Step

	start   *start   // state from which the search begins
	vectors []Vector // vectors found from there
}

// pack distributes classes among machines.
func (g *Grader) pack(classes []int32) (packs []*pack) {
	for len(classes) > 0 {
		n := min(lanes, len(classes))
		packs = append(packs, &pack{classes: classes[:n], live: ^uint64(0) >> (lanes - n)})
		classes = classes[n:]
	}
	return packs
}

// repack moves live classes into fewer machines if that saves a quarter of them or lets one run twice as many vectors.
func (g *Grader) repack(packs []*pack) []*pack {
	var left []int32
	for _, p := range packs {
		for i, class := range p.classes {
			if p.live>>i&1 != 0 {
				left = append(left, class)
			}
		}
	}
	need := (len(left) + lanes - 1) / lanes
	if need*4 > len(packs)*3 && (len(packs) > 1 || 2*len(left) > len(packs[0].classes)) {
		return packs
	}
	return g.pack(left)
}

// inParallel runs a function on packs, concurrently. It returns the first error of a pack, or ctx's.
func inParallel(ctx context.Context, packs []*pack, run func(*pack)) error {
	return failure.RunInGroups(ctx, packs, 1, func(some []*pack) error {
		run(some[0])
		return some[0].err
	})
}

// each runs a function on packs in parallel, and adds up their work.
func (g *Grader) each(ctx context.Context, packs []*pack, run func(*pack)) error {
	if err := inParallel(ctx, packs, run); err != nil {
		return err
	}
	for _, p := range packs {
		if g.work += p.work; p.cut {
			g.unsettle(p)
		}
		p.work = 0
	}
	return nil
}

// run runs a part of the vectors on a pack, several side by side.
func (g *Grader) run(p *pack, of part) {
	if p.rig == nil {
		if p.err = g.build(p); p.err != nil {
			return
		}
	}
	for v := of.from; v < of.to && p.live != 0 && !p.cut; v += p.rig.Groups {
		g.sideBySide(p, v, min(v+p.rig.Groups, of.to), of.steps)
	}
}

// sideBySide runs the first limit steps of a range of vectors on a pack.
func (g *Grader) sideBySide(p *pack, from, to, limit int) {
	r, before := p.rig, p.rig.Work()
	vectors, wanted := make([][]transport.Step, to-from), uint64(0)
	for k := range vectors {
		steps := g.Vectors[from+k].Steps
		vectors[k] = steps[:min(limit, len(steps))]
		wanted |= p.live << (k * r.Faults)
	}
	looks, last := make([]Expectation, to-from), before
	r.Run(vectors, func(at int) bool {
		for k, steps := range vectors {
			if looks[k] = (Expectation{}); at < len(steps) {
				looks[k] = g.right.looks[from+k][at]
			}
		}
		found, unclear := r.DifferingLanes(looks)
		for k, steps := range vectors {
			here := r.ExtractGroup(k, found&wanted)
			g.note(p, r.ExtractGroup(k, unclear))
			g.found(p, here, Finding{Outcome: Found, Vector: from + k, Step: at})
			wanted &^= here << (k * r.Faults)
			for later := k + 1; later < len(vectors); later++ { // later vectors need not find the class again
				wanted &^= (here &^ p.live) << (later * r.Faults)
			}
			if at == len(steps)-1 {
				wanted &^= r.GroupLanes(k)
			}
		}
		now := r.Work()
		next := p.work + now - before + now - last // work after the next step, if it costs as much as this one
		p.cut, last = g.over(next*max(firstSample, len(g.Classes))/lanes/maxOver), now
		return wanted != 0 && !p.cut
	})
	p.work += r.Work() - before
}

// note counts a step at which a compared output is unknown for the given classes.
func (g *Grader) note(p *pack, classes uint64) {
	for ; classes != 0; classes &= classes - 1 {
		class := p.classes[bits.TrailingZeros64(classes)]
		g.unknown[class]++
		if f := &g.findings[class]; f.Outcome == Unseen {
			f.Outcome = Unclear
		}
	}
}

// found records the classes that a vector finds, unless an earlier vector found them, and drops them.
func (g *Grader) found(p *pack, classes uint64, at Finding) {
	for ; classes != 0; classes &= classes - 1 {
		bit := bits.TrailingZeros64(classes)
		class := p.classes[bit]
		if f := &g.findings[class]; f.Outcome != Found || at.Vector < f.Vector {
			*f = at
		}
		p.live &^= 1 << bit
	}
}

func (g *Grader) build(p *pack) (err error) {
	faults := make([]gates.StuckAt, len(p.classes))
	for i, class := range p.classes {
		faults[i] = g.List.Classes[class].Faults[0]
	}
	p.work += g.cellWork * len(g.List.Design.Circuit.Cells)
	p.rig, err = NewFaultMachine(g.List, faults)
	return err
}
