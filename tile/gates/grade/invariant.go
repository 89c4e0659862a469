package grade

import (
	"slices"

	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
)

// An invariant is a set of states that no input leaves. A chip that powers up in it stays in it, so a fault that shows
// in no other state is not sure to show.
type invariant struct {
	constants map[int32]bool // cells with state that have one level only
	clauses   []clause
	*reached
}

// A clause excludes that a cell with state has a level, or that two flip-flops have these levels at once.
type clause []struct {
	cell  int32
	level bool
}

// Limits of the search for an invariant.
const (
	invariantConflicts = 2000    // of each question
	invariantClauses   = 10_000  // in all questions until it is given up
	pairClauses        = 400_000 // the same with pairs of levels
)

// invariantOf returns the largest invariant among the clauses that all states in which vectors were seen satisfy.
func invariantOf(o *order, r *reached) *invariant {
	v := &invariant{reached: r, constants: map[int32]bool{}}
	v.propose(o)
	v.weaken(o)
	v.clauses = slices.DeleteFunc(v.clauses, func(c clause) bool {
		if len(c) == 1 {
			v.constants[c[0].cell] = !c[0].level
		}
		return len(c) == 1
	})
	if p := newProver(nil, o, v); p.f.Solve(invariantConflicts, p.holds) != sat.Possible { // no state is in it
		v.clauses = nil
	}
	return v
}

// propose collects the levels, and pairs of levels, that no state had.
func (v *invariant) propose(o *order) {
	for i, is := range v.known {
		if (is.Hi == 0) != (is.Lo == 0) {
			v.clauses = append(v.clauses, clause{{v.cells[i], is.Hi == 0}})
		}
	}
	varies := func(i int) bool {
		return v.known[i].Hi != 0 && v.known[i].Lo != 0 && o.design.Circuit.Cells[v.cells[i]].Kind == sim.Flop
	}
	for i, at := 0, 0; i < len(v.cells) && v.pairs != nil; i++ {
		for k := range i {
			for levels, had := range v.pairs[at+k] {
				if !had && varies(i) && varies(k) {
					v.clauses = append(v.clauses, clause{{v.cells[i], levels&2 != 0}, {v.cells[k], levels&1 != 0}})
				}
			}
		}
		at += i
	}
}

// possible reports whether a state that a clause excludes is possible.
func (c clause) possible(f *frames, level func(cell int32) rail) sat.Lit {
	all := sat.True
	for _, is := range c {
		r := level(is.cell)
		if !is.level {
			r = r.not()
		}
		all = f.And(all, r.hi)
	}
	return all
}

// weaken drops the clauses that a clock can violate.
func (v *invariant) weaken(o *order) {
	f := newProver(nil, o, &invariant{reached: v.reached}).f
	most := invariantClauses
	if v.pairs != nil {
		most = pairClauses
	}
	for clauses := 0; clauses < most; clauses += len(v.clauses) {
		violated, leaves := make([]sat.Lit, len(v.clauses)), sat.False
		asked := make([]sat.Lit, 0, len(v.clauses)+1)
		for i, c := range v.clauses {
			asked = append(asked, c.possible(f, func(k int32) rail { return f.free.good[k] }).Not())
			violated[i] = sat.False
			for p := held; p <= clocked; p++ {
				now := c.possible(f, func(k int32) rail { return f.good[p][o.design.Circuit.Cells[k].Out] })
				violated[i] = f.Or(violated[i], now)
			}
			leaves = f.Or(leaves, violated[i])
		}
		answer := f.Solve(invariantConflicts, append(asked, leaves)...)
		if answer == sat.Impossible {
			return
		}
		var left []clause
		for i, c := range v.clauses {
			if answer == sat.Possible && !f.Level(violated[i]) {
				left = append(left, c)
			}
		}
		if len(left) == len(v.clauses) {
			break
		}
		v.clauses = left
	}
	v.clauses = nil
}
