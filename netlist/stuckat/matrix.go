package stuckat

import (
	"context"

	"utfbench/netlist"
)

// A Showing is in which vectors a class of faults is seen, from each power-up: bit v%64 of word v/64 is of vector v.
type Showing [powerUps][]uint64

// Shows reports whether a vector shows the fault from a power-up, 0 or 1.
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
	err := everywhere(ctx, n, classes, vectors, func(class, vector int, at [powerUps]Place) {
		for p := range at {
			if at[p] != Nowhere {
				all[class][p][vector/64] |= 1 << (vector % 64)
			}
		}
	})
	return all, err
}

// everywhere looks for each class in each vector, and says where it is seen first there. It is called by one goroutine
// for a class.
func everywhere(ctx context.Context, n *netlist.Netlist, classes []Class, vectors []Vector,
	seen func(class, vector int, at [powerUps]Place)) error {
	simulators := newSimulators(n)
	for from := 0; from < len(vectors); {
		w, err := newWindow(ctx, n, vectors, from)
		if err != nil {
			return err
		}
		apart := w.apart()
		each(len(classes), simulators, func(s *simulator, i int) {
			if ctx.Err() != nil {
				return
			}
			for v, at := range s.places(w, &classes[i][0], apart) {
				seen(i, from+v, at)
			}
		})
		from += len(w.vectors)
	}
	return ctx.Err()
}

// places has each vector of a window as a goal of its own.
func (s *simulator) places(w *window, f *Fault, apart *frames) [][powerUps]Place {
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
	return places
}
