package fault

import "slices"

// Forks reports whether the chip can be copied.
func (w *Wires) Forks() bool {
	_, can := w.chip.(Forker)
	return can
}

// Fork returns a copy of the chip behind the same wires, in the same state; see Forks. With random faults call Decide
// on both, since a fork has the same random sequence.
func (w *Wires) Fork() *Wires {
	f := *w
	f.chip, f.chances = w.chip.(Forker).Fork(), slices.Clone(w.chances)
	f.delays, f.events, f.sampled = slices.Clone(w.delays), slices.Clone(w.events), nil
	if w.flops != nil {
		f.flops = f.chip.(Registers)
	}
	f.async, _ = f.chip.(Settler)
	return &f
}

// Decide replaces randomness: from here on each random fault acts in every step, or never. An open:random line is high
// when it acts.
func (w *Wires) Decide(acts bool) {
	for i := range w.chances {
		c := &w.chances[i]
		if c.p = 0; acts {
			c.p = 1
		}
	}
}

// Same reports whether a fork will behave like these wires and their chip from here on.
func (w *Wires) Same(f *Wires) bool {
	return w.clkHigh == f.clkHigh && w.keptBench.within(w.keep) == f.keptBench.within(w.keep) &&
		w.keptOwn.within(w.keep) == f.keptOwn.within(w.keep) &&
		w.before.within(w.late) == f.before.within(w.late) && w.chip.(Forker).Same(f.chip)
}
