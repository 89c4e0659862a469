package gpio

import (
	"time"

	"utfbench/transport"
)

var _ transport.Tuner = (*Transport)(nil)

// Knobs implements transport.Tuner. How long the kernel and the lines take comes on top, tens of nanoseconds with registers and
// microseconds with lines, so that short times are short only in name there.
func (t *Transport) Knobs() []transport.Knob {
	return []transport.Knob{
		{Name: "pulse", Low: 0, High: time.Second, Default: t.pulse},
		{Name: "settle", Low: 0, High: time.Second, Default: t.settle},
	}
}

// Tune implements transport.Tuner.
func (t *Transport) Tune(name string, d time.Duration) (time.Duration, error) {
	if err := transport.CheckKnob(t.Knobs(), name, d); err != nil {
		return 0, err
	}
	if name == "pulse" {
		t.pulse = d
	} else {
		t.settle = d
	}
	return d, nil
}
