package rtl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"utfbench/tile"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// crossed is how many steps both simulators are asked, as so many executions.
const crossed, crossings = 150, 10

// cross holds a reference in Verilator against the other simulator, where that is installed and takes the design: a
// simulator may be wrong. Verilator 5.006 takes stale values where an output port is read back inside a design, which
// would be a good chip's FAIL. What either does not know decides nothing.
func (t *Tile) cross(ctx context.Context) error {
	const agreed = "icarus-agrees"
	c := t.config
	c.Simulator = "icarus"
	if t.design.Simulator() == c.Simulator || t.About.NoIcarus || !slices.Contains(verilog.Installed(), "iverilog") {
		return nil
	}
	if _, known := t.design.Kept(agreed); known {
		return nil
	}
	other, err := verilog.Open(ctx, c)
	if err != nil {
		return ctx.Err() // it may take less of SystemVerilog
	}
	defer other.Close()
	rng := rand.New(rand.NewPCG(2, 2))
	company := t.New() // which is left in a state as the other one is
	defer tile.Done(company)
	for range crossings {
		steps, err := tile.Random(t, rng, crossed)
		if err != nil {
			return err
		}
		if err := t.compare(ctx, other, company, steps); err != nil {
			return err
		}
	}
	t.design.Keep(agreed, nil)
	return nil
}

// compare asks both the same.
func (t *Tile) compare(ctx context.Context, other transport.Transport, company tile.Reference,
	steps []transport.Step) error {
	want, got := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
	if _, err := transport.Apply(ctx, other, steps, got); err != nil {
		return ctx.Err() // it does not know who drives, where it does not know a register
	}
	if err := tile.Expect(t, steps, want); err != nil {
		return err
	}
	also := make([]transport.Sample, len(steps))
	if err := company.Run(steps, also); err != nil {
		return err
	}
	for i := range also {
		want[i].Forget(also[i].Differ(want[i]) | also[i].Unknown())
	}
	for i := range steps {
		if got[i].Differ(want[i])&^got[i].Unknown() == 0 {
			continue
		}
		if err := tile.Doubt(t, steps, want); err != nil {
			return err
		}
		if lines := got[i].Differ(want[i]) &^ got[i].Unknown(); lines != 0 {
			return fmt.Errorf("the simulators Verilator and Icarus disagree about this design, so it cannot be told "+
				"what a right chip shows: at step %d of %s, on %s. Verilator up to 5.006 is wrong where an output "+
				"port is read back, as in assign uo_out[1] = uo_out[0] & a: give the inner one a wire of its own. "+
				"Icarus may take the wrong branch of an X: then `icarus: ignore` in bench-tile.yaml takes "+
				"Verilator's word",
				i+1, tile.Describe(t, steps[i]), strings.Join(lines.Names(), ", "))
		}
		return nil // the states have parted; the next execution begins with a reset
	}
	return nil
}
