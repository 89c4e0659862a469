package testkit

import (
	"math/rand/v2"

	"utfbench/model"
	"utfbench/transport"
)

// Stimulus returns a reset followed by at least n random legal steps, many in series that differ only in their data.
// The bench drives all of uio while READ is low, and never otherwise.
func Stimulus(seed uint64, n int) []transport.Step {
	rng := rand.New(rand.NewPCG(seed, 0))
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}}
	for len(steps) < n {
		a, b := rng.Uint32(), rng.Uint32() // each bit is high with probability 3/4, so that few strobes are low at once
		s := transport.Step{In: uint8(a | b), Clocks: uint8(rng.IntN(3)), Reset: rng.IntN(40) == 0}
		if s.In&model.READ == 0 {
			s.Drive = 0xFF
		}
		for range 1 + rng.IntN(5)*rng.IntN(5) {
			s.IO = uint8(rng.Uint32())
			steps = append(steps, s)
		}
	}
	return steps
}

// ModelSamples returns the samples of a chip of this revision from an unknown state.
func ModelSamples(rev model.Revision, steps []transport.Step) []transport.Sample {
	chip := model.New(rev)
	want := make([]transport.Sample, len(steps))
	for i, s := range steps {
		want[i] = chip.Step(s)
	}
	return want
}
