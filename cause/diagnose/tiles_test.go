package diagnose

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// mostNetlist is the size of the largest netlists that are diagnosed, in bytes: half of TT09's are smaller.
const mostNetlist = 200_000

// foreign returns a random design of a shuttle, of those with wires to simulate.
func foreign(t *testing.T, dirs []string, rng *rand.Rand) *gates.Tile {
	t.Helper()
	for {
		p, err := project.Open(filepath.Dir(dirs[rng.IntN(len(dirs))]))
		if err != nil {
			continue
		}
		if s, err := os.Stat(p.Netlist); err != nil || s.Size() > mostNetlist {
			continue
		}
		if x, err := gates.Open(p); err == nil && tile.WiredChip(x) != nil {
			return x
		}
	}
}

func randomRun(t *testing.T, x tile.Tile, faults []fault.Fault, rng *rand.Rand) *Run {
	t.Helper()
	c := &Run{Tile: x}
	chip := mock.Open(mock.Config{Tile: x, Faults: faults})
	defer chip.Close()
	for i := range 5 {
		steps, err := tile.RandomSteps(x, rng, 200)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]transport.Sample, len(steps))
		if _, err := chip.Apply(t.Context(), steps, got); err != nil {
			t.Fatal(err)
		}
		if err := c.Add(strconv.Itoa(i), steps, got); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// One fault of the wires of a design of a shuttle is among the best causes, or explains as much as they do.
// BENCH_FAULTS is their number for each of ten designs, and BENCH_SEED selects others.
func TestForeignTiles(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("UTFBENCH_NETLISTS"), "*", "info.yaml"))
	if os.Getenv("UTFBENCH_NETLISTS") == "" || len(dirs) == 0 {
		t.Skip("needs the netlists of a shuttle: set UTFBENCH_NETLISTS to its folder projects, with NAME/NAME.v")
	}
	seed, _ := strconv.ParseUint(os.Getenv("BENCH_SEED"), 10, 64)
	each, err := strconv.Atoi(os.Getenv("BENCH_FAULTS"))
	if err != nil {
		each = 30
	}
	rng := rand.New(rand.NewPCG(4, seed))
	seen, right, blamed := 0, 0, 0
	for range 10 {
		x := foreign(t, dirs, rng)
		hs := search.WireHypotheses(x)
		for range each {
			h := hs[rng.IntN(len(hs))]
			c := randomRun(t, x, h.Faults, rng)
			if c.Failed == 0 {
				continue
			}
			seen++
			f := diagnosed(t, c)
			truth := causes(c.search().Rank(c.whole(), []search.Hypothesis{h}, 1))[0]
			named := slices.ContainsFunc(f.Causes[:f.Ties], func(c Cause) bool { return c.String() == h.String() })
			switch {
			case !named && !truth.ties(f.Causes[0]):
				t.Logf("%s, %s: %s, %s, %d of %d bits", x.Name(), h, f.Conclusion, f.Causes[0], f.Causes[0].Explained,
					f.Causes[0].Differs)
			case slices.Contains([]Conclusion{Logic, NoneOfMine, Register}, f.Conclusion):
				blamed++
				t.Logf("%s, %s: %s", x.Name(), h, f.Conclusion)
			default:
				right++
			}
		}
	}
	t.Logf("of %d faults that show %d are right or tied; %d are put down to another family", seen, right, blamed)
	if right*100 < 95*seen {
		t.Errorf("%d of %d faults are right or tied", right, seen)
	}
}
