package wiring

import (
	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// stuck is the hypothesis that a line is stuck, from some step on.
type stuck struct {
	tile tile.Tile
	line int
	high bool
	from int // steps before the fault
}

func (h stuck) faults() []fault.Fault {
	return []fault.Fault{{Kind: fault.Stuck, A: h.line, High: h.high}}
}

// after returns the same fault beginning at a later step.
func (h stuck) after(steps int) stuck {
	h.from = steps
	return h
}

func (h stuck) String() string { return h.faulty().String() }

func (h stuck) faulty() diagnose.Faulty { return diagnose.Faulty{Faults: h.faults(), Tile: h.tile} }

func (h stuck) Kind() diagnose.Conclusion { return diagnose.Wire }

func (h stuck) Suspects() []diagnose.Suspect { return h.faulty().Suspects() }

func (h stuck) Simulate(at diagnose.Setting) diagnose.Simulation {
	if h.from == 0 {
		return h.faulty().Simulate(at)
	}
	w := fault.New(at.Wire(h.tile), nil, 0)
	w.Pull = at.Pull
	return &sticking{Wires: w, then: h.faults(), left: h.from}
}

// sticking simulates wires that get a fault after some steps.
type sticking struct {
	*fault.Wires
	then []fault.Fault
	left int // steps until then
}

func (s *sticking) Run(steps []transport.Step, samples []transport.Sample) error {
	if s.left > 0 {
		n := min(s.left, len(steps))
		if err := s.Wires.Run(steps[:n], samples[:n]); err != nil {
			return err
		}
		steps, samples = steps[n:], samples[n:]
		if s.left -= n; s.left == 0 {
			pull := s.Pull
			s.Wires = fault.New(s.Chip(), s.then, 0)
			s.Pull = pull
		}
	}
	return s.Wires.Run(steps, samples)
}
