package mock

import (
	"slices"

	"utfbench/model"
)

// Fork is a second chip behind the same wires, in the state that this one is in. Faults that act by chance need Decide in
// both, since a fork rolls the same dice.
func (t *Transport) Fork() *Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	chip := *t.chip
	f := &Transport{name: t.name, chip: &chip, last: t.last}
	if t.wires != nil {
		wires := *t.wires
		wires.chip, wires.chances = &chip, slices.Clone(wires.chances)
		f.wires = &wires
	}
	return f
}

// Decide takes chance out of the faults: from here on each that acts by chance does act at every step, or does not. An
// open:random line is high when it acts and low when it does not.
func (t *Transport) Decide(acts bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires == nil {
		return
	}
	for i := range t.wires.chances {
		c := &t.wires.chances[i]
		if c.p = 0; acts {
			c.p = 1
		}
	}
}

// A State is all that decides what a chip and its wires do next. Two that are equal will do the same.
type State struct {
	chip               model.Chip
	clkHigh            bool
	keptBench, keptOwn level
	before             level
}

// State is what it is in now.
func (t *Transport) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires == nil {
		return State{chip: *t.chip}
	}
	w := t.wires
	return State{*t.chip, w.clkHigh, w.keptBench.only(w.keep), w.keptOwn.only(w.keep), w.before.only(w.late)}
}

// Registers are those of the chip; they mean nothing while it does not know them.
func (s State) Registers() model.Registers { return s.chip.Registers() }
