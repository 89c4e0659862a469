package fault

import "slices"

// Fork is a second chip behind the same wires, in the state that this one is in. Faults that act by chance need Decide
// in both, since a fork rolls the same dice.
func (w *Wires) Fork() *Wires {
	f := *w
	f.chip, f.chances = w.chip.Fork(), slices.Clone(w.chances)
	if w.flops != nil {
		f.flops = f.chip.(Registers)
	}
	return &f
}

// Decide takes chance out of the faults: from here on each that acts by chance does act at every step, or does not. An
// open:random line is high when it acts and low when it does not.
func (w *Wires) Decide(acts bool) {
	for i := range w.chances {
		c := &w.chances[i]
		if c.p = 0; acts {
			c.p = 1
		}
	}
}

// Same says whether a fork is in a state from which it does the same as this one.
func (w *Wires) Same(f *Wires) bool {
	return w.clkHigh == f.clkHigh && w.keptBench.within(w.keep) == f.keptBench.within(w.keep) &&
		w.keptOwn.within(w.keep) == f.keptOwn.within(w.keep) &&
		w.before.within(w.late) == f.before.within(w.late) && w.chip.Same(f.chip)
}
