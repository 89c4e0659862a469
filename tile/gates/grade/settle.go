package grade

import (
	"context"

	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

// An effort limits the search for a difference.
type effort struct {
	frames int // clocks
	work   int // for each fault, in addition to the work for the good copy
}

// An answer is the result of a search for a difference.
type answer struct {
	sat.Result
	steps  []transport.Step // steps that show a difference
	frames int              // number of frames without a difference, unless the result is Possible
}

// extend adds a frame if it does not exist: a phase with clk low and any inputs, and one with clk high.
func (f *frames) extend(frame int) {
	for len(f.good) < 2*frame+2 {
		in := f.open()
		f.add(false, in, nil)
		f.add(true, in, nil)
	}
}

// search looks frame by frame for steps that show the fault of a copy started by begin. It does not solve for the
// frames before number first, in which the caller knows that no steps show the fault.
func (f *frames) search(d *defect, first int, limit effort) (a answer) {
	left := limit.work
	for t := range limit.frames {
		f.extend(t)
		before := f.work()
		f.next(2*t, d)
		if shows := f.shows(2*t, d); t >= first && shows != sat.False {
			switch f.Solve(max(1, (left-f.work()+before)/effortWork), shows) {
			case sat.Possible:
				return answer{sat.Possible, f.steps()[:t+1], t}
			case sat.Unknown:
				return a
			}
		}
		if !f.loose && !d.loose {
			a.frames = t + 1
		}
		f.next(2*t+1, d)
		if left -= f.work() - before; left <= 0 {
			return a
		}
	}
	if a.frames == limit.frames {
		a.Result = sat.Impossible
	}
	return a
}

// settle searches for each open fault from all starts, with increasing effort, the one after a reset last.
func (e *Explorer) settle(ctx context.Context) error {
	for _, s := range e.starts {
		s.within = make([]int, len(e.state))
	}
	limit := effort{frames: 4, work: 1_000_000}
	for round := 0; !e.over() && limit.frames <= maxFrames; round++ {
		e.packs = new(Grader).pack(e.open)
		for i := range e.starts {
			at := len(e.starts) - 1 - i           // the deepest states first, and after a reset last
			if at > 2 && round == 0 && i%4 != 0 { // a few states first
				continue
			}
			s, limit := e.starts[at], limit
			if at == 0 { // only from a reset does a failed search prove anything
				limit.frames, limit.work = limit.frames*2, limit.work*8
			}
			if err := e.each(ctx, func(p *pack, share int) { e.attack(p, s, limit, share) }); err != nil {
				return err
			}
		}
		limit.frames, limit.work = limit.frames*2, limit.work*8
	}
	return nil
}

// attack searches from a start for vectors that show a pack's open faults, until the work exceeds a limit.
func (e *Explorer) attack(p *pack, s *start, each effort, limit int) {
	if p.rig == nil {
		if p.err = (&Grader{List: e.List, cellWork: cellWork}).build(p); p.err != nil {
			return
		}
	}
	p.start, p.rig.fresh = s, nil
	if p.show(&Vector{Steps: s.steps, Want: s.want}) > 0 {
		p.vectors = append(p.vectors, Vector{})
	}
	if p.live == 0 {
		return
	}
	p.rig.fresh = p.rig.chip.Clone()
	for i := range s.found {
		p.show(&s.found[i])
	}
	f := newFrames(e.order, railsOf(s.chip, len(e.order.drivers), 0))
	for i, class := range p.classes {
		if p.live>>i&1 == 0 {
			continue
		}
		if each.work = min(each.work, limit-p.work-f.work()); each.work <= 0 {
			break
		}
		f.begin(p.rig.fresh, i)
		a := f.search(defectOf(e.List, e.List.Classes[class].Faults[0]), s.within[class], each)
		s.within[class] = max(s.within[class], a.frames)
		if a.Result != sat.Possible {
			continue
		}
		after := start{chip: s.chip.Clone()}
		for _, step := range a.steps {
			after.apply(e.Tile, step)
		}
		v := Vector{Steps: after.steps, Want: after.want}
		if last := p.show(&v); last > 0 {
			p.vectors = append(p.vectors, Vector{Steps: v.Steps[:last], Want: v.Want[:last]})
		}
	}
	p.work += f.work()
}

// show drops the faults of a pack that a vector shows, and returns the number of steps up to the last that shows one.
func (p *pack) show(v *Vector) (last int) {
	before := p.rig.Work()
	p.rig.Run([][]transport.Step{v.Steps}, func(at int) bool {
		found, _ := p.rig.DifferingLanes([]Expectation{Expect(&v.Steps[at], &v.Want[at])})
		if found &= p.live; found != 0 {
			p.live &^= found
			last = at + 1
		}
		return p.live != 0
	})
	p.work += p.rig.Work() - before
	return last
}
