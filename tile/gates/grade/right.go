package grade

import (
	"fmt"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A Vector holds steps from an unknown state on, and the compared bits: Want's known levels where the bench is silent.
type Vector struct {
	Name  string
	Steps []transport.Step
	Want  []transport.Sample
}

// lanes is the number of vectors in a machine.
const lanes = 64

// An Expectation holds the expected levels of uo (bits 0 to 7) and uio after a step, and a mask of the compared lines.
type Expectation struct{ Level, Mask transport.Outputs }

// Expect returns the expectation of a sample after a step: its known levels, on lines not driven by the bench.
func Expect(s *transport.Step, want *transport.Sample) Expectation {
	return Expectation{want.Levels(), ^(want.Unknown() | transport.Outputs(s.Drive)<<8)}
}

// right holds the results of running all vectors on the good chip.
type right struct {
	looks  [][]Expectation // by vector
	may    []bool          // by class: whether the fault's net may have the opposite of the stuck level in some vector
	active []bool          // by class: whether the net certainly has it

	work     int
	mismatch *Mismatch
}

// A Mismatch is a step at which the good chip certainly differs from the expectation: the gates are another design's.
type Mismatch struct {
	Vector    string
	Step      int // from 0
	Got, Want transport.Sample
}

func (e *Mismatch) Error() string {
	return fmt.Sprintf("%s, step %d: the netlist shows %s, and a good chip %s: it is the netlist of another design "+
		"or revision", e.Vector, e.Step+1, levels(e.Got), levels(e.Want))
}

func levels(s transport.Sample) string {
	return "uo " + tile.Binary(s.Out, s.OutX) + " uio " + tile.Binary(s.IO, s.IOX)
}

// watchRight runs all vectors on the good chip, or as many of their steps as the budget allows; 0 is unlimited.
func watchRight(l *gates.FaultList, vectors []Vector, budget int) *right {
	r := &right{looks: make([][]Expectation, len(vectors)), may: make([]bool, len(l.Classes)),
		active: make([]bool, len(l.Classes))}
	chip := l.Design.NewChip(nil)
	for first := 0; first < len(vectors); first += lanes {
		group := vectors[first:min(first+lanes, len(vectors))]
		chip.Reset()
		chip.Step(begin(group)) // before this, inputs are unknown, so that any fault might be active
		seen := chip.Watch()
		r.run(chip, group, r.looks[first:], budget)
		used := ^uint64(0) >> (lanes - len(group))
		for i := range l.Classes {
			f := l.Classes[i].Faults[0]
			may, is := seen.PossibleLevels(l.Sites[f.Site].Net), seen.KnownLevels(l.Sites[f.Site].Net)
			if f.Level {
				may.Hi, is.Hi = may.Lo, is.Lo
			}
			r.may[i] = r.may[i] || may.Hi&used != 0
			r.active[i] = r.active[i] || is.Hi&used != 0
		}
	}
	r.work = chip.Work()
	return r
}

// begin returns a frame with the inputs of the vectors' first steps, without clocks.
func begin(group []Vector) *gates.Frame {
	var f gates.Frame
	for lane, v := range group {
		if len(v.Steps) > 0 {
			s := v.Steps[0]
			s.Clocks = 0
			f.SetLane(lane, &s)
		}
	}
	return &f
}

// run runs up to 64 vectors side by side on a chip, until its work exceeds the budget.
func (r *right) run(chip *gates.Chip, group []Vector, looks [][]Expectation, budget int) {
	longest := 0
	for i := range group {
		looks[i] = make([]Expectation, 0, len(group[i].Steps))
		longest = max(longest, len(group[i].Steps))
	}
	var f gates.Frame
	f.Pulses = make([]uint64, 0, 255)
	for step := range longest {
		f.Pulses = f.Pulses[:0]
		for lane := range group {
			if v := &group[lane]; step < len(v.Steps) {
				f.SetLane(lane, &v.Steps[step])
			}
		}
		if chip.Step(&f); budget > 0 && chip.Work() > budget {
			return
		}
		r.see(chip, group, looks, step)
	}
}

// see records the expectations of unfinished vectors after a step: the good chip's levels that are known and compared.
func (r *right) see(chip *gates.Chip, group []Vector, looks [][]Expectation, step int) {
	var show [16]sim.Set
	for i := range show {
		show[i] = output(chip, i)
	}
	for lane := range group {
		v := &group[lane]
		if step >= len(v.Steps) {
			continue
		}
		want := &v.Want[step]
		k := Expect(&v.Steps[step], want)
		for i, s := range show {
			bit := transport.Outputs(1) << i
			is := k.Level & bit
			hi, lo := s.Hi>>lane&1 != 0, s.Lo>>lane&1 != 0
			if k.Mask&bit != 0 && hi != lo && hi != (is != 0) && r.mismatch == nil {
				r.mismatch = &Mismatch{v.Name, step, chip.Sample(lane), *want}
			}
			if hi == lo || hi != (is != 0) {
				k.Mask &^= bit
			}
		}
		looks[lane] = append(looks[lane], k)
	}
}

// output returns the level of a line of uo (0 to 7) or uio, unknown if bench and chip may both drive it.
func output(chip *gates.Chip, i int) sim.Set {
	if i < 8 {
		return chip.OutputLevel(i)
	}
	return chip.UIOLevel(i - 8).WithUnknown(chip.Contention[i-8])
}

// FindMismatch returns the first step at which the good chip contradicts the expected samples, or nil.
func FindMismatch(l *gates.FaultList, vectors []Vector) *Mismatch {
	return watchRight(l, vectors, 0).mismatch
}
