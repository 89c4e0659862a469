package gpio

import (
	"context"
	"time"

	"utfbench/transport"
)

var _ transport.Tuner = (*Transport)(nil)

// MaxWait is the maximum of a knob, unless its default is longer. With it a step takes seconds.
const MaxWait = time.Second

// newKnobs returns the knobs of a transport; their defaults are the times with which it was opened.
func newKnobs(c Config) []transport.Knob {
	knob := func(name string, d time.Duration) transport.Knob {
		d = max(d, 0)
		return transport.Knob{Name: name, Low: 0, High: max(MaxWait, d), Default: d}
	}
	return []transport.Knob{knob("pulse", c.Pulse), knob("settle", c.Settle)}
}

// Knobs implements transport.Tuner. The back-end adds delays: tens of nanoseconds with registers, else microseconds.
func (t *Transport) Knobs() []transport.Knob { return t.knobs }

// Tune implements transport.Tuner. A time is a minimum wait, and is used unrounded.
func (t *Transport) Tune(_ context.Context, name string, d time.Duration) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckKnob(t.knobs, name, d); err != nil {
		return 0, err
	}
	if name == "pulse" {
		t.pulse = d
	} else {
		t.settle = d
	}
	return d, nil
}
