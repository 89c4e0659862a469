package mock

import (
	"context"
	"time"

	"utfbench/fault"
	"utfbench/transport"
)

// DefaultTime is the knobs' default. The mock's time is virtual and affects only timing faults.
const DefaultTime = fault.DefaultTime

var _ transport.Tuner = (*Transport)(nil)

// Knobs implements transport.Tuner.
func (t *Transport) Knobs() []transport.Knob {
	return []transport.Knob{
		{Name: "pulse", Low: time.Nanosecond, High: time.Second, Default: DefaultTime},
		{Name: "settle", Low: 0, High: time.Second, Default: DefaultTime},
	}
}

// Tune implements transport.Tuner.
func (t *Transport) Tune(_ context.Context, name string, d time.Duration) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckKnob(t.Knobs(), name, d); err != nil {
		return 0, err
	}
	switch {
	case t.wires == nil: // time has no effect
	case name == "pulse":
		t.wires.Pulse = d
	default:
		t.wires.Settled = d
	}
	return d, nil
}
