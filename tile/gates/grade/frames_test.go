package grade

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

// TestAnswers compares the answers about the faults of random circuits with the ternary simulation of random vectors:
// no vector shows what a proof or a search excludes, and the steps that a search finds show the fault, unless they
// drive a line that the design may drive, too.
func TestAnswers(t *testing.T) {
	const depth = 3
	for _, wild := range []bool{false, true} {
		never, shown := 0, 0
		trials := uint64(testkit.Pick(2, 20))
		if wild {
			trials = trials/2 + 1
		}
		for seed := range trials {
			r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: wild}
			d := mustCompile(t, r.tile())
			l, o := NewList(d), newOrder(d)
			p := newProver(l, o)
			f := newFrames(o, railsOf(d.NewChip(nil), len(d.Circuit.Nets), 0))
			vectors := randomVectors(d, rand.New(rand.NewPCG(seed, 5)), 100, 16)
			got := testkit.Must((&Grader{List: l, Known: true, Only: allOf(l), Vectors: vectors}).Grade(
				context.Background()))(t)
			for i, c := range l.Classes {
				if i%testkit.Pick(5, 1) != 0 {
					continue
				}
				fault, found := c.Faults[0], got.Findings[i]
				proved := p.Never(fault)
				if proved {
					never++
				}
				if proved && found.Outcome == Found {
					t.Errorf("%d: %s shows, and is proved not to", seed, l.Describe(fault))
				}
				rig := testkit.Must(l.NewRig([]Fault{fault}))(t)
				f.begin(rig.chip, 0)
				a := f.search(l.defectOf(fault), 0, effort{depth, 100_000})
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
		t.Logf("wild %v: %d never show, %d are shown", wild, never, shown)
		if never == 0 || shown == 0 {
			t.Error("the test compares too little")
		}
	}
}

// TestOnlyChangesAreEvaluated compares phases of random circuits with those in which every net is evaluated.
func TestOnlyChangesAreEvaluated(t *testing.T) {
	evaluated, of := 0, 0
	for seed := range uint64(testkit.Pick(12, 120)) {
		r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: seed%2 == 1}
		d := mustCompile(t, r.tile())
		l, o := NewList(d), newOrder(d)
		fault := l.Classes[seed%uint64(len(l.Classes))].Faults[0]
		for name, begin := range map[string]func() (*frames, *defect){
			"free state": func() (*frames, *defect) { return newMatch(o, l.defectOf(fault)).f, l.defectOf(fault) },
			"power-up": func() (*frames, *defect) {
				return newFrames(o, railsOf(d.NewChip(nil), len(d.Circuit.Nets), 0)), nil
			},
		} {
			some, bad := begin()
			all, _ := begin()
			for _, v := range randomVectors(d, rand.New(rand.NewPCG(seed, 8)), 1, 40) {
				for i := range v.Steps {
					for _, clk := range []bool{false, true} {
						for g := range all.stale {
							all.stale[g] = true
						}
						some.add(clk, fixed(&v.Steps[i]), bad)
						all.add(clk, fixed(&v.Steps[i]), bad)
						if p := len(all.good) - 1; !slices.Equal(some.good[p], all.good[p]) {
							t.Fatalf("%d, %s: phase %d differs", seed, name, p)
						}
					}
				}
			}
			evaluated, of = evaluated+some.evaluated, of+all.evaluated
		}
	}
	if evaluated*4 > of*3 {
		t.Errorf("%d of %d nets are evaluated", evaluated, of)
	}
}

// confirmed reports whether steps show the fault of a machine in their last sample.
func confirmed(d *gates.Design, rig *Rig, steps []transport.Step) bool {
	chip, want := d.NewChip(nil), transport.Sample{}
	for i := range steps {
		want = chip.Apply(&steps[i])
	}
	rig.Run([][]transport.Step{steps}, func(int) bool { return true })
	found, _ := rig.Differ([]Look{Expect(&steps[len(steps)-1], &want)})
	return found != 0
}

// allOf returns the classes of a list, the untestable ones, too.
func allOf(l *List) []int32 {
	all := make([]int32, len(l.Classes))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
