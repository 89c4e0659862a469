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

	looks  int
	stride int // steps between two looks
	rng    *rand.Rand
}

// mostLooks is the number of states of 64 vectors that are looked at.
const mostLooks = 400

func newReached(c *sim.Circuit) *reached {
	r := &reached{rng: rand.New(rand.NewPCG(1, 5))}
	for i := range c.Cells {
		if c.Cells[i].Kind.Holds() {
			r.cells, r.nets = append(r.cells, int32(i)), append(r.nets, c.Cells[i].Out)
		}
	}
	n := len(r.cells)
	r.known, r.some = make([]sim.Set, n), make([]sat.Sample, n)
	return r
}

// note records the states of some vectors of a chip.
func (r *reached) note(chip *gates.Chip) {
	word := r.looks % len(sat.Sample{})
	for i := range r.cells {
		s := chip.Level(r.nets[i])
		r.some[i][word] = s.Hi&^s.Lo | s.Hi&s.Lo&r.rng.Uint64()
	}
	r.looks++
}
