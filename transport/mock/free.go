package mock

import (
	"context"
	"math"

	"utfbench/transport"
)

var _ transport.FreeRunner = (*Transport)(nil)

// RunsFree implements transport.FreeRunner.
func (t *Transport) RunsFree() bool { return true }

// FreeRun implements transport.FreeRunner.
func (t *Transport) FreeRun(ctx context.Context, held transport.Step, clocks int, at transport.Timing) error {
	var sample [1]transport.Sample
	for clocks > 0 {
		n := min(clocks, math.MaxUint8)
		held.Clocks = uint8(n)
		if err := t.Burst(ctx, []transport.Step{held}, sample[:], at); err != nil {
			return err
		}
		clocks -= n
	}
	return nil
}
