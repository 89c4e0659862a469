package mock

import (
	"context"
	"time"

	"utfbench/fault"
	"utfbench/transport"
)

var _ transport.Burster = (*Transport)(nil)

// Grid implements transport.Burster. The mock's virtual time has ticks of 1 ns. Its chip has no delays; timing faults
// delay its outputs, inputs or clock.
func (t *Transport) Grid(context.Context) (transport.Grid, error) {
	return transport.Grid{Clock: 1e9, HighTicks: 1, GapTicks: 1, MinPeriod: 4, MaxPeriod: time.Millisecond,
		MaxSample: time.Microsecond, Steps: 1 << 16, Periods: 1 << 24}, nil
}

func (t *Transport) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil || len(steps) == 0 {
		return err
	}
	if t.wires == nil {
		t.wires = fault.New(t.behind(), nil, 0)
	}
	t.last = steps[len(steps)-1]
	err := t.wires.Burst(steps, samples, at)
	t.compare(samples, func(twin *fault.Wires, without []transport.Sample) error {
		return twin.Burst(steps, without, at)
	})
	return err
}

var _ transport.Tuner = (*Transport)(nil)

func (t *Transport) Knobs() []transport.Knob {
	return []transport.Knob{
		{Name: "pulse", Low: time.Nanosecond, High: time.Second, Default: fault.DefaultTime},
		{Name: "settle", Low: 0, High: time.Second, Default: fault.DefaultTime},
	}
}

func (t *Transport) Tune(_ context.Context, name string, d time.Duration) (time.Duration, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckKnob(t.Knobs(), name, d); err != nil {
		return 0, err
	}
	for _, w := range t.all() {
		if name == "pulse" {
			w.Pulse = d
		} else {
			w.SettleTime = d
		}
	}
	return d, nil
}
