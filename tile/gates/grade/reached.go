package grade

import (
	"math/rand/v2"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
)

// A reached is what vectors show of the states of a good chip.
type reached struct {
	cells []int32      // with state
	nets  []sim.Net    // by cell: its output
	known []sim.Set    // by cell: the levels that some vector certainly gave it
	some  []sat.Sample // by cell: its levels in 256 of the states
	pairs [][4]bool    // of each two flip-flops: which levels both had at once, as 2*first+second; nil: not recorded

	looks  int
	stride int // steps between two looks
	rng    *rand.Rand
}

// Limits of invariants of two flip-flops.
const (
	mostPaired = 300 // flip-flops
	mostLooks  = 400 // states of 64 vectors that are compared
)

func newReached(c *sim.Circuit, paired bool) *reached {
	r := &reached{rng: rand.New(rand.NewPCG(1, 5))}
	for i := range c.Cells {
		if c.Cells[i].Kind.Holds() {
			r.cells, r.nets = append(r.cells, int32(i)), append(r.nets, c.Cells[i].Out)
		}
	}
	n := len(r.cells)
	r.known, r.some = make([]sim.Set, n), make([]sat.Sample, n)
	if paired && n <= mostPaired {
		r.pairs = make([][4]bool, n*(n-1)/2)
	}
	return r
}

// note records the states of some vectors of a chip.
func (r *reached) note(chip *gates.Chip, used uint64) {
	now := make([]sim.Set, len(r.cells))
	word := r.looks % len(sat.Sample{})
	for i := range r.cells {
		s := chip.Level(r.nets[i])
		now[i] = sim.Set{Hi: s.Hi &^ s.Lo & used, Lo: s.Lo &^ s.Hi & used}
		r.some[i][word] = s.Hi&^s.Lo | s.Hi&s.Lo&r.rng.Uint64()
	}
	if r.looks++; r.looks > mostLooks {
		return
	}
	for i, at := 0, 0; i < len(now) && r.pairs != nil; i++ {
		for k := range i {
			p := &r.pairs[at+k]
			p[0] = p[0] || now[i].Lo&now[k].Lo != 0
			p[1] = p[1] || now[i].Lo&now[k].Hi != 0
			p[2] = p[2] || now[i].Hi&now[k].Lo != 0
			p[3] = p[3] || now[i].Hi&now[k].Hi != 0
		}
		at += i
	}
}
