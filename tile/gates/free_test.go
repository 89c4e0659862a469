package gates_test

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// powerUps is the number of power-up states tried for each design, as in testdata/powerups.v.
const powerUps = 64

// Random designs have state that no reset sets. Whatever their power-up state and floating lines, neither chips
// simulated from the gates nor the Verilog in Icarus contradict a level that the reference knows or deduces, and the
// driver never reports FAIL. BENCH_SEED selects other designs.
func TestRandomPowerUps(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("BENCH_SEED"), 10, 64)
	chips, known, deduced := 0, 0, 0
	for i := range uint64(testkit.SampleSize(1, 25, 100)) {
		text, powerUp := randomDesign(rand.New(rand.NewPCG(seed, 1<<32+i)), true)
		p := written(t, "tt_um_random", text)
		p.Reset.Clocks = 2
		x := elaborated(t, p)
		steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(seed, i)), 100))(t)
		want := make([]transport.Sample, len(steps))
		if err := tile.Expect(x, steps, want); err != nil {
			t.Fatal(err)
		}
		for n, got := range append(ofGates(x, i, steps), simulated(t, text, powerUp, steps)...) {
			told := slices.Clone(want)
			lines := transport.Differ(got, told)
			if chips++; lines == 0 && n%4 == int(i%4) {
				deduced += x.Deduce(steps, got, told).Bits
				lines = transport.Differ(got, told)
			}
			if lines != 0 {
				t.Errorf("design %d: chip %d (from %d on in Icarus) differs on %v:\n%s%s", i, n, powerUps,
					lines.Names(), powerUp, text)
				break
			}
		}
		for _, w := range want {
			known += 16 - w.Unknown().Count()
		}
		judged(t, x, i, steps)
	}
	t.Logf("%d chips; %d levels are known of each design, and %d deduced", chips, known, deduced)
	if known == 0 || deduced == 0 {
		t.Error("the test compares too little")
	}
}

// ofGates returns the samples of simulated chips with random power-up states.
func ofGates(x *gates.Tile, seed uint64, steps []transport.Step) [][]transport.Sample {
	all := make([][]transport.Sample, powerUps)
	c, f := x.Design.NewChip(&sim.RandomChoices{Seed: seed}), gates.Frame{}
	for i := range steps {
		f.Set(&steps[i])
		c.Step(&f)
		for lane := range all {
			all[lane] = append(all[lane], c.Sample(lane))
		}
	}
	return all
}

// judged fails the test if the driver rejects a good chip with any fate of floating lines.
func judged(t *testing.T, x *gates.Tile, seed uint64, steps []transport.Step) {
	t.Helper()
	v := &golden.Vector{Name: "random", Sequence: golden.Sequence{Steps: steps}}
	for fate := range uint64(4) {
		r := driver.Runner{Transport: x.Design.Device("chip", 4*seed+fate), Tile: x, Rules: driver.Rules{Count: 2}}
		tally := testkit.Must(r.Run(t.Context(), []driver.Job{{Vector: v}}))(t)
		switch verdict := tally.Verdict(); verdict {
		case driver.Pass, driver.Weak, driver.Skipped: // Skipped if no output is ever known
		default:
			t.Fatalf("a good chip of design %d is %s", seed, verdict)
		}
	}
}

//go:embed testdata/powerups.v
var bench string

// simulated returns the samples of Icarus' simulation of the Verilog, from random power-up states. In a quarter of the
// runs each, floating lines keep their level, are 0, are 1, or are random. Runs that show an X are omitted.
func simulated(t *testing.T, text, powerUp string, steps []transport.Step) [][]transport.Sample {
	t.Helper()
	if _, err := exec.LookPath("iverilog"); err != nil {
		return nil
	}
	var file strings.Builder
	for _, s := range steps {
		reset := 1
		if s.Reset {
			reset = 0
		}
		fmt.Fprintf(&file, "%02x%02x%02x%02x%02x\n", reset, s.Clocks, s.In, s.IO, s.Drive)
	}
	dir, end := t.TempDir(), strings.LastIndex(text, "endmodule")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("steps.hex", file.String())
	write("design.v", "`timescale 1ns/1ns\n"+text[:end]+powerUp+text[end:]+bench)
	var out []byte
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, command := range []string{"iverilog -g2012 -o design.vvp design.v", "vvp -n design.vvp"} {
		words := strings.Fields(command)
		c := exec.CommandContext(ctx, words[0], words[1:]...)
		c.Dir = dir
		var err error
		if out, err = c.Output(); err != nil {
			t.Fatalf("%s: %v\n%s%s", command, err, powerUp, text)
		}
	}
	all, vague := make([][]transport.Sample, powerUps), make([]bool, powerUps)
	for i, line := range bytes.Fields(out) {
		n, err := strconv.ParseUint(string(line), 16, 16)
		chip := i % powerUps
		vague[chip] = vague[chip] || err != nil
		all[chip] = append(all[chip], transport.Sample{Out: uint8(n >> 8), IO: uint8(n)})
	}
	return slices.DeleteFunc(all, func(chip []transport.Sample) bool {
		defer func() { vague = vague[1:] }()
		return vague[0]
	})
}
