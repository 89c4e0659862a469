package grade

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport"
)

// stepsAtRandom returns vectors of random steps with the reference's samples.
func stepsAtRandom(t testing.TB, x *gates.Tile, n, steps int) (all []Vector) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		v := Vector{Want: make([]transport.Sample, steps)}
		var err error
		if v.Steps, err = tile.RandomSteps(x, rng, steps); err != nil {
			t.Fatal(err)
		}
		if err := tile.Expect(x, v.Steps, v.Want); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// TestSettle prints, for fabricated netlists with state, how many faults a search shows, proves never to show, and
// leaves open, and how many 2,000 random steps leave open. Random vectors show none that is proved never to show.
//
//	BENCH_NETLISTS  a shuttle's folder projects, with NAME/NAME.v
//	BENCH_SEED         draws BENCH_COUNT designs, 3 by default
//	BENCH_BUDGET       of each search, by default 10s
//	BENCH_STEPS        random steps that contradict the proofs, 20,000 by default
func TestSettle(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("BENCH_NETLISTS"), "*", "info.yaml"))
	if len(dirs) == 0 {
		t.Skip("needs the netlists of a shuttle: set BENCH_NETLISTS to its folder projects, with NAME/NAME.v")
	}
	number := func(name string, usual uint64) uint64 {
		if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
			return n
		}
		return usual
	}
	budget, err := time.ParseDuration(cmp.Or(os.Getenv("BENCH_BUDGET"), "10s"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(number("BENCH_SEED", 1), 9))
	shown, never, open, before := 0, 0, 0, 0
	for left := number("BENCH_COUNT", 3); left > 0; {
		name := filepath.Base(filepath.Dir(dirs[rng.IntN(len(dirs))]))
		p, err := project.Open(filepath.Join(os.Getenv("BENCH_NETLISTS"), name))
		if err != nil {
			continue
		}
		x, err := gates.Open(p)
		if err != nil || x.Design.Combinational() {
			continue
		}
		left--
		f := testkit.Must((&Explorer{Tile: x, Seed: 1, Budget: budget}).Find(t.Context()))(t)
		g := Grader{List: NewList(x.Design), Vectors: stepsAtRandom(t, x, 10, 200)}
		random := testkit.Must(g.Grade(t.Context()))(t)
		undone := f.Shown + f.Never + f.Open - random.Count(Found)
		t.Logf("%-40s %5d shown, %4d never, %4d open, of %d by random steps, by clocks without a difference %v; "+
			"%d vectors, work %.2g", name, f.Shown, f.Never, f.Open, undone, f.Within, len(f.Vectors), float64(f.Work))
		shown, never, open, before = shown+f.Shown, never+f.Never, open+f.Open, before+undone
		contradict(t, x, int(number("BENCH_STEPS", 20_000)))
	}
	t.Logf("%d shown, %d never, %d open, of %d by random steps", shown, never, open, before)
}

// contradict looks for random steps that show a fault that is proved never to show.
func contradict(t *testing.T, x *gates.Tile, steps int) {
	t.Helper()
	l, never := NewList(x.Design), []int32{}
	prover := NewProver(l)
	for i, c := range l.Classes {
		if c.Untestable == "" && prover.Never(c.Faults[0]) {
			never = append(never, int32(i))
		}
	}
	const each = 200
	grader := Grader{List: l, Vectors: stepsAtRandom(t, x, steps/each, each), Only: never, Known: true}
	got := testkit.Must(grader.Grade(t.Context()))(t)
	for _, i := range never {
		if got.Findings[i].Outcome == Found {
			t.Errorf("%s: %s is proved never to show, and shows", x.Name(), l.Describe(l.Classes[i].Faults[0]))
		}
	}
	t.Logf("%s: random steps show none of %d faults", x.Name(), len(never))
}
