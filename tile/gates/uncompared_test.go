package gates

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// A shareOf counts a chip's output bits: known to the reference, deduced by it, and, of the rest, those on which 64
// chips with random states agree.
type shareOf struct {
	name                      string
	all, known, deduced, open int
}

// TestUncompared prints the share of outputs compared in 500 random steps, for each sequential netlist of a shuttle
// without loops, and an upper bound of the gain by a search for power-up states.
func TestUncompared(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(shuttle(t), "*"))
	sum, designs := shareOf{}, []shareOf{}
	for _, dir := range dirs {
		p, err := project.Open(dir)
		if err != nil {
			continue
		}
		x, err := Open(p)
		if err != nil || len(x.Design.Macros)+x.Design.prog.Loops() > 0 || x.Design.Combinational() {
			continue
		}
		s := sharesOf(t, x, 500)
		sum.all, sum.known, sum.deduced, sum.open = sum.all+s.all, sum.known+s.known, sum.deduced+s.deduced,
			sum.open+s.open
		designs = append(designs, s)
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(sum.all) }
	t.Logf("%d netlists, %d bits: %.2f %% known, %.2f %% deduced, %.2f %% alike in 64 chips and not compared",
		len(designs), sum.all, percent(sum.known), percent(sum.deduced), percent(sum.open))
	slices.SortFunc(designs, func(a, b shareOf) int { return b.open - a.open })
	for _, d := range designs[:min(10, len(designs))] {
		t.Logf("%s: %.1f %% of all of these", d.name, 100*float64(d.open)/float64(max(1, sum.open)))
	}
}

// sharesOf counts the bits of a chip that keeps its floating levels.
func sharesOf(t *testing.T, x *Tile, n int) shareOf {
	t.Helper()
	steps, err := tile.RandomSteps(x, rand.New(rand.NewPCG(1, 1)), n)
	if err != nil {
		t.Fatal(err)
	}
	got, alike := make([]transport.Sample, n), make([]transport.Outputs, n)
	chip := x.Design.NewChip(&sim.RandomChoices{Seed: 4, One: true, Float: sim.Keep})
	many := x.Design.NewChip(&sim.RandomChoices{Seed: 9})
	for i := range steps {
		got[i] = chip.Apply(&steps[i])
		many.Apply(&steps[i])
		for k := range 8 {
			for bus, s := range []sim.Set{many.Out(k), many.Line(k)} {
				if s.Hi == 0 || s.Lo == 0 {
					alike[i] |= 1 << (k + 8*bus)
				}
			}
		}
	}
	want := expect(t, x, steps...)
	may, _ := x.Driven()
	s := shareOf{name: x.Name()}
	for i := range want {
		lines := transport.Outputs(0xFF) | transport.Outputs(may&^steps[i].Drive)<<8
		alike[i] &= lines
		s.all, s.known = s.all+lines.Count(), s.known+(lines&^want[i].Unknown()).Count()
	}
	s.deduced = x.Deduce(steps, got, want).Bits
	for i := range want {
		s.open += (alike[i] & want[i].Unknown()).Count()
	}
	return s
}
