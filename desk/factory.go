package desk

import (
	"context"

	"utfbench/cause/wiring"
	"utfbench/tile/factory"
)

// FactoryTest selects the design that every Tiny Tapeout chip carries at number 1, and proves board and cable by it: every line,
// clk and rst_n, without the target's own tile, which is not selected any more afterwards. Why it cannot be asked, as where the board
// has no mux, is bad input; that something else answers there is OtherDesign.
func (t *Target) FactoryTest(ctx context.Context) (*wiring.Report, *Chip, error) {
	f := *t
	f.Tile, f.Revision, f.Design, f.Insist = factory.Tile{}, "", factory.Project, false
	c, err := f.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := wiring.Check(ctx, c, c.Tile)
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, nil, asking(ctx, err)
	}
	return r, c, nil
}
