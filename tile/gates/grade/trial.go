package grade

import (
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A trial is a machine in which the net of each lane can be inverted for a moment.
type trial struct {
	chip, on, rest *gates.Chip // with no net inverted, with all, and after the inversion
	same           Rig         // to compare chips

	// The lanes whose net explains a vector if inverted before the last clock of a step, that many steps before the
	// first difference; after that step; or both.
	before      [mostSteps]uint64
	after, both uint64
}

func (l *List) trial(faults []Fault) (*trial, error) {
	on, forces, err := l.inject(faults)
	if err != nil {
		return nil, err
	}
	off := make([]sim.Force, len(forces))
	for i, f := range forces {
		off[i] = sim.Force{In: f.In, Out: f.Out}
	}
	right, err := l.Design.Forced(on.Circuit, off)
	if err != nil {
		return nil, err
	}
	return &trial{chip: right.NewChip(nil), on: on.NewChip(nil), rest: right.NewChip(nil),
		same: Rig{Faults: lanes, Groups: 1}}, nil
}

// vector inverts the nets at the moments of a vector.
func (t *trial) vector(v *Vector, got []transport.Sample, first int) {
	t.before, t.after, t.both = [mostSteps]uint64{}, 0, 0
	t.chip.Reset()
	for at := range first + 1 {
		step, back := v.Steps[at], first-at
		if back < mostSteps && step.Clocks > 0 {
			step.Clocks--
			t.chip.Apply(&step)
			step.Clocks = 1
			t.clock(v, got, at, back)
		}
		t.chip.Apply(&step)
	}
	t.on.Adopt(t.chip)
	t.after = t.equal(t.on, v, got, first)
}

// clock inverts the nets at the last clock of a step.
func (t *trial) clock(v *Vector, got []transport.Sample, at, back int) {
	step := v.Steps[at]
	step.Clocks = 1
	t.on.Adopt(t.chip)
	if t.on.Apply(&step); back == 0 {
		t.both = t.equal(t.on, v, got, at)
	}
	t.rest.Adopt(t.on)
	same := t.equal(t.rest, v, got, at)
	for next := at + 1; next <= at+back && same != 0; next++ {
		t.rest.Apply(&v.Steps[next])
		same &= t.equal(t.rest, v, got, next)
	}
	t.before[back] = same
}

// equal returns the lanes that certainly match the chip's sample, in levels known to the reference.
func (t *trial) equal(chip *gates.Chip, v *Vector, got []transport.Sample, at int) uint64 {
	want := Expect(&v.Steps[at], &got[at])
	want.Mask &^= v.Want[at].Unknown()
	t.same.chip = chip
	wrong, unclear := t.same.Differ([]Look{want})
	return ^(wrong | unclear)
}
