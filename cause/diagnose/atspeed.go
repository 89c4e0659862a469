package diagnose

import (
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// atSpeed is wires sampled in bursts, if there is a speed.
type atSpeed struct {
	*fault.Wires
	at    *transport.Timing
	ahead bool // what comes after a step has an effect on its sample

	// If samples are taken too late for a right chip, a line that nothing is said of is late enough for them.
	right tile.Reference    // shows what it shows then; nil if it is not needed
	said  transport.Outputs // are the others
}

// behind returns wires used as in a setting, with the lines that have known delays.
func behind(w *fault.Wires, t tile.Tile, at Setting, said transport.Outputs) *atSpeed {
	w.Pull, w.Unbroken = at.Pull, true
	w.Settled, w.Pulse = time.Hour, time.Hour // step by step
	a := &atSpeed{Wires: w, at: at.Speed, ahead: tooFar(at.Speed), said: said}
	if a.ahead {
		a.right = t.New()
	}
	return a
}

// Run implements Simulation.
func (a *atSpeed) Run(steps []transport.Step, samples []transport.Sample) error {
	if a.at == nil {
		return a.Wires.Run(steps, samples)
	}
	if err := a.Burst(steps, samples, *a.at); err != nil || a.right == nil {
		return err
	}
	right := make([]transport.Sample, len(steps))
	if err := a.right.Run(steps, right); err != nil {
		return err
	}
	for i, r := range right {
		samples[i] = samples[i].With(r, ^a.said)
	}
	return nil
}

// piece returns how many of these steps to simulate at once.
func (a *atSpeed) piece(steps int) int {
	if a.at != nil && a.ahead {
		return max(chunk, steps)
	}
	return chunk
}

// tooFar reports whether samples are taken after the next step's inputs.
func tooFar(speed *transport.Timing) bool { return speed != nil && speed.Sample >= speed.Hold() }

// Close frees resources other than memory.
func (a *atSpeed) Close() error {
	tile.Done(a.right)
	return a.Wires.Close()
}
