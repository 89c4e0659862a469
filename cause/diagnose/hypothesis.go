package diagnose

import (
	"utfbench/fault"
	"utfbench/transport"
)

// A Hypothesis is what may be wrong. Each kind is a type in a file of its own; hypotheses.go has the lists that are
// tried.
type Hypothesis interface {
	// String is its name, as in "uo3=stuck1".
	String() string

	// Kind is the conclusion if it explains a run.
	Kind() Conclusion

	// Suspects are the lines and parts of the chip that it belongs to, with what is wrong with them.
	Suspects() []Suspect

	// Simulate gives a chip for which it is true, before its first reset.
	Simulate(Setting) Simulation
}

// A Setting is how a chip is asked.
type Setting struct {
	Pull  transport.Pull    // of the lines that nobody drives
	Speed *transport.Timing // of bursts; nil for step by step, with all the time that a chip wants
}

// A Simulation is a chip to be asked, and then tile.Done with.
type Simulation interface {
	// Run does steps in order and fills samples, which are at least as many. The error is the reference's.
	Run(steps []transport.Step, samples []transport.Sample) error
}

// And is a hypothesis with one more fault; ok is false if a line would have two, and if its kind has nothing to do with
// wires.
func And(h Hypothesis, f fault.Fault) (both Hypothesis, ok bool) {
	if wires, is := h.(interface {
		And(fault.Fault) (Hypothesis, bool)
	}); is {
		return wires.And(f)
	}
	return nil, false
}
