package grade

import (
	"context"
	"runtime"
	"sync/atomic"

	"utfbench/internal/crash"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A pack is up to 64 classes in a machine.
type pack struct {
	classes []int32
	live    uint64 // those that were not found yet
	unclear uint64 // those for which the chip showed an unknown level where it counts
	chip    *gates.Chip
	work    int
	err     error
}

// pack puts classes into machines.
func (g *Grader) pack(classes []int32) (packs []*pack) {
	for len(classes) > 0 {
		n := min(lanes, len(classes))
		packs = append(packs, &pack{classes: classes[:n], live: ^uint64(0) >> (lanes - n)})
		classes = classes[n:]
	}
	return packs
}

// repack moves the rest into fewer machines, if that saves a quarter of them.
func (g *Grader) repack(packs []*pack) []*pack {
	var left []int32
	for _, p := range packs {
		for i, class := range p.classes {
			if p.live>>i&1 != 0 {
				left = append(left, class)
			}
		}
	}
	if (len(left)+lanes-1)/lanes*4 > len(packs)*3 {
		return packs
	}
	return g.pack(left)
}

// try runs the beginning of a vector on all packs.
func (g *Grader) try(ctx context.Context, packs []*pack, vector, steps int) error {
	var next atomic.Int32
	var all crash.Group
	for range min(runtime.GOMAXPROCS(0), len(packs)) {
		all.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(packs) && ctx.Err() == nil; i = next.Add(1) - 1 {
				g.run(packs[i], vector, steps)
			}
		})
	}
	all.Wait()
	for _, p := range packs {
		if p.err != nil {
			return p.err
		}
		g.work += p.work
		p.work = 0
		for i, class := range p.classes {
			if f := &g.findings[class]; p.unclear>>i&1 != 0 && f.Outcome == Unseen {
				f.Outcome = Unclear
			}
		}
	}
	return ctx.Err()
}

// run runs the beginning of a vector on a pack, if any of its faults may act in it.
func (g *Grader) run(p *pack, vector, steps int) {
	wanted := uint64(0)
	for i, class := range p.classes {
		if g.mayAct(class, vector) {
			wanted |= 1 << i
		}
	}
	if wanted &= p.live; wanted == 0 {
		return
	}
	if p.chip == nil {
		p.err = g.build(p)
		if p.err != nil {
			return
		}
	}
	p.chip.Reset()
	before := p.chip.Work()
	defer func() { p.work += p.chip.Work() - before }()
	var f gates.Frame
	v, looks := &g.Vectors[vector], g.right.looks[vector]
	for i := range steps {
		f.Set(&v.Steps[i])
		p.chip.Step(&f)
		found, unclear := differ(p.chip, looks[i])
		p.unclear |= unclear
		if found &= p.live; found == 0 {
			continue
		}
		p.live &^= found
		for lane, class := range p.classes {
			if found>>lane&1 != 0 {
				g.findings[class] = Finding{Found, vector, i}
			}
		}
		if p.live&wanted == 0 {
			return
		}
	}
}

// build compiles the machine of a pack.
func (g *Grader) build(p *pack) error {
	faults := make([]Fault, len(p.classes))
	for i, class := range p.classes {
		faults[i] = g.List.Classes[class].Faults[0]
	}
	d, err := g.List.Inject(faults)
	if err != nil {
		return err
	}
	p.chip = d.NewChip(nil)
	return nil
}

// differ returns the lanes that differ from the expected levels, and those that may.
func differ(chip *gates.Chip, k look) (found, unclear uint64) {
	for i := range 16 {
		bit := transport.Outputs(1) << i
		if k.mask&bit == 0 {
			continue
		}
		s := output(chip, i)
		if k.level&bit != 0 {
			s.Hi, s.Lo = s.Lo, s.Hi
		}
		found |= s.Hi &^ s.Lo
		unclear |= s.Hi & s.Lo
	}
	return found, unclear
}
