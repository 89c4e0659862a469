package plan_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Limits of twins.
const (
	twinWork   = 1_500_000_000 // gate evaluations for 64 good chips
	mostClocks = 2_000_000
	twinClocks = 4 // between comparisons
)

// A twins holds 64 good chips, the same chips with a fault, and the good ones with other delays. In each lane they have
// the same power-up state and inputs, and so show whether random inputs reveal the fault, without a reference.
type twins struct {
	good, again, bad *gates.Chip
	frame            gates.Frame
	rng              *rand.Rand
	reset            transport.Step
}

// twinned describes what random inputs show of a fault, in how many of 64 chips.
func twinned(x *gates.Tile, d *gates.Design, seed uint64) string {
	chance := &sim.RandomChoices{Seed: seed, Float: sim.Low}
	t := twins{good: x.Design.NewChip(chance), bad: d.NewChip(chance),
		again: x.Design.NewChip(&sim.RandomChoices{Seed: seed + 1, Float: sim.Low}),
		rng:   rand.New(rand.NewPCG(seed, 3)), reset: tile.ResetStep(x)}
	for _, cell := range x.Design.Circuit.Cells {
		if cell.Kind.Holds() && t.good.Level(cell.Out) != t.bad.Level(cell.Out) {
			return "its chips are in other states after power-up"
		}
	}
	for lane := range 64 {
		t.again.CopyVector(t.good, lane, lane)
	}
	t.begin(x)
	shown, racy, clocks := uint64(0), uint64(0), 0
	for ; t.good.Work() < twinWork && clocks < mostClocks && shown|racy != ^uint64(0); clocks += twinClocks {
		t.change()
		t.step()
		racy |= differ(t.good, t.again) &^ shown
		shown |= differ(t.good, t.bad) &^ racy
	}
	return fmt.Sprintf("random inputs show it in %d of 64 chips, %d depend on delays, %d clocks",
		bits.OnesCount64(shown), bits.OnesCount64(racy), clocks)
}

// begin resets the chips with random inputs.
func (t *twins) begin(x *gates.Tile) {
	may, _ := x.DrivenUIO()
	for i := range 8 {
		t.frame.In[i], t.frame.IO[i] = t.rng.Uint64(), t.rng.Uint64()
		if may>>i&1 == 0 {
			t.frame.Drive[i] = ^uint64(0)
		}
	}
	t.level(^uint64(0), t.reset.Reset)
	for range t.reset.Clocks {
		t.frame.Pulses = append(t.frame.Pulses, ^uint64(0))
	}
	t.step()
	t.level(^uint64(0), !t.reset.Reset)
	t.frame.Pulses = t.frame.Pulses[:min(twinClocks, len(t.frame.Pulses))]
}

// level sets rst_n to the level of a step with Reset, or the other one, in some lanes.
func (t *twins) level(lanes uint64, reset bool) {
	t.frame.RstN |= lanes
	if reset {
		t.frame.RstN &^= lanes
	}
}

// change inverts an input or sets random ones, every 300 to four million clocks on average, by lane.
func (t *twins) change() {
	for lane := range 64 {
		if t.rng.IntN([...]int{1 << 22, 200_000, 10_000, 300}[lane/16]/twinClocks) > 0 {
			continue
		}
		on, f := uint64(1)<<lane, &t.frame
		t.level(on, t.reset.Reset == (t.rng.IntN(16) == 0))
		switch i := t.rng.IntN(8); t.rng.IntN(3) {
		case 0:
			f.In[i] ^= on
		case 1:
			f.IO[i] ^= on
		default:
			for i := range 8 {
				f.In[i] ^= t.rng.Uint64() & on
				f.IO[i] ^= t.rng.Uint64() & on
			}
		}
	}
}

func (t *twins) step() {
	for _, c := range []*gates.Chip{t.good, t.again, t.bad} {
		c.Step(&t.frame)
	}
}

// differ returns the lanes in which an output of two chips differs.
func differ(a, b *gates.Chip) (lanes uint64) {
	for i := range 8 {
		lanes |= a.Out(i).Hi ^ b.Out(i).Hi | a.Line(i).Hi ^ b.Line(i).Hi | a.Clash[i] ^ b.Clash[i]
	}
	return lanes
}
