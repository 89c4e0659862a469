package wiring

import (
	"errors"
	"math/bits"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// shownByChip returns the part of a sample that only the chip drives.
func (e *exam) shownByChip(s transport.Step, got transport.Sample) transport.Sample {
	drives := e.tile.Drives(s)
	got.IO, got.IOX = got.IO&drives, got.IOX&drives
	return got
}

// holdsAlways reports whether see is true for every step of every execution. It calls begin before each execution,
// since pulls differ.
func (e *exam) holdsAlways(begin func(), see func(s transport.Step, got transport.Sample) bool) bool {
	for _, p := range e.executions {
		begin()
		for i, s := range p.Steps {
			if !see(s, e.shownByChip(s, p.Got[i])) {
				return false
			}
		}
	}
	return true
}

// unknown reports whether uo never shows a known level, as in a simulation.
func (e *exam) unknown() bool {
	return e.holdsAlways(func() {}, func(_ transport.Step, got transport.Sample) bool { return got.OutX == 0xFF })
}

// silent reports whether uo never changes, and has one level, as without power. A chip shows its state, even in reset.
func (e *exam) silent() bool {
	var first *transport.Sample
	return e.holdsAlways(func() { first = nil }, func(_ transport.Step, got transport.Sample) bool {
		if first == nil {
			first = &got
		}
		return got.Out == first.Out && got.OutX == first.OutX && (got.Out == 0 || got.Out|got.OutX == 0xFF)
	})
}

// frozen reports whether equal ui levels always give equal samples, although the state of a good chip would show.
func (e *exam) frozen() (bool, error) {
	var before map[uint8]transport.Sample
	equal := e.holdsAlways(func() { before = map[uint8]transport.Sample{} },
		func(s transport.Step, got transport.Sample) bool {
			old, ok := before[s.In]
			before[s.In] = got
			return !ok || old == got
		})
	if !equal {
		return false, nil
	}
	return e.stateful()
}

// stateful reports whether a good chip's state shows in these steps: whether two lines at least have different levels
// where all inputs are equal. A fault inside the chip can hide the state from one.
func (e *exam) stateful() (bool, error) {
	type inputs struct {
		ui, uio, drive uint8
		reset          bool
	}
	var differ transport.Outputs
	for _, p := range e.executions {
		want := make([]transport.Sample, len(p.Steps))
		if err := tile.Expect(e.tile, p.Steps, want); err != nil {
			return false, err
		}
		before := map[inputs]transport.Sample{}
		for i, s := range p.Steps {
			levels, now := inputs{s.In, s.IO & s.Drive, s.Drive, s.Reset}, e.shownByChip(s, want[i])
			if old, ok := before[levels]; ok {
				differ |= (old.Levels() ^ now.Levels()) &^ (old.Unknown() | now.Unknown())
			}
			before[levels] = now
		}
	}
	return differ.Count() > 1, nil
}

// enoughResets is the number of resets that have to set an output to show that rst_n reaches the chip, which may also
// get to the right level by itself.
const enoughResets = 8

// unreset reports whether resets with the same inputs end in different states, where a good chip's uo is the same. A
// difference on a single output shows no state, since that line may be noisy, nor does any if another output is always
// reset.
func (e *exam) unreset() (bool, error) {
	var differ, wrong uint8
	var reset [8]int // resets that set the output
	for k, p := range e.executions {
		want := make([]transport.Sample, len(p.Steps))
		if err := tile.Expect(e.tile, p.Steps, want); err != nil {
			return false, err
		}
		first := map[[2]uint8]uint8{}
		for i, s := range p.Steps {
			if !s.Reset || want[i].OutX != 0 {
				continue
			}
			key := [2]uint8{s.In, want[i].Out}
			resets, err := e.resets(s)
			if err != nil {
				return false, err
			}
			if old, ok := first[key]; ok {
				differ |= (old ^ p.Got[i].Out) & resets
			}
			first[key] = p.Got[i].Out
			wrong |= p.Got[i].Out ^ want[i].Out
			if k > 0 { // with another pull the chip may get to the same levels
				continue
			}
			lines, err := e.setBy(p.Steps[:i+1], want[i].Out)
			if err != nil {
				return false, err
			}
			for line := range reset {
				reset[line] += int(lines >> line & 1)
			}
		}
	}
	for line, n := range reset {
		if n >= enoughResets && wrong>>line&1 == 0 {
			return false, nil
		}
	}
	return bits.OnesCount8(differ) > 1, nil
}

// resets returns the lines of uo that a step with a reset sets in any state, and without one leaves to the state.
func (e *exam) resets(s transport.Step) (uint8, error) {
	set, left := make([]transport.Sample, 1), make([]transport.Sample, 1)
	err := tile.Expect(e.tile, []transport.Step{s}, set)
	s.Reset = false
	err = errors.Join(err, tile.Expect(e.tile, []transport.Step{s}, left))
	return left[0].OutX &^ set[0].OutX, err
}

// setBy returns the lines of uo that would have another level than out if the last step were no reset.
func (e *exam) setBy(steps []transport.Step, out uint8) (uint8, error) {
	steps = slices.Clone(steps)
	last := len(steps) - 1
	steps[last].Reset = false
	want := make([]transport.Sample, len(steps))
	err := tile.Expect(e.tile, steps, want)
	return (want[last].Out ^ out) &^ want[last].OutX, err
}
