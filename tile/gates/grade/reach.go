package grade

import (
	"context"
	"math/bits"
	"slices"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Limits of the search for states in which nets have new levels.
const (
	reachFrames = 10
	reachEffort = 100_000
	maxHeld     = 1 << 13 // clocks with the same inputs
	longHold    = 1 << 12 // clocks after a reset
	shortHold   = 1 << 8  // clocks after other states
	patience    = 8       // a hold lasts this many times the clocks to the last new level
)

// A start is a state, reached by steps, from which a search for faults begins.
type start struct {
	steps  []transport.Step
	want   []transport.Sample
	chip   *gates.Chip
	found  []Vector // vectors from here on that show faults
	within []int    // by class: number of clocks from here on within which no vector shows it
}

// begins returns a start at the power-up state, without steps.
func (e *Explorer) begins() start {
	s := start{chip: e.Tile.Design.NewChip(nil)}
	s.chip.Watch()
	return s
}

func (s *start) continued() start {
	return start{steps: slices.Clone(s.steps), want: slices.Clone(s.want), chip: s.chip.Clone()}
}

// apply releases the lines of uio that the design may drive, applies a step, and records it with its sample.
func (s *start) apply(t *gates.Tile, step transport.Step) {
	may, always := t.DrivenUIO()
	step.Drive &^= always
	var f gates.Frame
	if f.Set(&step); may == always {
		s.chip.Step(&f)
	} else {
		s.chip.StepWithoutContention(s.chip.Clone(), &f)
	}
	for i, on := range f.Drive {
		step.Drive &^= uint8(^on&1) << i
	}
	step.IO &= step.Drive
	s.steps, s.want = append(s.steps, step), append(s.want, s.chip.Sample(0))
}

// apply applies a step, and returns the number of levels that are new to their nets.
func (e *Explorer) apply(s *start, step transport.Step) (fresh int) {
	work := s.chip.Work()
	seen := s.chip.Watch()
	s.apply(e.Tile, step)
	for n := range e.had {
		is := seen.KnownLevels(sim.Net(n))
		new := uint8(is.Lo&1|is.Hi&1<<1) &^ e.had[n]
		e.had[n] |= new
		fresh += bits.OnesCount8(new)
	}
	e.work += s.chip.Work() - work + len(e.had)/copiesForWork
	return fresh
}

// reach looks for states with new levels by holding the inputs, and by solving for the levels that open faults need.
func (e *Explorer) reach(ctx context.Context) error {
	reset := e.begins()
	e.apply(&reset, tile.ResetStep(e.Tile))
	other := tile.ResetStep(e.Tile)
	other.Reset, other.Clocks = !other.Reset, 1
	running := reset.continued()
	e.apply(&running, other)
	e.starts = []*start{&reset, &running}
	e.hold(running.continued(), other, longHold)
	for at := 0; at < len(e.starts) && len(e.starts) < maxStarts && !e.over(); at++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.activate(at)
	}
	return ctx.Err()
}

// hold applies constant inputs for at least the given number of clocks, and longer while new levels keep appearing.
// Each clock is a step, since a fault may be visible during one clock only. The final state and some of the states
// before a new level become starts.
func (e *Explorer) hold(s start, in transport.Step, least int) {
	in.Clocks = 1
	for n, fresh, next := 1, 0, 1; n < maxHeld && (n < least || n < patience*fresh) && !e.over(); n++ {
		before := s.chip.Clone()
		e.work += len(e.had)
		if e.apply(&s, in) == 0 {
			continue
		}
		if fresh = n; n >= next {
			last := len(s.steps) - 1
			e.add(start{steps: s.steps[:last:last], want: s.want[:last:last], chip: before})
			next = 2 * n
		}
	}
	e.add(s)
}

func (e *Explorer) add(s start) {
	if len(e.starts) < maxStarts {
		e.starts = append(e.starts, &s)
	}
}

// activate solves, from a start, for levels that open faults need and their nets never had. The states become starts.
func (e *Explorer) activate(at int) {
	f := newFrames(e.order, railsOf(e.starts[at].chip, len(e.order.drivers), 0))
	for _, class := range e.open {
		fault := e.List.Classes[class].Faults[0]
		n := e.List.Sites[fault.Site].Net
		bit := uint8(2)
		if fault.Level {
			bit = 1
		}
		if n <= sim.One || e.had[n]&bit != 0 || len(e.order.drivers[n]) == 0 {
			continue
		}
		if e.work+f.work() > e.end {
			break
		}
		for t := range reachFrames {
			f.extend(t)
			r := f.good[2*t][n]
			if bit == 1 {
				r = r.not()
			}
			if f.Solve(reachEffort, r.hi, r.lo.Not()) != sat.Possible {
				continue
			}
			e.had[n] |= bit
			s, steps := e.starts[at].continued(), f.steps()
			for i := range t {
				e.apply(&s, steps[i])
			}
			e.hold(s, steps[max(t-1, 0)], shortHold)
			break
		}
	}
	e.work += f.work()
}
