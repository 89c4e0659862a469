package gates

import (
	"math/rand/v2"
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// The wiring check draws random steps several times, and keeps a drawing that shows faults of lines that no drawing
// before has shown.
const (
	drawings = 5
	drawn    = 600 // steps of a drawing
	mostKept = 2   // each of a thousand faults is simulated on all of them
)

// Cable implements tile.Cabled. The steps are the same each time.
func (t *Tile) Cable() ([]transport.Step, error) {
	t.drawing.Do(func() { t.cable, t.cableErr = t.draw() })
	return t.cable, t.cableErr
}

// draw chooses the steps of the wiring check.
func (t *Tile) draw() (steps []transport.Step, err error) {
	hidden := stuckLines()
	for seed, kept := uint64(1), 0; seed <= drawings && kept < mostKept && len(hidden) > 0; seed++ {
		part, err := tile.Random(t, rand.New(rand.NewPCG(seed, 1)), drawn)
		if err != nil {
			return nil, err
		}
		still := t.hidden(hidden, part)
		if kept == 0 || len(still) < len(hidden) {
			steps, hidden = append(steps, part...), still
			kept++
		}
	}
	return steps, nil
}

// stuckLines returns the faults of single lines that a check has to see.
func stuckLines() (all []fault.Fault) {
	for _, line := range fault.Lines {
		for _, level := range []string{"=stuck0", "=stuck1"} {
			f, err := fault.Bits(nil).Parse(line + level)
			if err != nil {
				panic(err) // a mistake in this file
			}
			all = append(all, f)
		}
	}
	return all
}

// hidden returns the faults that do not change a chip's samples.
func (t *Tile) hidden(faults []fault.Fault, steps []transport.Step) []fault.Fault {
	right := t.behind(nil, steps)
	return slices.DeleteFunc(slices.Clone(faults), func(f fault.Fault) bool {
		return transport.Differ(t.behind([]fault.Fault{f}, steps), right) != 0
	})
}

// behind returns the samples of a chip at the end of wires with these faults.
func (t *Tile) behind(faults []fault.Fault, steps []transport.Step) []transport.Sample {
	samples := make([]transport.Sample, len(steps))
	fault.New(tile.Wire(t), faults, 0).Run(steps, samples)
	return samples
}
