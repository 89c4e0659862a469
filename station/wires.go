package station

import (
	"context"
	"fmt"

	"utfbench/cause/wiring"
	"utfbench/internal/failure"
)

// CheckWires checks the wires by the chip's tile. If a line is at fault, a demo board's factory test is run as well: it
// has the same pads and wires, so it tells a fault of these from one of the design. The chip is opened anew after it.
func (c *Chip) CheckWires(ctx context.Context) (*wiring.Report, error) {
	r, err := wiring.Check(ctx, c.Slow(), c.Tile)
	if err != nil || !r.Doubtful() || c.factory == nil {
		return r, err
	}
	proof, why, err := c.factory(ctx)
	switch {
	case err != nil:
		return nil, err
	case why != nil && r.Outputs != nil:
		r.Why += fmt.Sprintf("; the factory test could not tell: %v", why)
	case why == nil:
		r.Settle(proof, "the factory test")
	}
	return r, nil
}

// settles lets the chip's factory test settle whose fault an output is, where the bench can select it.
func (t *Target) settles(k *Kind, c *Chip) {
	if k.Factory == nil || !k.Factory(t, c) {
		return
	}
	c.factory = func(ctx context.Context) (r *wiring.Report, why, err error) {
		if err := c.Close(); err != nil {
			return nil, nil, benchFault(err)
		}
		r, _, why = t.factory(ctx)
		if why != nil && failure.KindOf(why) == failure.Interrupted {
			return nil, nil, why
		}
		again, err := t.Open(ctx)
		if err != nil {
			return nil, nil, err
		}
		c.Transport = again.Transport
		return r, why, nil
	}
}
