package stuckat

import (
	"context"

	"utfbench/netlist"
)

// A Showing is in which vectors a class of faults is seen, from each power-up: bit v%64 of word v/64 is of vector v.
type Showing [powerUps][]uint64

// Shows says whether a vector shows the fault from a power-up, 0 or 1.
func (s *Showing) Shows(powerUp, vector int) bool { return s[powerUp][vector/64]>>(vector%64)&1 != 0 }

// Matrix says of each class in which of all vectors it is seen. That takes longer than Simulate, by far: it is for a
// few thousand vectors. The error is an *Other, or ctx's.
func Matrix(ctx context.Context, n *netlist.Netlist, classes []Class, vectors []Vector) ([]Showing, error) {
	all := make([]Showing, len(classes))
	for i := range all {
		for p := range all[i] {
			all[i][p] = make([]uint64, len(vectors)/64+1)
		}
	}
	simulators := newSimulators(n)
	for from := 0; from < len(vectors); {
		w, err := newWindow(ctx, n, vectors, from)
		if err != nil {
			return nil, err
		}
		apart := w.apart()
		each(len(classes), simulators, func(s *simulator, i int) {
			if ctx.Err() == nil {
				s.showing(w, &classes[i][0], apart, &all[i])
			}
		})
		from += len(w.vectors)
	}
	return all, ctx.Err()
}

// showing has each vector of a window as a goal of its own.
func (s *simulator) showing(w *window, f *Fault, apart *frames, into *Showing) {
	places := make([][powerUps]Place, len(w.vectors))
	var goals []*goal
	for v := range w.vectors {
		alone := new(frames)
		for p := range powerUp(powerUps) {
			places[v][p] = Nowhere
			goals = append(goals, &goal{p: p, vectors: []int{v}, frames: alone, twins: alone, found: &places[v][p]})
		}
	}
	s.find(w, f, goals, apart)
	for v := range places {
		for p, at := range places[v] {
			if at != Nowhere {
				into[p][(w.from+v)/64] |= 1 << ((w.from + v) % 64)
			}
		}
	}
}
