package diagnose

import (
	"time"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// atSpeed simulates wires sampled in bursts, or step by step without a speed.
type atSpeed struct {
	*fault.Wires
	at    *transport.Timing
	ahead bool // later steps affect a step's sample

	// If samples come too late even for a good chip, a line without a hypothesis is assumed late enough for them.
	right tile.Reference    // for those lines; nil if not needed
	said  transport.Outputs // the lines with a hypothesis
}

// behind returns wires simulated at a setting; said are the lines with known delays.
func behind(w *fault.Wires, t tile.Tile, at Setting, said transport.Outputs) *atSpeed {
	w.Pull, w.Unbroken = at.Pull, true
	w.Settled, w.Pulse = time.Hour, time.Hour // step by step
	a := &atSpeed{Wires: w, at: at.Speed, ahead: tooFar(at.Speed), said: said}
	if a.ahead {
		a.right = t.New()
	}
	return a
}

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

// piece returns the number of steps to simulate at once.
func (a *atSpeed) piece(steps int) int {
	if a.at != nil && a.ahead {
		return max(chunk, steps)
	}
	return chunk
}

// tooFar reports whether samples come after the next step's inputs.
func tooFar(speed *transport.Timing) bool { return speed != nil && speed.Sample >= speed.Hold() }

// Close releases the reference and the wires.
func (a *atSpeed) Close() error {
	tile.Done(a.right)
	return a.Wires.Close()
}
