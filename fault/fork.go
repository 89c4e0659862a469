package fault

import "slices"

// Fork is a second chip behind the same wires, in the state that this one is in. Faults that act by chance need Decide in both,
// since a fork rolls the same dice.
func (w *Wires) Fork() *Wires {
	f := *w
	f.chip, f.chances = w.chip.Fork(), slices.Clone(w.chances)
	if w.flops != nil {
		f.flops = f.chip.(Registers)
	}
	f.async, _ = f.chip.(Settler)
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
	return w.clkHigh == f.clkHigh && w.keptBench.only(w.keep) == f.keptBench.only(w.keep) && w.keptOwn.only(w.keep) == f.keptOwn.only(w.keep) &&
		w.before.only(w.late) == f.before.only(w.late) && w.chip.Same(f.chip)
}
