package stuckat

import (
	"context"
	"math/rand/v2"

	"utfbench/netlist"
)

// framesByChance is how many random frames each fault is tried on, enough to leave few faults for a solver.
const framesByChance = 128 * lanes

// bitsByChance returns 64 random bits of which half are set, or few, or most: uniform bits rarely satisfy comparisons.
func bitsByChance(r *rand.Rand, i int) uint64 {
	bits := r.Uint64()
	for range i / 2 % 5 {
		bits &= r.Uint64()
	}
	if i%2 == 1 {
		bits = ^bits
	}
	return bits
}

// ActByChance reports which classes act in random frames, always the same: any state, reachable or not, any inputs, and
// all lines compared. The error is ctx's.
func ActByChance(ctx context.Context, n *netlist.Netlist, classes []Class) ([]bool, error) {
	w := &window{n: n, words: max(1, (len(n.Flops)+63)/64)}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range framesByChance {
		inputs := r.Uint64() & frameBits[clock]
		w.packed[clock] = append(w.packed[clock], inputs)
		w.packed[look] = append(w.packed[look], inputs|0xFFFF<<atKnown)
		for range w.words {
			state := bitsByChance(r, i)
			for k := range w.states {
				w.states[k] = append(w.states[k], state)
			}
		}
	}
	w.levels(newMachine(n))
	var all frames
	for k := range all {
		for block := range len(w.packed[k]) / lanes {
			all[k] = append(all[k], w.filled(role(k), block))
		}
	}
	act := make([]bool, len(classes))
	each(len(classes), newSimulators(n), func(s *simulator, i int) {
		if ctx.Err() == nil {
			s.events.of(w, &classes[i][0])
			act[i] = s.events.actsIn(&all)
		}
	})
	return act, ctx.Err()
}
