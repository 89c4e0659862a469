package grade

import (
	"utfbench/internal/sat"
	"utfbench/tile/gates/sim"
)

// An invariant is a set of states that no input leaves. A chip that powers up in it stays in it, so a fault that shows
// in no other state is not sure to show.
type invariant struct {
	constants map[int32]bool // cells with state that have one level only
	clauses   []clause
	*reached
}

// A clause excludes that two flip-flops have these levels at once.
type clause [2]struct {
	cell  int32
	level bool
}

// Limits of the search for an invariant.
const (
	invariantConflicts = 2000 // of each question
	invariantRounds    = 60   // questions until pairs of levels are given up
)

// invariantOf returns the largest invariant among what is true of all the states that vectors reached: levels of
// cells with state, and pairs of levels of flip-flops.
func invariantOf(o *order, r *reached) *invariant {
	v := &invariant{reached: r}
	v.constants = constants(o, r)
	v.propose(o)
	v.weaken(o)
	if p := newProver(nil, o, v); p.f.Solve(invariantConflicts, p.holds) != sat.Possible { // no state is in it
		v.clauses = nil
	}
	return v
}

// propose collects the pairs of levels that no state had.
func (v *invariant) propose(o *order) {
	cells := o.design.Circuit.Cells
	varies := func(i int) bool {
		_, constant := v.constants[v.cells[i]]
		return !constant && v.known[i].Hi != 0 && v.known[i].Lo != 0 && cells[v.cells[i]].Kind == sim.Flop
	}
	for i, at := 0, 0; i < len(v.cells) && v.pairs != nil; i++ {
		for k := range i {
			for combination, had := range v.pairs[at+k] {
				if !had && varies(i) && varies(k) {
					v.clauses = append(v.clauses,
						clause{{v.cells[i], combination&2 != 0}, {v.cells[k], combination&1 != 0}})
				}
			}
		}
		at += i
	}
}

// excluded returns whether the levels of a clause are possible at once in a phase.
func (c *clause) excluded(f *frames, level func(cell int32) rail) sat.Lit {
	both := sat.True
	for _, is := range c {
		r := level(is.cell)
		if !is.level {
			r = r.not()
		}
		both = f.And(both, r.hi)
	}
	return both
}

// weaken drops the clauses that a clock can violate.
func (v *invariant) weaken(o *order) {
	f := newProver(nil, o, &invariant{constants: v.constants, reached: v.reached}).f
	for range invariantRounds {
		if len(v.clauses) == 0 {
			return
		}
		leaves, parts, all := sat.False, make([]sat.Lit, len(v.clauses)), make([]sat.Lit, 0, len(v.clauses)+1)
		for i := range v.clauses {
			c := &v.clauses[i]
			all = append(all, c.excluded(f, func(k int32) rail { return f.free.good[k] }).Not())
			parts[i] = sat.False
			for p := held; p <= clocked; p++ {
				out := func(k int32) rail { return f.good[p][o.design.Circuit.Cells[k].Out] }
				parts[i] = f.Or(parts[i], c.excluded(f, out))
			}
			leaves = f.Or(leaves, parts[i])
		}
		answer := f.Solve(invariantConflicts, append(all, leaves)...)
		if answer == sat.Impossible {
			return
		}
		var left []clause
		for i := range v.clauses {
			if answer == sat.Possible && !f.Level(parts[i]) {
				left = append(left, v.clauses[i])
			}
		}
		if len(left) == len(v.clauses) {
			left = nil
		}
		v.clauses = left
	}
	v.clauses = nil
}

// constants returns the cells with state that never leaves its level, of those that have had one level only.
func constants(o *order, r *reached) map[int32]bool {
	for all := r.constant(); len(all) > 0; {
		f := newProver(nil, o, &invariant{constants: all, reached: r}).f
		leaves, parts := sat.False, map[int32]sat.Lit{}
		for _, k := range r.cells {
			level, is := all[k]
			if !is {
				continue
			}
			out := f.good[clocked][o.design.Circuit.Cells[k].Out]
			if level {
				out = out.not()
			}
			parts[k] = out.hi
			leaves = f.Or(leaves, parts[k])
		}
		switch f.Solve(invariantConflicts, leaves) {
		case sat.Impossible:
			return all
		case sat.Unknown:
			return nil
		}
		before := len(all)
		for k, is := range parts {
			if f.Level(is) {
				delete(all, k)
			}
		}
		if len(all) == before {
			return nil
		}
	}
	return nil
}
