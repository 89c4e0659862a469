package grade

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport"
)

// openShuttle opens a design of a shuttle.
func openShuttle(t testing.TB, name string) *gates.Tile {
	t.Helper()
	dir := os.Getenv("UTFBENCH_NETLISTS")
	if dir == "" {
		t.Skip("needs the netlists of a shuttle: set UTFBENCH_NETLISTS to its folder projects, with NAME/NAME.v")
	}
	p, err := project.Open(filepath.Join(dir, name))
	if err != nil {
		t.Skip(err)
	}
	return testkit.Must(gates.Open(p))(t)
}

// stepsAtRandom returns vectors of random steps with the reference's samples.
func stepsAtRandom(t testing.TB, x *gates.Tile, n, steps int) (all []Vector) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		v := Vector{Want: make([]transport.Sample, steps)}
		var err error
		if v.Steps, err = tile.Random(x, rng, steps); err != nil {
			t.Fatal(err)
		}
		if err := tile.Expect(x, v.Steps, v.Want); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// TestCellFaults compares the grades of fabricated netlists with netlists that have one fault in a cell, as by --fault
// cell:.
func TestCellFaults(t *testing.T) {
	faults := 100
	if testing.Short() {
		faults = 10
	}
	for _, name := range []string{"tt_um_rebeccargb_hardware_utf8", "tt_um_dff_mem", "tt_um_michaelmcculloch_alu",
		"tt_um_urish_simon", "tt_um_rejunity_ay8913"} {
		t.Run(name, func(t *testing.T) {
			x := openShuttle(t, name)
			l, vectors := NewList(x.Design), stepsAtRandom(t, x, 20, 50)
			got := testkit.Must((&Grader{List: l, Vectors: vectors}).Grade(context.Background()))(t)
			found := 0
			for range faults {
				class := rand.IntN(len(l.Classes))
				f := l.Classes[class].Faults[rand.IntN(len(l.Classes[class].Faults))]
				s := &l.Sites[f.Site]
				if strings.Contains(s.Pin, ",") {
					continue
				}
				cell := gates.CellFault{Cell: x.Design.Circuit.Parts[s.Part].Name, Pin: s.Pin, Level: f.Level}
				d, _, err := gates.OpenFile(x.About.Netlist, "", []gates.CellFault{cell})
				if err != nil {
					t.Fatal(err)
				}
				is, has := ask(d, vectors), got.Findings[class]
				switch { // a flip-flop without a clock is found if both of its levels are
				case is.Outcome == Found && is == has, is.Outcome != Found && has.Outcome != Found:
				case is.Outcome != Found && convicted(d, vectors[:has.Vector+1]):
				default:
					t.Errorf("%s: by itself %v %d, %d, graded %v %d, %d", &cell, is.Outcome, is.Vector, is.Step,
						has.Outcome, has.Vector, has.Step)
				}
				if is.Outcome == Found {
					found++
				}
			}
			t.Logf("%d of %d faults are found", found, faults)
		})
	}
}

// TestShuttle prints the grades of fabricated netlists with random steps.
func TestShuttle(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("UTFBENCH_NETLISTS"), "*", "info.yaml"))
	for _, dir := range dirs {
		name := filepath.Base(filepath.Dir(dir))
		x := openShuttle(t, name)
		vectors := stepsAtRandom(t, x, 100, 200)
		start := time.Now()
		l := NewList(x.Design)
		listed := time.Since(start)
		got := testkit.Must((&Grader{List: l, Vectors: vectors}).Grade(context.Background()))(t)
		var n [len(outcomes)]int
		for _, f := range got.Findings {
			n[f.Outcome]++
		}
		testable := len(l.Classes) - n[Untestable]
		t.Logf("%-40s %6d faults %6d classes %5d untestable %6.2f %% found of %d; inactive %d unclear %d unseen %d; "+
			"%d idle; list %v, all %v, work %.2g", name, 2*len(l.Sites), len(l.Classes), n[Untestable],
			100*float64(n[Found])/float64(testable), testable, n[Inactive], n[Unclear], n[Unseen], len(got.Idle),
			listed.Round(time.Millisecond), time.Since(start).Round(time.Millisecond), float64(got.Work))
	}
}
