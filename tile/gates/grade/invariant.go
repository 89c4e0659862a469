package grade

import (
	"utfbench/tile/gates/grade/sat"
)

// An invariant is a set of states that no input leaves. A chip that powers up in it stays in it, so a fault that shows
// in no other state is not sure to show.
type invariant struct {
	constants map[int32]bool // cells with state that keep one level
	*reached
}

// Limits of the search for an invariant.
const (
	invariantEffort = 2_000_000 // of each question
	invariantLevels = 10_000    // in all questions until it is given up
)

// invariantOf returns the largest invariant among the levels that cells with state had in all vectors, and the work.
func invariantOf(o *order, r *reached) (v *invariant, work int) {
	v = &invariant{reached: r, constants: map[int32]bool{}}
	for i, is := range r.known {
		if (is.Hi == 0) != (is.Lo == 0) {
			v.constants[r.cells[i]] = is.Hi != 0
		}
	}
	return v, v.weaken(o)
}

// weaken drops the levels that a clock can change, and returns the work.
func (v *invariant) weaken(o *order) int {
	f := newProver(nil, o, &invariant{reached: v.reached}).f
	for asked := 0; asked < invariantLevels; asked += len(v.constants) {
		changed, any, all := map[int32]sat.Lit{}, sat.False, []sat.Lit(nil)
		for _, k := range v.cells {
			level, constant := v.constants[k]
			if !constant {
				continue
			}
			now := f.free.good[k].other(level)
			all, now = append(all, now.Not()), sat.False
			for p := held; p <= clocked; p++ {
				now = f.Or(now, f.good[p][o.design.Circuit.Cells[k].Out].other(level))
			}
			changed[k], any = now, f.Or(any, now)
		}
		answer := f.Solve(invariantEffort, append(all, any)...)
		if answer == sat.Impossible {
			return f.work()
		}
		before := len(v.constants)
		for k, now := range changed {
			if answer == sat.Unknown || f.Level(now) {
				delete(v.constants, k)
			}
		}
		if len(v.constants) == before { // a simplified question does not depend on all of them
			break
		}
	}
	clear(v.constants)
	return f.work()
}

// other returns the literal that is true if the net may have the opposite level.
func (r rail) other(level bool) sat.Lit {
	if level {
		return r.lo
	}
	return r.hi
}
