package fault

import "slices"

// Forks says whether there can be a second chip in the same state.
func (w *Wires) Forks() bool {
	_, can := w.chip.(Forker)
	return can
}

// Fork is a second chip behind the same wires, in the state that this one is in: see Forks. If faults act by chance,
// call Decide on both, since a fork has the same sequence of random numbers.
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

// Decide takes chance out of the faults: from here on each fault that acts by chance acts at every step, or never. An
// open:random line is high when it acts and low when it does not.
func (w *Wires) Decide(acts bool) {
	for i := range w.chances {
		c := &w.chances[i]
		if c.p = 0; acts {
			c.p = 1
		}
	}
}

// Same says whether a fork will behave the same as this chip from here on.
func (w *Wires) Same(f *Wires) bool {
	return w.clkHigh == f.clkHigh && w.keptBench.within(w.keep) == f.keptBench.within(w.keep) &&
		w.keptOwn.within(w.keep) == f.keptOwn.within(w.keep) &&
		w.before.within(w.late) == f.before.within(w.late) && w.chip.(Forker).Same(f.chip)
}
