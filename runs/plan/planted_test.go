package plan_test

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
)

const planted = 60

// TestPlanted plants a random fault in each of 60 designs of a shuttle: a stuck pin, or a mutation by yosys mutate. It
// omits faults that provably have no effect. It counts the designs that fail the vectors of bench shuttle --explore.
// The good chip must pass them all, whatever levels undriven lines have.
//
//	BENCH_NETLISTS  a shuttle's folder projects, with NAME/NAME.v
//	BENCH_SEED         selects other designs and faults
//	BENCH_BUDGET       of --explore, by default 1s
//	BENCH_DESIGNS      a pattern of the designs' names
func TestPlanted(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("BENCH_NETLISTS"), "*", "info.yaml"))
	if len(dirs) == 0 {
		t.Skip("needs the netlists of a shuttle: set BENCH_NETLISTS to its folder projects, with NAME/NAME.v")
	}
	seed := testkit.Must(strconv.ParseUint(cmp.Or(os.Getenv("BENCH_SEED"), "2026"), 10, 64))(t)
	rng := rand.New(rand.NewPCG(seed, 11))
	rng.Shuffle(len(dirs), func(i, k int) { dirs[i], dirs[k] = dirs[k], dirs[i] })
	only := regexp.MustCompile(os.Getenv("BENCH_DESIGNS"))
	n, tried, failed := 0, 0, 0
	for _, dir := range dirs {
		p, err := project.Open(filepath.Dir(dir))
		if err != nil {
			continue
		}
		x, err := gates.Open(p)
		if err != nil {
			continue
		}
		list, f, ok := plantable(t, x, n%2, rng)
		if !ok {
			continue
		}
		seed := rng.Uint64()
		if n++; n > planted {
			break
		}
		if !only.MatchString(x.Name()) {
			continue
		}
		d := testkit.Must(list.Inject([]gates.StuckAt{f}))(t)
		jobs := vectorsOf(t, x)
		for fate := range uint64(4) {
			if v := verdictOf(t, x, x.Design, seed^fate, jobs); v == driver.Fail || v == driver.Error {
				t.Errorf("%s: the good chip is %s", x.Name(), v)
			}
		}
		v := verdictOf(t, x, d, seed, jobs)
		t.Logf("%d: %s: %s with %s", n, x.Name(), v, list.Describe(f))
		if tried++; v == driver.Fail {
			failed++
		}
	}
	t.Logf("%d of %d designs with a fault fail", failed, tried)
}

func plantable(t *testing.T, x *gates.Tile, kind int, rng *rand.Rand) (*gates.FaultList, gates.StuckAt, bool) {
	l := gates.NewFaultList(x.Design)
	prover := grade.NewProver(l)
	switch {
	case len(l.Classes) == 0, len(x.Design.Macros) > 0: // the design has only wires, or macros unknown to Yosys
	case kind == 0:
		for range 50 {
			c := &l.Classes[rng.IntN(len(l.Classes))]
			if f := c.Faults[rng.IntN(len(c.Faults))]; c.Untestable == "" && !prover.ProveUntestable(f) {
				return l, f, true
			}
		}
	default:
		m := mutantsOf(t, x, 20, rng.Uint64())
		prover := grade.NewProver(m)
		for i := range m.Classes {
			if f := m.Classes[i].Faults[0]; m.Classes[i].Untestable == "" && !prover.ProveUntestable(f) {
				return m, f, true
			}
		}
	}
	return l, gates.StuckAt{}, false
}

// vectorsOf returns the vectors that bench shuttle --explore runs.
func vectorsOf(t *testing.T, x *gates.Tile) []driver.Job {
	t.Helper()
	budget := testkit.Must(time.ParseDuration(cmp.Or(os.Getenv("BENCH_BUDGET"), "1s")))(t)
	explore := station.Exploration{Budget: budget}
	s := plan.Selection{Tile: x, Generate: explore.Suite}
	jobs, err := s.Jobs()
	if failure.KindOf(err) == failure.Nothing {
		s = plan.Selection{Tile: x, RandomSteps: 2000}
		jobs, err = s.Jobs()
	}
	if err != nil {
		t.Fatal(x.Name(), ": ", err)
	}
	return jobs
}

func verdictOf(t *testing.T, x *gates.Tile, d *gates.Design, seed uint64, jobs []driver.Job) driver.Verdict {
	t.Helper()
	tally, err := (&driver.Runner{Transport: d.Device(x.Name(), seed), Tile: x,
		Rules: driver.Rules{FailFast: true}}).Run(t.Context(), jobs)
	if err != nil {
		t.Fatal(x.Name(), ": ", err)
	}
	return tally.Verdict()
}

// mutantsOf returns a list whose classes are mutations of the netlist by Yosys.
func mutantsOf(t *testing.T, x *gates.Tile, n int, seed uint64) *gates.FaultList {
	t.Helper()
	c, _, err := yosys.Mutate(t.Context(), yosys.Design{Top: x.About.Top, Sources: []string{x.About.Netlist},
		ProjectDir: x.About.Dir}, n, seed)
	if err != nil {
		t.Fatal(x.Name(), ": ", err)
	}
	return gates.NewMutationList(testkit.Must(gates.Compile(c))(t))
}
