package search

import (
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// DeadClockFaults lists the faults that keep all clock edges from the chip. A simulation's registers are then unknown.
var DeadClockFaults = []string{"clk=open", "clk=stuck0", "clk=stuck1"}

// StopsClock reports whether one of the faults keeps all edges of clk from the chip.
func (h Hypothesis) StopsClock() bool {
	return slices.ContainsFunc(h.Faults, func(f fault.Fault) bool {
		return h.Time == nil && f.A == fault.Clk && (f.Kind == fault.Stuck || f.Kind == fault.Cut)
	})
}

// AddClockFaults returns explain with those faults of clk added that look like its hypotheses but leave a simulation's
// registers unknown: a short to rst_n if rst_n may be stuck, and the DeadClockFaults that no sample contradicts if no
// edge had an effect. dead reports whether it added any of the latter.
func (s Search) AddClockFaults(e *Evidence, explain []Hypothesis) (all []Hypothesis, dead bool) {
	if s.ClockHasNoEffect(e) {
		all = s.FilterConsistent(e, MustParseAll(s.Tile, DeadClockFaults...), 0)
	}
	dead = all != nil
	all = Merge(all, explain)
	if contains(all, MustParse(s.Tile, "rst_n=stuck0")) {
		all = Merge(all, []Hypothesis{MustParse(s.Tile, "clk~rst_n=and")})
	}
	return all, dead
}

// ClockHasNoEffect reports whether equal ui levels give equal samples although a good chip would show its state.
func (s Search) ClockHasNoEffect(e *Evidence) bool {
	for _, p := range e.Executions { // their pulls differ
		before := map[uint8]transport.Sample{}
		for i, step := range p.Steps {
			now := shownByChip(s.Tile, step, p.Got[i])
			if old, ok := before[step.In]; ok && old != now {
				return false
			}
			before[step.In] = now
		}
	}
	return s.stateful(e)
}

// stateful reports whether a good chip would show its state in these steps: whether at least two of its lines have
// different levels for equal inputs. One line does not suffice, since a fault inside the chip can hide it.
func (s Search) stateful(e *Evidence) bool {
	var differ transport.Outputs
	for n, p := range e.Executions {
		before := map[transport.Step]transport.Sample{}
		for i, step := range p.Steps {
			levels := transport.Step{In: step.In, IO: step.IO & step.Drive, Drive: step.Drive, Reset: step.Reset}
			now := shownByChip(s.Tile, step, e.GoodSamples[n][i])
			if old, ok := before[levels]; ok {
				differ |= (old.Levels() ^ now.Levels()) &^ (old.Unknown() | now.Unknown())
			}
			before[levels] = now
		}
	}
	return differ.Count() > 1
}

func shownByChip(t tile.Tile, s transport.Step, got transport.Sample) transport.Sample {
	drives := t.Drives(s)
	got.IO, got.IOX = got.IO&drives, got.IOX&drives
	return got
}

// Unreset reports whether no sample contradicts a fault of rst_n. Bits that depend on the state at power-up are open.
func (f Fit) Unreset() bool {
	return f.WrongBits == 0 && f.ExplainedBits > 0 && len(f.Faults) == 1 && f.Faults[0].A == fault.Rst
}

// enoughResets is the number of resets that a chip has to ignore: after fewer, a wrong state may look like an old one.
const enoughResets = 4

// deduce returns the samples of a chip that no reset reaches, as far as earlier ones determine them, or else nil.
func (h Hypothesis) deduce(p Execution) []transport.Sample {
	if len(h.Faults) != 1 || h.Faults[0] != (fault.Fault{Kind: fault.Stuck, A: fault.Rst, High: true}) {
		return nil
	}
	steps, want := slices.Clone(p.Steps), make([]transport.Sample, len(p.Steps))
	for i := range steps {
		steps[i].Reset = false
	}
	PanicOn(tile.Expect(h.Tile, steps, want))
	tile.Deduce(h.Tile, steps, p.Got, want)
	return want
}
