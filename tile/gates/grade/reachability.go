package grade

import (
	"maps"
	"slices"

	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

// A reachability decides by property-directed reachability (A. R. Bradley, VMCAI 2011) whether good and faulty chip can
// be in a state after a clock with a reset.
//
// Level k has cubes of states that no k clocks after a reset lead to. A state is excluded at the last level, or traced
// back to a reset. If all cubes of a level also hold at the next one, no clocks lead to the cubes of later levels.
type reachability struct {
	*frames
	d       *defect
	reset   bool             // a clock with rst_n low resets, else one with rst_n high
	bits    map[sat.Lit]bit  // by input that holds it
	first   map[sat.Lit]rail // by such an input: its level after a reset, as far as needed
	closed  []cube           // no clocks lead to them
	cubes   [][]cube         // by level: other cubes
	outside []sat.Lit        // by level: the state is in no cube of it or a later level; at level 0 it follows a reset
	always  sat.Lit          // the state is in no closed cube
	goal    sat.Lit          // of the last question of blocked
	path    []transport.Step // from a reset to the last state that excludes could not exclude
	end     int              // effort at which a search ends
}

// A bit is the state of a cell in the good copy or the faulty one.
type bit struct {
	cell int32
	bad  bool
}

// A cube is a set of states, those in which all its literals are true.
type cube []sat.Lit

// watch switches to the faulty copy in frames, and keeps the good copy's closed cubes.
func (r *reachability) watch(f *frames, d *defect) {
	r.closed = slices.DeleteFunc(r.closed, func(c cube) bool {
		return slices.ContainsFunc(c, func(l sat.Lit) bool { return r.bits[l&^1].bad })
	})
	maps.DeleteFunc(r.first, func(l sat.Lit, _ rail) bool { return r.bits[l].bad })
	r.frames, r.d, r.bits, r.always = f, d, map[sat.Lit]bit{}, sat.True
	for k, s := range f.free.good {
		r.bits[s.hi] = bit{k, false}
	}
	for k := range d.apart {
		r.bits[f.free.bad[k].hi] = bit{k, true}
	}
	for _, c := range r.closed {
		r.always = f.And(r.always, r.all(c).Not())
	}
	r.cubes, r.outside = make([][]cube, 2), []sat.Lit{r.always, r.always}
	for _, l := range slices.Sorted(maps.Keys(r.first)) {
		r.begin(l)
	}
}

func (r *reachability) all(c cube) sat.Lit {
	all := sat.True
	for _, l := range c {
		all = r.And(all, l)
	}
	return all
}

// after returns the literals of a cube after a clock. An unknown level may be either.
func (r *reachability) after(c cube) (next cube) {
	for _, l := range c {
		b := r.bits[l&^1]
		n := r.o.design.Circuit.Cells[b.cell].Out
		level := r.good[clocked][n]
		if b.bad {
			level = r.is(n, clocked, r.d)
		}
		if len(r.o.drivers[n]) > 1 {
			level = railX
		}
		next = append(next, r.Mux(r.Input(), level.hi, level.lo.Not())^l&1)
	}
	return next
}

func (r *reachability) ask(all ...sat.Lit) sat.Result { return r.Solve(max(1, r.end-r.Effort), all...) }

// begin excludes the level that a bit does not have after a reset.
func (r *reachability) begin(l sat.Lit) {
	is, known := r.first[l]
	if !known {
		is = railX
		next, reset := r.after(cube{l})[0], r.phases[sampled].rst^sat.Constant(r.reset)
		switch sat.Impossible {
		case r.Solve(stateEffort, reset, next):
			is = rail0
		case r.Solve(stateEffort, reset, next.Not()):
			is = rail1
		}
		r.first[l] = is
	}
	if is.known() {
		r.outside[0] = r.And(r.outside[0], r.Xor(l, is.lo))
	}
}

// begins reports whether a cube may have states after a reset.
func (r *reachability) begins(c cube) bool {
	return !slices.ContainsFunc(c, func(l sat.Lit) bool {
		is := r.first[l&^1]
		return is.known() && is.hi == sat.Constant(l&1 != 0)
	})
}

// lift returns states that have the goal with the inputs of the last assignment.
func (r *reachability) lift(goal sat.Lit) (is cube) {
	var all []sat.Lit
	for _, l := range r.Support(goal) {
		if _, state := r.bits[l&^1]; state {
			is = append(is, l)
		} else {
			all = append(all, l)
		}
	}
	if r.ask(slices.Concat(all, is, []sat.Lit{goal.Not()})...) == sat.Impossible {
		is = slices.DeleteFunc(is, func(l sat.Lit) bool { return !r.Core(l) })
	}
	for _, l := range is {
		if _, known := r.first[l&^1]; !known {
			r.begin(l &^ 1)
		}
	}
	return is
}

// excludes reports whether it proves that no clocks after a reset lead to the goal with the last assignment's inputs.
// If so, r.always excludes the assignment's state.
func (r *reachability) excludes(goal sat.Lit, effort int) bool {
	r.end = r.Effort + effort
	last := r.steps()[0]
	for c := r.lift(goal); r.trace(c, last); {
		r.cubes, r.outside = append(r.cubes, nil), append(r.outside, r.always)
		for k := 1; k < len(r.cubes)-1; k++ {
			r.advance(k)
			if len(r.cubes[k]) > 0 {
				continue
			}
			for _, c := range slices.Concat(r.cubes[k:]...) {
				r.closed = append(r.closed, c)
				r.always = r.And(r.always, r.all(c).Not())
			}
			r.cubes, r.outside = r.cubes[:k+1], r.outside[:k+1]
			return true
		}
	}
	return false
}

// advance moves each cube of a level that also holds at the next level to that level.
func (r *reachability) advance(level int) {
	all := r.cubes[level]
	r.cubes[level] = nil
	for _, c := range all {
		at := level
		if got, _ := r.blocked(c, level+1); got == sat.Impossible {
			at++
			r.outside[at] = r.And(r.outside[at], r.all(c).Not())
		}
		r.cubes[at] = append(r.cubes[at], c)
	}
}

// trace excludes a cube at the last level, and first the states that lead to it. It reports whether it succeeds.
func (r *reachability) trace(c cube, step transport.Step) bool {
	r.path = nil
	last, open, steps := len(r.cubes)-1, []cube{c}, []transport.Step{step}
	for len(open) > 0 {
		end := len(open) - 1
		c, level := open[end], last-end
		if r.begins(c) {
			slices.Reverse(steps)
			r.path = steps
			return false
		}
		got, core := sat.Impossible, cube(nil)
		if level > 0 {
			got, core = r.blocked(c, level)
		}
		switch {
		case got == sat.Unknown:
			return false
		case got == sat.Possible:
			step := r.steps()[0]
			step.Clocks = 1
			open, steps = append(open, r.lift(r.goal)), append(steps, step)
			continue
		case level > 0:
			r.exclude(r.shorten(c, core, level), level)
		}
		open, steps = open[:end], steps[:end]
	}
	return true
}

// exclude excludes a cube at a level and at all later ones at which it is blocked.
func (r *reachability) exclude(c cube, level int) {
	for level < len(r.cubes)-1 {
		if got, _ := r.blocked(c, level+1); got != sat.Impossible {
			break
		}
		level++
	}
	r.cubes[level] = append(r.cubes[level], c)
	for k := 1; k <= level; k++ {
		r.outside[k] = r.And(r.outside[k], r.all(c).Not())
	}
}

// blocked returns Impossible if no clock leads into a cube from a state outside it that the previous level allows. core
// holds literals of the cube that suffice for the proof.
func (r *reachability) blocked(c cube, level int) (got sat.Result, core cube) {
	next := r.after(c)
	got = r.ask(append([]sat.Lit{r.outside[level-1], r.all(c).Not()}, next...)...)
	if got == sat.Possible {
		r.goal = r.all(next)
	}
	for i, l := range c {
		if r.Core(next[i]) {
			core = append(core, l)
		}
	}
	return got, core
}

// shorten drops literals of a cube as long as it stays blocked at a level. It begins with the literals of a core.
func (r *reachability) shorten(c, core cube, level int) cube {
	c = r.complete(core, c)
	for i := 0; i < len(c); i++ {
		less := slices.Delete(slices.Clone(c), i, i+1)
		if r.begins(less) {
			continue
		}
		if got, core := r.blocked(less, level); got == sat.Impossible {
			c = r.complete(core, less)
			i--
		}
	}
	return c
}

// complete adds a literal of a cube to some of its literals if these have a state after a reset.
func (r *reachability) complete(some, c cube) cube {
	if r.begins(some) {
		at := slices.IndexFunc(c, func(l sat.Lit) bool { return !r.begins(cube{l}) })
		some = append(some, c[at])
	}
	return some
}
