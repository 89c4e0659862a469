package diagnose

import (
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// A Hypothesis is a possible fault. Each kind is a type in its own file; hypotheses.go lists the candidates.
type Hypothesis interface {
	// String returns its name, as in "uo3=stuck1".
	String() string

	// Kind returns the conclusion if the hypothesis explains a run.
	Kind() Conclusion

	// Suspects returns the suspected lines and parts of the chip, with their faults.
	Suspects() []Suspect

	// Simulate returns a chip with the fault, before its first reset.
	Simulate(Setting) Simulation
}

// A Setting holds the conditions of a run.
type Setting struct {
	Pull  transport.Pull    // on undriven lines
	Speed *transport.Timing // of bursts; nil for step by step, with ample time

	chip func() fault.Chip // makes the chip; nil for tile.Wire
}

// Wire returns a chip of a tile to connect to wires.
func (at Setting) Wire(t tile.Tile) fault.Chip {
	if at.chip != nil {
		return at.chip()
	}
	return tile.Wire(t)
}

// A Simulation is a simulated chip; release it with tile.Done.
type Simulation interface {
	// Run applies steps in order and fills samples, at least as many. The error is the reference's.
	Run(steps []transport.Step, samples []transport.Sample) error
}

// And adds a fault to a hypothesis; ok is false if a line would have two or the kind does not concern wires.
func And(h Hypothesis, f fault.Fault) (both Hypothesis, ok bool) {
	if wires, is := h.(interface {
		And(fault.Fault) (Hypothesis, bool)
	}); is {
		return wires.And(f)
	}
	return nil, false
}
