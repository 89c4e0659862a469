package grade

import (
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

// TestAnswers compares proofs and searches for the faults of random circuits with ternary simulations of random
// vectors. No vector shows a fault that a proof or a search excludes, and the steps that a search finds show the fault
// unless they drive a line that the design may also drive.
func TestAnswers(t *testing.T) {
	const depth = 3
	for _, wild := range []bool{false, true} {
		never, shown, after, traced := 0, 0, 0, 0
		trials := uint64(testkit.Pick(2, 20))
		if wild {
			trials = trials/2 + 1
		}
		for seed := range trials {
			r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: wild}
			d := mustCompile(t, r.tile())
			l, o := gates.NewFaultList(d), newOrder(d)
			p := newProver(l, o)
			f := newFrames(o, railsOf(d.NewChip(nil), len(d.Circuit.Nets), 0))
			vectors := randomVectors(d, rand.New(rand.NewPCG(seed, 5)), 100, 16)
			got := testkit.Must((&Grader{List: l, Classes: allOf(l), Vectors: vectors}).Grade(t.Context()))(t)
			vectors = slices.DeleteFunc(vectors, func(v Vector) bool { return v.Steps[0].Clocks == 0 })
			reset := testkit.Must((&Grader{List: l, Classes: allOf(l), Vectors: vectors}).Grade(t.Context()))(t)
			deep := newProver(l, o)
			deep.reach = &reachability{first: map[sat.Lit]rail{}, reset: true}
			for i, c := range l.Classes {
				if i%testkit.Pick(5, 1) != 0 {
					continue
				}
				fault, found := c.Faults[0], got.Findings[i]
				proved := p.ProveUntestable(fault)
				if proved {
					never++
				}
				if proved && found.Outcome == Found {
					t.Errorf("%d: %s shows, and is proved not to", seed, l.Describe(fault))
				}
				if deep.ProveUntestable(fault) && !proved {
					after++
					if reset.Findings[i].Outcome == Found {
						t.Errorf("%d: %s shows after a reset, and is proved not to", seed, l.Describe(fault))
					}
				} else if deep.reach.path != nil {
					traced++
				}
				rig := testkit.Must(NewFaultMachine(l, []gates.StuckAt{fault}))(t)
				f.begin(rig.chip, 0)
				a := f.search(defectOf(l, fault), 0, effort{depth, 100_000})
				switch {
				case a.Result == sat.Impossible && found.Outcome == Found && found.Step < depth-1:
					t.Errorf("%d: %s shows at step %d, and is proved not to within %d clocks", seed, l.Describe(fault),
						found.Step, depth)
				case a.Result == sat.Possible && proved:
					t.Errorf("%d: %s never shows, and is found to", seed, l.Describe(fault))
				case a.Result == sat.Possible && confirmed(d, rig, a.steps):
					shown++
				}
			}
		}
		t.Logf("wild %v: %d never show, %d after a reset, %d are shown, %d traced", wild, never, after, shown, traced)
		if never == 0 || shown == 0 || !wild && traced == 0 {
			t.Error("the test compares too little")
		}
	}
}

func confirmed(d *gates.Design, rig *FaultMachine, steps []transport.Step) bool {
	chip, want := d.NewChip(nil), transport.Sample{}
	for i := range steps {
		want = chip.Apply(&steps[i])
	}
	rig.Run([][]transport.Step{steps}, func(int) bool { return true })
	found, _ := rig.DifferingLanes([]Expectation{Expect(&steps[len(steps)-1], &want)})
	return found != 0
}

func allOf(l *gates.FaultList) []int32 {
	all := make([]int32, len(l.Classes))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
