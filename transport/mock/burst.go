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
	return transport.Grid{Clock: 1e9, High: 1, Gap: 1, LeastPeriod: 4, MostPeriod: time.Millisecond,
		MostSample: time.Microsecond,
		Steps:      1 << 16, Periods: 1 << 24}, nil
}

// Burst implements transport.Burster.
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
	return t.wires.Burst(steps, samples, at)
}
