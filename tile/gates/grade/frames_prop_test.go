package grade

import (
	"context"
	"math/rand/v2"
	"testing"

	"utfbench/internal/sat"
	"utfbench/internal/testkit"
	"utfbench/transport"
)

// TestAnswers compares the answers about the faults of random circuits with the ternary simulation of many vectors: what
// a proof excludes no vector shows, and what a search finds its steps show.
func TestAnswers(t *testing.T) {
	const depth = 3
	for _, wild := range []bool{false, true} {
		never, older, both, within, shown, unconfirmed := 0, 0, 0, 0, 0, 0
		for seed := range uint64(env("TRIALS", 3)) {
			r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: wild}
			d := mustCompile(t, r.tile())
			l, o := NewList(d), newOrder(d)
			p := newProver(l, o, nil, 200)
			f := newFrames(o, railsOf(d.NewChip(nil), len(d.Circuit.Nets), 0))
			got := testkit.Must((&Grader{List: l, Known: true, Only: l.All(),
				Vectors: randomVectors(d, rand.New(rand.NewPCG(seed, 5)), 100, 16)}).Grade(context.Background()))(t)
			for i, c := range l.Classes {
				fault := c.Faults[0]
				found := got.Findings[i]
				old := l.Equivalent(fault)
				is := p.never(fault)
				switch {
				case is && old:
					both++
				case old:
					older++
					t.Log("only older:", seed, l.Describe(fault))
				case is:
					never++
				}
				if is && found.Outcome == Found {
					t.Errorf("%d: %s shows, and is proved not to", seed, l.Describe(fault))
				}
				rig := testkit.Must(l.NewRig([]Fault{fault}))(t)
				f.begin(rig.chip, 0)
				a := f.search(l.defectOf(fault), effort{depth, 50})
				switch a.Result {
				case sat.Impossible:
					within++
					if is := found; is.Outcome == Found && clocksOf(got, is) < depth-1 {
						t.Errorf("%d: %s shows after %d clocks, and is proved not to within %d", seed, l.Describe(fault),
							clocksOf(got, is), depth)
					}
				case sat.Possible:
					shown++
					if is {
						t.Errorf("%d: %s never shows, and is found to", seed, l.Describe(fault))
					}
					v := Vector{Steps: a.steps, Want: make([]transport.Sample, len(a.steps))}
					chip := d.NewChip(nil)
					for i := range v.Steps {
						v.Want[i] = chip.Apply(&v.Steps[i])
					}
					rig.Run([][]transport.Step{v.Steps}, func(int) bool { return true })
					n := len(v.Steps) - 1
					if found, _ := rig.Differ([]Look{Expect(&v.Steps[n], &v.Want[n])}); found == 0 {
						unconfirmed++
					}
				}
			}
		}
		t.Log(wild, "never, only new:", never, "only older", older, "both", both, "within", within, "shown", shown, "unconfirmed", unconfirmed)
	}
}

func clocksOf(g *Grading, f Finding) int { return f.Step }
