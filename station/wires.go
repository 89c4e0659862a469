package station

import (
	"context"
	"fmt"

	"utfbench/cause/wiring"
	"utfbench/internal/failure"
	"utfbench/tile/factory"
)

// A Keeper is a transport to a chip that others may take once it is closed.
type Keeper interface {
	// Keep has the chip stay its holder's when the transport is closed.
	Keep() *Held
}

// A Held chip is its holder's while it is closed and opened anew.
type Held struct {
	Kind     Kind   // that opens it
	Last     bool   // the next that is opened gives the chip back by Close
	GiveBack func() // may be called again, and then does nothing
}

// CheckWires checks the wires by the chip's tile. If a line is at fault, a demo board's factory test is run as well: it
// has the same pads and wires, so it tells a fault of these from one of the design. The chip is opened anew after it.
// Where there is no such test, the report says what would tell.
func (c *Chip) CheckWires(ctx context.Context) (*wiring.Report, error) {
	r, err := wiring.Check(ctx, c.Slow(), c.Tile)
	switch {
	case err != nil || !r.Doubtful():
		return r, err
	case c.factory == nil:
		c.advise(r)
		return r, nil
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

// advise adds to a report what would tell whose fault an output is, where the bench cannot select the factory test. If
// the factory test itself was checked, it is not the user's design.
func (c *Chip) advise(r *wiring.Report) {
	_, far := c.Slow().(Keeper)
	switch demo := c.Board.Mux != nil; {
	case r.Outputs == nil || !c.Wires:
	case demo && c.Tile.Name() == (factory.Tile{}).Name():
		r.Settle(r, "the factory test")
	case demo && far:
		r.Why += "; the factory test would tell, and the bench of the board's host is too old to select it: update " +
			"that one"
	case demo:
		r.Why += "; the factory test would tell: leave --design none out"
	default:
		r.Why += "; to tell, exchange at the chip's end the wires of this output and another: a fault that stays on " +
			"its line is the wire's or the pin's, and one that moves to the other line is the chip's"
	}
}

// settles lets the chip's factory test settle whose fault an output is, where the bench can select it.
func (t *Target) settles(k *Kind, c *Chip) {
	if k.Factory == nil || !k.Factory(t, c) {
		return
	}
	c.factory = func(ctx context.Context) (*wiring.Report, error, error) { return t.askFactory(ctx, c) }
}

// askFactory asks the factory test of a chip for the wires, and opens the chip anew. Nobody else has the chip
// meanwhile.
// Why it could not be asked is no error of the chip.
func (t *Target) askFactory(ctx context.Context, c *Chip) (r *wiring.Report, why, err error) {
	of, held := *t, &Held{GiveBack: func() {}}
	if k, is := c.Slow().(Keeper); is {
		held = k.Keep()
		of.Kinds = []Kind{held.Kind}
	}
	defer func() {
		if err != nil {
			held.GiveBack()
		}
	}()
	if err := c.Close(); err != nil {
		return nil, nil, benchFault(err)
	}
	r, _, why = of.factory(ctx)
	if why != nil && failure.KindOf(why) == failure.Interrupted {
		return nil, nil, why
	}
	held.Last = true
	again, err := of.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.Transport = again.Transport
	return r, why, nil
}
