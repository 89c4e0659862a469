package grade

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// settledClocks is the number of clocks after a reset within which a settled fault is provably not visible.
const settledClocks = 16

// TestSettle draws faults that 2,000 random steps leave open, in fabricated netlists with state. It prints how many a
// search shows, how many it proves invisible, for ever or within 16 clocks after a reset, and how many it leaves open.
// Random steps must not show a fault that is proved invisible.
//
//	BENCH_NETLISTS  a shuttle's folder projects, with NAME/NAME.v
//	BENCH_SEED      draws BENCH_COUNT designs, 3 by default
//	BENCH_DESIGNS   the names of designs instead, separated by colons
//	BENCH_FAULTS    faults of each design, 25 by default
//	BENCH_BUDGET    time of the search for each fault, 2s by default
//	BENCH_STEPS     random steps that try to contradict the proofs, 20,000 by default
func TestSettle(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("BENCH_NETLISTS"), "*", "info.yaml"))
	if len(dirs) == 0 {
		t.Skip("needs the netlists of a shuttle: set BENCH_NETLISTS to its folder projects, with NAME/NAME.v")
	}
	each := testkit.Must(time.ParseDuration(cmp.Or(os.Getenv("BENCH_BUDGET"), "2s")))(t)
	rng := rand.New(rand.NewPCG(number("BENCH_SEED", uint64(1)), 9))
	names := filepath.SplitList(os.Getenv("BENCH_DESIGNS"))
	var all [4]int
	for left := cmp.Or(len(names), number("BENCH_COUNT", 3)); left > 0; {
		name := filepath.Base(filepath.Dir(dirs[rng.IntN(len(dirs))]))
		if len(names) > 0 {
			name = names[left-1]
		}
		p, err := project.Open(filepath.Join(os.Getenv("BENCH_NETLISTS"), name))
		if err != nil {
			continue
		}
		x, err := gates.Open(p)
		if err != nil || x.Design.IsCombinational() {
			continue
		}
		left--
		open := undetected(t, x)
		rng.Shuffle(len(open), func(i, k int) { open[i], open[k] = open[k], open[i] })
		some := open[:min(len(open), number("BENCH_FAULTS", 25))]
		search := Explorer{Tile: x, Seed: 1, Budget: time.Duration(len(some)) * each, Classes: some}
		f := testkit.Must(search.Find(t.Context()))(t)
		for clocks, n := range f.OpenWithin {
			if clocks >= settledClocks {
				all[2] += n
				f.Open -= n
			}
		}
		t.Logf("%s, %d open: of %d %d shown, %d never, %d open, by clocks without a difference %v; work %.2g", name,
			len(open), len(some), f.Detected, f.Untestable, f.Open, f.OpenWithin, float64(f.Work))
		all[0], all[1], all[3] = all[0]+f.Detected, all[1]+f.Untestable, all[3]+f.Open
		contradict(t, &search, number("BENCH_STEPS", 20_000))
	}
	t.Logf("%d shown, %d never, %d not within %d clocks after a reset, %d open", all[0], all[1], all[2], settledClocks,
		all[3])
}

// number returns the number in an environment variable, or the default.
func number[T int | uint64](name string, usual T) T {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 31); err == nil {
		return T(n)
	}
	return usual
}

// undetected returns the testable classes that 2,000 random steps leave open.
func undetected(t *testing.T, x *gates.Tile) []int32 {
	t.Helper()
	e := Explorer{Tile: x, Seed: 1}
	e.begin()
	g := Grader{List: e.List, Vectors: testkit.Must(e.drawn(10, batchSteps))(t)}
	return testkit.Must(g.Grade(t.Context()))(t).UndetectedClasses()
}

// contradict looks for random steps that show a fault that a search has proved never to show.
func contradict(t *testing.T, e *Explorer, steps int) {
	t.Helper()
	var never []int32
	for i, c := range e.List.Classes {
		if strings.HasPrefix(c.Untestable, provedNever) {
			never = append(never, int32(i))
		}
	}
	const each = 200
	for from := 0; from < steps && len(never) > 0; from += each * lanes {
		g := Grader{List: e.List, Vectors: testkit.Must(e.drawn(lanes, each))(t), Classes: never}
		for i, f := range testkit.Must(g.Grade(t.Context()))(t).Findings {
			if f.Outcome == Found {
				t.Errorf("%s: %s is proved never to show, and shows", e.Tile.Name(),
					e.List.Describe(e.List.Classes[i].Faults[0]))
			}
		}
	}
	t.Logf("%s: random steps show none of %d faults", e.Tile.Name(), len(never))
}
