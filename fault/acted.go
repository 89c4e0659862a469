package fault

import (
	"slices"
	"sync/atomic"
)

// An Acted records the faults that have changed a level or missed an edge. Several Wires with the same faults may
// share one, in separate goroutines.
type Acted struct {
	faults []Fault
	seen   []atomic.Bool
}

// NewActed returns a record in which no fault has acted.
func NewActed(faults []Fault) *Acted { return &Acted{faults, make([]atomic.Bool, len(faults))} }

// Idle returns the faults that have not acted yet.
func (a *Acted) Idle() (faults []Fault) {
	for i, f := range a.faults {
		if !a.seen[i].Load() {
			faults = append(faults, f)
		}
	}
	return faults
}

// add records the faults for which acted is true.
func (a *Acted) add(acted func(Fault) bool) {
	for i, f := range a.faults {
		if acted(f) {
			a.seen[i].Store(true)
		}
	}
}

// actOn records the faults on some lines. A line has at most one fault: see Conflict.
func (w *Wires) actOn(lines uint32) {
	if w.Acted == nil || lines&^w.acted == 0 {
		return
	}
	w.acted |= lines
	w.Acted.add(func(f Fault) bool { return f.lines()&lines != 0 })
}

// note returns the levels with the faults and records the faults that changed them. An output that the reference does
// not know is not changed: it may have had the fault's level anyway.
func (w *Wires) note(without, with Levels) Levels {
	if with != without {
		w.actOn((without.V ^ with.V | without.X ^ with.X) &^ (without.X & MaskUO))
	}
	return with
}

// noteOwn records swapped lines that changed the chip's outputs.
func (w *Wires) noteOwn(own Levels, drive uint32, swapped Levels, swappedDrive uint32) {
	w.note(own.within(drive), swapped.within(swappedDrive))
	w.actOn(drive ^ swappedDrive)
}

// stick forces the stuck register bits.
func (w *Wires) stick() {
	free := w.flops.Registers()
	held := free&^w.andNot | w.or
	if changed := (free ^ held) &^ w.stuckBits; changed != 0 && w.Acted != nil {
		w.stuckBits |= changed
		w.Acted.add(func(f Fault) bool {
			return f.Kind == Register && changed>>slices.Index(w.flops.Bits(), f.Bit)&1 != 0
		})
	}
	w.flops.SetRegisters(held)
}

// missesClock reports whether the chip is too slow for a clock pulse.
func (w *Wires) missesClock() bool {
	missed := w.missed(w.Pulse, w.slow)
	if missed && w.Acted != nil {
		w.Acted.add(func(f Fault) bool { return f.Kind == Slow })
	}
	return missed
}
