package station

import (
	"context"
	"errors"
	"fmt"
	"io"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/tile"
)

// CheckWires checks the wires with the chip's tile. If a line is at fault on a demo board, it also runs the factory
// test, which uses the same pads and wires, to distinguish a fault of these from a fault of the design, and reopens the
// chip. If there is no factory test, the report suggests how to locate the fault.
func (c *Chip) CheckWires(ctx context.Context) (*diagnose.WiringReport, error) {
	r, err := c.checkWires(ctx)
	switch {
	case err != nil || !r.SamplesDiffer():
		return r, err
	case c.factory == nil:
		c.hedge(r)
		return r, c.advise(ctx, r)
	}
	proof, why, err := c.factory(ctx)
	switch {
	case err != nil:
		return nil, err
	case why != nil && r.FaultyOutputs != nil:
		r.Reason += fmt.Sprintf("; the factory test could not tell: %v", why)
	case why == nil:
		err = c.locate(ctx, r, proof)
	}
	c.hedge(r)
	return r, err
}

// locate locates a fault by the factory test. Before it blames the design, it checks again: a contact may be loose.
func (c *Chip) locate(ctx context.Context, r, proof *diagnose.WiringReport) error {
	if err := r.LocateByOtherDesign(ctx, proof, "the factory test"); err != nil || !r.BlamesDesign() {
		return err
	}
	again, err := c.checkWires(ctx)
	if err == nil {
		r.WithdrawIfChanged(again)
	}
	return err
}

// hedge adds to a report that the chip may be at fault, if a broken input would look like the bad wire.
func (c *Chip) hedge(r *diagnose.WiringReport) {
	if c.HasWires && r.MayBeBrokenInput() {
		r.Reason += "; " + diagnose.BrokenInputWords
	}
}

// checkWires checks the wires with the chip's tile. It never drives a line of uio that the chip may drive.
func (c *Chip) checkWires(ctx context.Context) (*diagnose.WiringReport, error) {
	if c.clash != nil {
		r := *c.clash
		return &r, nil
	}
	return diagnose.CheckWiring(ctx, c.StepTransport(), c.Tile, c.Budget)
}

// WriteWireFault writes the fault that AssessWires has found and returns its verdict, or PASS if there is none.
func (c *Chip) WriteWireFault(w io.Writer) driver.Verdict {
	found, what := c.BrokenWires, "the wiring is at fault, and the chip was not judged"
	if found == nil {
		found, what = c.DoubtfulWires,
			"the chip answers wrongly before the first case, and was not swept; --no-wiring "+
				"sweeps it all the same"
	}
	if found == nil {
		return driver.Pass
	}
	fmt.Fprintf(w, "%s, board %s: %s\n", c, c.Board.Name, what)
	found.WriteText(w, c.Board, c.Info.NoChipNote())
	return found.Verdict
}

// advise adds to a report how to locate a fault that may be the chip's, if the bench cannot select the factory test. If
// the design is the factory test, the user's design is not involved.
func (c *Chip) advise(ctx context.Context, r *diagnose.WiringReport) error {
	switch demo := c.Board.Mux != nil; {
	case r.FaultyOutputs == nil && !r.MayBeBrokenInput() || !c.HasWires:
	case demo && c.Tile.Name() == (tile.FactoryTest{}).Name():
		if r.FaultyOutputs != nil {
			return r.LocateByOtherDesign(ctx, r, "the factory test")
		}
	case demo:
		r.Reason += "; the factory test would tell: leave --design none out"
	default:
		r.Reason += "; to tell, exchange at the chip's end the wires of this line and another: a fault that stays on " +
			"its line is the wire's or the pin's, and one that moves to the other line is the chip's"
	}
	return nil
}

// settles sets c.factory, which locates an output fault by the factory test, if the bench can select that test.
func (t *Target) settles(k *Kind, c *Chip) {
	if k.HasFactoryTest == nil || !k.HasFactoryTest(t, c) {
		return
	}
	c.factory = func(ctx context.Context) (*diagnose.WiringReport, error, error) { return t.askFactory(ctx, c) }
}

// askFactory checks the wires with the chip's factory test, and reopens the chip. why says why the test could not run,
// which is not held against the chip; it is nil if the test ran.
func (t *Target) askFactory(ctx context.Context, c *Chip) (r *diagnose.WiringReport, why, err error) {
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

// askWhy adds the factory test's result about the wires to the error of a chip that was not recognised, if the bench
// can select that test. The chip is closed.
func (t *Target) askWhy(ctx context.Context, k *Kind, c *Chip, err error) error {
	other, is := errors.AsType[*otherDesignError](err)
	if !is || k.HasFactoryTest == nil || !k.HasFactoryTest(t, c) {
		return err
	}
	switch r, proof, why := t.factory(ctx); {
	case why != nil && failure.KindOf(why) == failure.Interrupted:
		return why
	case why != nil:
		other.proof = "the factory test could not tell: " + why.Error()
	case r.Verdict != diagnose.GoodWires:
		other.proof = "the factory test fails too: " + r.Sentence(proof.Board, " ")
	default:
		other.proof = goodBoard
	}
	return err
}
