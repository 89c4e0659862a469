package grade

import (
	"context"
	"math/bits"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// A pack is up to 64 classes in one machine.
type pack struct {
	classes []int32
	live    uint64 // classes still to be found
	rig     *Rig
	work    int  // of the present part
	cut     bool // it took its share of the budget
	err     error
	next    int // vector to be tried from every state
	untried int // faults that no proof with a sufficient effort was tried for

	start   *start   // from which it is searched
	vectors []Vector // found from there
}

// pack distributes classes to machines.
func (g *Grader) pack(classes []int32) (packs []*pack) {
	for len(classes) > 0 {
		n := min(lanes, len(classes))
		packs = append(packs, &pack{classes: classes[:n], live: ^uint64(0) >> (lanes - n)})
		classes = classes[n:]
	}
	return packs
}

// repack moves the rest into fewer machines, if that saves a quarter of them or lets one run twice as many vectors.
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

// try runs a part of the vectors on all packs.
func (g *Grader) try(ctx context.Context, packs []*pack, part part) error {
	if err := g.each(ctx, packs, func(p *pack) { g.run(p, part) }); err != nil {
		return err
	}
	for _, p := range packs {
		for _, class := range p.classes {
			if f := &g.findings[class]; g.unclear[class] != nil && f.Outcome == Unseen {
				f.Outcome = Unclear
			}
		}
	}
	return nil
}

// each runs a function on packs in parallel, and adds up their work.
func (g *Grader) each(ctx context.Context, packs []*pack, run func(*pack)) error {
	err := failure.InGroups(ctx, packs, 1, func(some []*pack) error {
		run(some[0])
		return some[0].err
	})
	if err != nil {
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

// run runs a part of the vectors on a pack, if its faults may act in them.
func (g *Grader) run(p *pack, of part) {
	var some []int
	for v := of.from; v < of.to && p.live != 0 && !p.cut; v++ {
		if g.acting(p, v) != 0 {
			some = append(some, v)
		}
		if p.rig == nil && len(some) > 0 {
			if p.err = g.build(p); p.err != nil {
				return
			}
		}
		if len(some) > 0 && (v == of.to-1 || len(some) == p.rig.Groups) {
			g.sideBySide(p, some, of.steps)
			some = some[:0]
		}
	}
}

// acting returns the live classes that may act in a vector.
func (g *Grader) acting(p *pack, vector int) (classes uint64) {
	for i, class := range p.classes {
		if g.mayAct(class, vector) {
			classes |= 1 << i
		}
	}
	return classes & p.live
}

// sideBySide runs the beginnings of some vectors on a pack.
func (g *Grader) sideBySide(p *pack, some []int, most int) {
	r, before := p.rig, p.rig.Work()
	vectors, wanted := make([][]transport.Step, len(some)), uint64(0)
	for k, v := range some {
		vectors[k] = g.Vectors[v].Steps[:min(most, len(g.Vectors[v].Steps))]
		wanted |= g.acting(p, v) << (k * r.Faults)
	}
	looks, last := make([]Look, len(some)), before
	r.Run(vectors, func(at int) bool {
		for k, v := range some {
			if looks[k] = (Look{}); at < len(vectors[k]) {
				looks[k] = g.right.looks[v][at]
			}
		}
		found, unclear := r.Differ(looks)
		for k, v := range some {
			here := r.Of(k, found&wanted)
			g.note(p, r.Of(k, unclear), v)
			g.found(p, here, Finding{Outcome: Found, Vector: v, Step: at})
			wanted &^= here << (k * r.Faults)
			for later := k + 1; later < len(some); later++ { // later vectors need not find it again
				wanted &^= (here &^ p.live) << (later * r.Faults)
			}
			if at == len(vectors[k])-1 {
				wanted &^= r.Group(k)
			}
		}
		now := r.Work()
		next := p.work + now - before + now - last // if the next step costs as much as this one
		p.cut, last = g.over(next*max(firstSample, len(g.Only))/lanes/mostOver), now
		return wanted != 0 && !p.cut
	})
	p.work += r.Work() - before
}

// note records a vector in which classes are unclear.
func (g *Grader) note(p *pack, classes uint64, vector int) {
	for ; classes != 0; classes &= classes - 1 {
		all := &g.unclear[p.classes[bits.TrailingZeros64(classes)]]
		if *all == nil {
			*all = make([]uint64, len(g.Vectors)/lanes+1)
		}
		(*all)[vector/lanes] |= 1 << (vector % lanes)
	}
}

// found records that a vector finds classes, each with its first vector, and drops them.
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

// build builds the machine of a pack.
func (g *Grader) build(p *pack) (err error) {
	faults := make([]Fault, len(p.classes))
	for i, class := range p.classes {
		faults[i] = g.List.Classes[class].Faults[0]
	}
	p.work += g.cellWork * len(g.List.Design.Circuit.Cells)
	p.rig, err = g.List.NewRig(faults)
	return err
}
