package stuckat

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"utfbench/netlist"
	"utfbench/transport"
)

// Agree says of each class in how many vectors the fault is seen first at the step at which a chip differed first:
// first has that step for each vector, negative where the chip never differed. It counts from the power-up that agrees
// better. The error is an *Other, or ctx's.
func Agree(ctx context.Context, n *netlist.Netlist, classes []Class, vectors []Vector, first []int) ([]int, error) {
	agree := make([][powerUps]int, len(classes))
	err := everywhere(ctx, n, classes, vectors, func(class, vector int, at [powerUps]Place) {
		for p := range at {
			if int(at[p].Step) == max(first[vector], none) {
				agree[class][p]++
			}
		}
	})
	best := make([]int, len(classes))
	for i, a := range agree {
		best[i] = max(a[0], a[1])
	}
	return best, err
}

// An Account compares a fault with a chip's samples, in known bits: wrong bits that the fault shows too (Explained),
// wrong bits that it does not show (Missed), and right bits that it gets wrong (Unseen).
type Account struct{ Explained, Missed, Unseen int }

// Wrong returns the number of wrongly predicted bits.
func (a Account) Wrong() int { return a.Missed + a.Unseen }

// Explain compares each class with a chip's samples in all steps of the vectors, from the power-up that fits better.
// got is indexed as vectors, and may be shorter where samples are missing. The error is an *Other, or ctx's.
func Explain(ctx context.Context, n *netlist.Netlist, classes []Class, vectors []Vector,
	got [][]transport.Sample) ([]Account, error) {
	all := make([][powerUps]Account, len(classes))
	simulators := newSimulators(n)
	for from := 0; from < len(vectors); {
		w, err := newWindow(ctx, n, vectors, from)
		if err != nil {
			return nil, err
		}
		e := &explainer{got: got[from:], wrong: make([]int, len(w.vectors))}
		for v := range w.vectors {
			e.wrong[v] = wrongBits(&w.vectors[v], e.got[v])
		}
		each(len(classes), simulators, func(s *simulator, i int) {
			for p := range powerUp(powerUps) {
				if ctx.Err() == nil {
					s.explain(w, &classes[i][0], p, e, &all[i][p])
				}
			}
		})
		from += len(w.vectors)
	}
	best := make([]Account, len(classes))
	for i, a := range all {
		best[i] = a[0]
		if a[1].Wrong() < a[0].Wrong() {
			best[i] = a[1]
		}
	}
	return best, ctx.Err()
}

// An explainer holds a chip's samples in the vectors of a window.
type explainer struct {
	got   [][]transport.Sample
	wrong []int // bits, by vector
}

// wrongBits counts the known bits of a vector that a chip showed otherwise.
func wrongBits(v *Vector, got []transport.Sample) (n int) {
	for i := range min(len(got), len(v.Steps)) {
		known, wrong := observed(v.Want[i], got[i])
		n += bits.OnesCount16(known & wrong)
	}
	return n
}

// observed says which lines are known both of a right chip and of this one, and on which it was wrong.
func observed(want, got transport.Sample) (known, wrong uint16) {
	known = ^(uint16(want.IOX|got.IOX)<<8 | uint16(want.OutX|got.OutX))
	return known, (uint16(want.IO^got.IO)<<8 | uint16(want.Out^got.Out)) & known
}

// explain simulates a fault in all vectors in which it acts, to their ends.
func (s *simulator) explain(w *window, f *Fault, p powerUp, e *explainer, into *Account) {
	s.w = w
	s.events.of(w, f)
	s.m.put(f)
	defer s.m.remove(f)
	g := &goal{p: p, found: &Place{none, none}}
	var acting []candidate
	for v := range w.vectors {
		at, _ := s.events.next(w.traces[p][v], 0)
		if at == none {
			into.Missed += e.wrong[v]
			continue
		}
		acting = append(acting, candidate{g, v, at})
	}
	slices.SortStableFunc(acting, func(a, b candidate) int { // those in one batch should end together
		return cmp.Compare(len(w.traces[p][a.vector])-a.at, len(w.traces[p][b.vector])-b.at)
	})
	for batch := range slices.Chunk(acting, lanes) {
		s.candidates = batch
		s.account(e, into)
	}
	s.candidates = nil
}

// account simulates candidates side by side to their ends.
func (s *simulator) account(e *explainer, into *Account) {
	var live word
	for lane, c := range s.candidates {
		s.runs[lane].candidate = c
		s.enter(lane, c.at)
		live.set(lane)
		for i := range s.runs[lane].step { // before the fault acts nothing is wrong
			if v := c.vector; i < len(e.got[v]) {
				_, wrong := observed(s.w.vectors[v].Want[i], e.got[v][i])
				into.Missed += bits.OnesCount16(wrong)
			}
		}
	}
	var answers [lanes]uint64
	for live.any() {
		for k, x := range live {
			for ; x != 0; x &= x - 1 {
				lane := 64*k + bits.TrailingZeros64(x)
				answers[lane] = e.answer(s.w, &s.runs[lane])
			}
		}
		looks := s.tick(&live)
		for k := range looks {
			looks[k] &= live[k]
		}
		s.m.compare(&answers, &looks, into)
		s.advance(&live)
	}
}

// answer returns the chip's sample at a lane's step: which lines are known, and which were wrong.
func (e *explainer) answer(w *window, r *run) uint64 {
	got := e.got[r.vector]
	if r.step >= len(got) {
		return 0
	}
	known, wrong := observed(w.vectors[r.vector].Want[r.step], got[r.step])
	return uint64(known) | uint64(wrong)<<16
}

// compare compares the lanes in mask with a good chip, and the difference with the chip's samples.
func (m *machine) compare(answers *[lanes]uint64, mask *word, into *Account) {
	var known, wrong [16]word
	var t [64]uint64
	for k := range words {
		copy(t[:], answers[64*k:])
		transpose(&t)
		for i := range known {
			known[i][k], wrong[i][k] = t[i], t[16+i]
		}
	}
	for i, net := range m.n.Out {
		w, want := m.read(net), &m.inputs[atWant+i]
		for k := range w {
			shows := (w[k] ^ want[k]) & known[i][k] & mask[k]
			was := wrong[i][k] & mask[k]
			into.Explained += bits.OnesCount64(shows & was)
			into.Missed += bits.OnesCount64(was &^ shows)
			into.Unseen += bits.OnesCount64(shows &^ was)
		}
	}
}
