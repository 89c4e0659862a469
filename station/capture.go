package station

import (
	"context"
	"fmt"

	"utfbench/transport"
)

// capture plans the capture for the opened chip. At speed clocks are captured in windows of a burst: before each the
// chip is reset, and clk runs free to it, if it can.
func (r *Run) capture() (err error) {
	c, captured := r.Chip, *r.VectorPlan.Invocation.Capture
	p, free := c.Transport.(*transport.Player)
	if free = free && p.RunsFree(); free {
		captured.Batch = min(p.Grid().MaxPeriods(false), p.Grid().Steps) - 1 // with the last clock of a free run
	}
	r.Vectors.Tile, r.Vectors.Capture = c.Tile, &captured
	asked := *r.VectorPlan.Invocation
	if r.VectorPlan, err = r.Vectors.Plan(1); err != nil {
		return err
	}
	asked.Capture, r.VectorPlan.Invocation = r.VectorPlan.Invocation.Capture, &asked
	if s := r.VectorPlan.Stream; free {
		c.Notes = append(c.Notes, fmt.Sprintf("windows after a reset and a free run of clk: %d", s.Batches()-1))
		s.Lead = func(ctx context.Context, clocks int) error {
			var sample [1]transport.Sample
			if _, err := transport.Apply(ctx, p, []transport.Step{s.Reset}, sample[:]); err != nil {
				return err
			}
			return p.FreeRun(ctx, s.HeldStep, clocks)
		}
	}
	return nil
}
