package grade

import (
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A FaultMachine simulates up to 64 faults, each in its own chip. With 32 faults or fewer it has several groups of
// chips, which run one vector each, side by side: fault i is in lane i of each group.
type FaultMachine struct {
	Faults, Groups int

	chip  *gates.Chip
	fresh *gates.Chip // after a power-up with known state; nil if it is unknown
	same  gates.Frame // for one vector
	frame gates.Frame // for several vectors
}

// NewFaultMachine returns a machine for 1 to 64 faults.
func NewFaultMachine(l *gates.FaultList, faults []gates.StuckAt) (*FaultMachine, error) {
	d, err := l.Inject(faults)
	if err != nil {
		return nil, err
	}
	r := &FaultMachine{Faults: len(faults), Groups: lanes / len(faults), chip: d.NewChip(nil)}
	r.frame.Pulses = make([]uint64, 0, 255)
	return r, nil
}

// PowerUp powers up each faulty chip with known state: all 1 for the faults in ones, all 0 for the others.
func (r *FaultMachine) PowerUp(ones uint64) {
	levels := uint64(0)
	for g := range r.Groups {
		levels |= ones & r.all() << (g * r.Faults)
	}
	r.chip.Reset()
	r.chip.SetUnknownState(^uint64(0), levels)
	r.fresh = r.chip.Clone()
}

// GroupLanes returns the lanes of a group.
func (r *FaultMachine) GroupLanes(g int) uint64 { return r.all() << (g * r.Faults) }

// ExtractGroup extracts a group's lanes from all lanes, and shifts them to the lanes of group 0.
func (r *FaultMachine) ExtractGroup(g int, lanes uint64) uint64 {
	return lanes >> (g * r.Faults) & r.all()
}

func (r *FaultMachine) all() uint64 { return ^uint64(0) >> (lanes - r.Faults) }

// Run powers the chips up and runs vectors[g] in group g. It calls each with the number of each step, after the step,
// until each returns false or all vectors end.
func (r *FaultMachine) Run(vectors [][]transport.Step, each func(at int) (more bool)) {
	if r.fresh == nil {
		r.chip.Reset()
	} else {
		r.chip.CopyFrom(r.fresh)
	}
	longest := 0
	for _, steps := range vectors {
		longest = max(longest, len(steps))
	}
	for at := range longest {
		if r.step(at, vectors); !each(at) {
			return
		}
	}
}

// step applies a step of its vector in each group that still has one.
func (r *FaultMachine) step(at int, vectors [][]transport.Step) {
	if len(vectors) == 1 {
		r.same.Set(&vectors[0][at])
		r.chip.Step(&r.same)
		return
	}
	f := &r.frame
	f.Pulses = f.Pulses[:0]
	for g, steps := range vectors {
		if at < len(steps) {
			f.SetLanes(r.GroupLanes(g), &steps[at])
		}
	}
	r.chip.Step(f)
}

// Work returns the number of gate evaluations so far.
func (r *FaultMachine) Work() int { return r.chip.Work() }

// Output returns the level of a line of uo (0 to 7) or uio, unknown if bench and chip may both drive it.
func (r *FaultMachine) Output(i int) sim.Set { return output(r.chip, i) }

// DifferingLanes returns the lanes that differ from the expected levels of their groups, and the lanes that may differ.
func (r *FaultMachine) DifferingLanes(want []Expectation) (found, unclear uint64) {
	for i := range 16 {
		level, mask := uint64(0), uint64(0)
		for g, k := range want {
			if k.Mask>>i&1 != 0 {
				mask |= r.GroupLanes(g)
				level |= r.GroupLanes(g) * uint64(k.Level>>i&1)
			}
		}
		if mask == 0 {
			continue
		}
		s := r.Output(i)
		found |= (s.Hi&^s.Lo&^level | s.Lo&^s.Hi&level) & mask
		unclear |= s.Hi & s.Lo & mask
	}
	return found, unclear
}
