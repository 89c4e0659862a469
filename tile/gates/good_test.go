package gates

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// TestNoFalseFailOfAny compares chips of each sequential netlist of a shuttle, for each fate of floating lines, with
// the same netlist as the reference. Oscillators are slow.
func TestNoFalseFailOfAny(t *testing.T) {
	if os.Getenv("BENCH_ALL") == "" {
		t.Skip("takes minutes: set BENCH_ALL=1")
	}
	dirs, _ := filepath.Glob(filepath.Join(shuttle(t), "*"))
	for _, dir := range dirs {
		p, err := project.Open(dir)
		if err != nil {
			continue
		}
		x, err := Open(p)
		if err != nil || x.Design.IsCombinational() {
			continue
		}
		t.Run(x.Name(), func(t *testing.T) {
			for fate := sim.Keep; fate <= sim.Random; fate++ {
				good(t, x, &sim.RandomChoices{Seed: uint64(fate), Fate: fate, SameLanes: true}, 500)
			}
		})
	}
}

// TestNoFalseFail compares chips of fabricated netlists, for each fate of floating lines, with the same netlists as the
// reference: none of 20,000 random steps differs.
func TestNoFalseFail(t *testing.T) {
	dir, steps := shuttle(t), 20_000
	if testing.Short() {
		steps = 1000
	}
	for _, name := range []string{"tt_um_rebeccargb_hardware_utf8", "tt_um_dff_mem", "tt_um_purdue_socet_uart",
		"tt_um_rejunity_ay8913", "tt_um_toivoh_demo", "tt_um_anders_tt_6502", "tt_um_michaelmcculloch_alu",
		"tt_um_underserved", "tt_um_udxs", "tt_um_rejunity_z80", "tt_um_2048_vga_game", "tt_um_urish_simon",
		"tt_um_znah_vga_ca", "tt_um_z2a_rgb_mixer", "tt_um_project", "tt_um_a1k0n_nyancat", "tt_um_urish_sic1",
		"tt_um_c7_array_mult", "tt_um_wokwi_411379488132926465", "tt_um_rebeccargb_vga_timing_experiments",
		"tt_um_rebeccargb_universal_decoder", "tt_um_Coline3003_spect_top"} {
		t.Run(name, func(t *testing.T) {
			p, err := project.Open(filepath.Join(dir, name))
			if err != nil {
				t.Skip(err)
			}
			x := testkit.Must(Open(p))(t)
			for fate := sim.Keep; fate <= sim.Random; fate++ {
				good(t, x, &sim.RandomChoices{Seed: uint64(fate), Fate: fate}, steps)
			}
		})
	}
}

func good(t *testing.T, x *Tile, chance *sim.RandomChoices, n int) {
	t.Helper()
	steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(chance.Seed, 1)), n))(t)
	want := make([]transport.Sample, n)
	if err := tile.Expect(x, steps, want); err != nil {
		t.Fatal(err)
	}
	c, known := x.Design.NewChip(chance), 0
	all := make([]transport.Sample, n)
	for i := range steps {
		got := c.Apply(&steps[i])
		known += 16 - want[i].Unknown().Count()
		if got.Differ(want[i]) != 0 {
			t.Fatalf("fate %v, step %d %+v: a good chip shows %+v, and the reference has %+v", chance.Fate, i,
				steps[i], got, want[i])
		}
		all[i] = got
	}
	d := x.Deduce(steps, all, want)
	if lines := transport.Differ(all, want); lines != 0 {
		t.Fatalf("fate %v: a good chip differs on %v from what it has to show after the steps before", chance.Fate,
			lines)
	}
	t.Logf("fate %v: %d bits are deduced, given up early: %v", chance.Fate, d.Bits, d.CutShort)
	t.Logf("fate %v: %.1f %% of the bits are known", chance.Fate, float64(known)/float64(16*n)*100)
}
