package gates

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// In 100,000 (or BENCH_STEPS) random steps, the UTF chip's netlist agrees with package model wherever that knows a bit.
func TestAgreesWithModel(t *testing.T) {
	d := openNetlist(t, "tt_um_rebeccargb_hardware_utf8")
	total := 100_000
	if text := os.Getenv("BENCH_STEPS"); text != "" {
		var err error
		if total, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	const each = 5000
	rng := rand.New(rand.NewPCG(1, 1))
	for done := 0; done < total; done += each {
		steps, err := tile.RandomSteps(utf.TT09, rng, each)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, d.NewChip(nil), steps)
	}
}

func agree(t *testing.T, c *Chip, steps []transport.Step) {
	t.Helper()
	want := make([]transport.Sample, len(steps))
	if err := tile.Expect(utf.TT09, steps, want); err != nil {
		t.Fatal(err)
	}
	var f Frame
	for i := range steps {
		f.Set(&steps[i])
		c.Step(&f)
		if got := c.Sample(0); got.Differ(want[i]) != 0 {
			t.Fatalf("step %d %+v: got %+v, and the model %+v", i, steps[i], got, want[i])
		}
	}
}
