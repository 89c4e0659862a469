package sweep

import (
	"context"
	"testing"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// vague is a chip whose uo0 is low or unknown.
type vague struct {
	transport.Transport
	unknown bool
}

func (v vague) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := v.Transport.Apply(ctx, steps, samples)
	for i := range samples[:n] {
		if samples[i].Out &^= 1; v.unknown {
			samples[i].OutX |= 1
		}
	}
	return n, err
}

// A block with an unknown bit has a different hash from a block with either level of it.
func TestUnknownHash(t *testing.T) {
	space, own := open(t, tile.Scope{Space: "ops", Depth: 1})
	hashes := map[Hash]bool{}
	good := mock.Open(mock.Config{Tile: utf.TT09})
	for _, chip := range []transport.Transport{good, vague{good, false}, vague{good, true}} {
		b, err := NewBlockRunner(space, own, chip).Run(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		hashes[b.Samples] = true
	}
	if len(hashes) != 3 {
		t.Errorf("%d hashes of three chips", len(hashes))
	}
}
