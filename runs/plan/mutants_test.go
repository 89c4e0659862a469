package plan_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/transport"
)

// The designs and mutants of TestMutants.
const (
	mutatedDesigns = 40
	mutantsOfEach  = 12
)

// TestMutants applies 12 mutations by yosys mutate to the cells of each of 40 random designs of several shuttles, and
// counts those that the vectors of --explore kill. Mutants that provably have no effect do not count.
//
//	BENCH_SHUTTLES  the folders projects of shuttles, separated by colons, with NAME/NAME.v
//	BENCH_SEED      selects other designs and mutations
//	BENCH_BUDGET    of --explore, by default 60s
//	BENCH_DESIGNS   a pattern of the designs' names
func TestMutants(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil || os.Getenv("BENCH_SHUTTLES") == "" {
		t.Skip("needs yosys, and the netlists of shuttles: set BENCH_SHUTTLES to their folders projects")
	}
	rng := rand.New(rand.NewPCG(seed(), 12))
	var all [][]string
	for _, dir := range filepath.SplitList(os.Getenv("BENCH_SHUTTLES")) {
		designs, _ := filepath.Glob(filepath.Join(dir, "*", "info.yaml"))
		rng.Shuffle(len(designs), func(i, k int) { designs[i], designs[k] = designs[k], designs[i] })
		all = append(all, designs)
	}
	only := regexp.MustCompile(os.Getenv("BENCH_DESIGNS"))
	killed, mutants := 0, 0
	more := func(d []string) bool { return len(d) > 0 }
	for i, done := 0, 0; done < mutatedDesigns && slices.ContainsFunc(all, more); i++ {
		designs := &all[i%len(all)]
		if len(*designs) == 0 {
			continue
		}
		dir := filepath.Dir((*designs)[0])
		*designs = (*designs)[1:]
		x := fabricatedTile(dir)
		if x == nil {
			continue
		}
		done++
		seed := rng.Uint64()
		if !only.MatchString(x.Name()) {
			continue
		}
		start := time.Now()
		k, n := kills(t, x, mutantsOf(t, x, mutantsOfEach, seed))
		killed, mutants = killed+k, mutants+n
		t.Logf("%2d %-40s %2d of %2d (%d operations, %v)", done, x.Name(), k, n, x.Design.Program().Ops(),
			time.Since(start).Round(time.Second/10))
	}
	t.Logf("%d of %d mutants are killed, %.1f %%", killed, mutants, 100*float64(killed)/float64(mutants))
}

// fabricatedTile opens a design by its netlist, or returns nil.
func fabricatedTile(dir string) *gates.Tile {
	p, err := project.Open(dir)
	if err != nil {
		return nil
	}
	x, err := gates.Open(p)
	if err != nil || len(grade.NewList(x.Design).Sites) == 0 {
		return nil
	}
	return x
}

// mutantsOf returns a list with yosys's mutations of the netlist as its classes.
func mutantsOf(t *testing.T, x *gates.Tile, n int, seed uint64) *grade.List {
	t.Helper()
	c, _, err := yosys.Mutate(t.Context(), yosys.Design{Top: x.About.Top, Sources: []string{x.About.Netlist},
		Home: x.About.Dir}, n, seed)
	if err != nil {
		t.Fatal(x.Name(), ": ", err)
	}
	return grade.NewMutants(testkit.Must(gates.Compile(c))(t))
}

// kills returns the number of mutants that an exploration's vectors, or all inputs, kill, and of those that may have an
// effect.
func kills(t *testing.T, x *gates.Tile, list *grade.List) (killed, mutants int) {
	t.Helper()
	vectors, exhaustive := searched(t, x)
	prover := grade.NewProver(list)
	list.Classes = slices.DeleteFunc(list.Classes, func(c grade.Class) bool { return prover.Never(c.Faults[0]) })
	got := testkit.Must((&grade.Grader{List: list, Vectors: vectors}).Grade(t.Context()))(t)
	for i, found := range got.Findings {
		f := list.Classes[i].Faults[0]
		switch {
		case found.Outcome == grade.Found, deduced(t, x, list, f, vectors):
			killed++
			mutants++
		case !exhaustive || found.Outcome == grade.Unclear:
			mutants++
			t.Logf("   %s: %s", list.Describe(f), found.Outcome)
		}
	}
	return killed, mutants
}

// deduced reports whether the bench fails chips with a mutation, for any of several states at power-up and all fates of
// floating lines, by what the samples before tell about their state.
func deduced(t *testing.T, x *gates.Tile, list *grade.List, f grade.Fault, vectors []grade.Vector) bool {
	if len(testkit.Must(x.UninitialisedRegisters())(t)) == 0 {
		return false
	}
	d := testkit.Must(list.Inject([]grade.Fault{f}))(t)
	var jobs []driver.Job
	for i := range vectors {
		jobs = append(jobs, driver.Job{Vector: &golden.Vector{Name: "explored/" + vectors[i].Name,
			Sequence: golden.Sequence{Steps: vectors[i].Steps}}})
	}
	for fate := range uint64(4) {
		if verdictOf(t, x, d, fate, jobs) != driver.Fail {
			return false
		}
	}
	return true
}

// searched returns the vectors of an exploration, or all inputs of a tile without state.
func searched(t *testing.T, x *gates.Tile) (vectors []grade.Vector, exhaustive bool) {
	t.Helper()
	if steps := x.AllInputs(); len(steps) > 0 {
		v := grade.Vector{Steps: steps, Want: make([]transport.Sample, len(steps))}
		if err := tile.Expect(x, v.Steps, v.Want); err != nil {
			t.Fatal(err)
		}
		return []grade.Vector{v}, true
	}
	found := testkit.Must((&grade.Explorer{Tile: x, Seed: 1, Budget: budget(time.Minute)}).Find(t.Context()))(t)
	t.Logf("   %d vectors, work %.2g", len(found.Vectors), float64(found.Work))
	return found.Vectors, false
}
