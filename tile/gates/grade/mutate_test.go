package grade

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
)

// TestMutants compares the grades of mutants with circuits in which each is built separately; no vector finds a
// provably equivalent one.
func TestMutants(t *testing.T) {
	found, equal := 0, 0
	for seed := range uint64(3) {
		r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: seed%2 == 1}
		d := mustCompile(t, r.tile())
		vectors := randomVectors(d, rand.New(rand.NewPCG(seed, 4)), 66, 8)
		l := NewList(d).Mutants(80, seed)
		prover := NewProver(l)
		got := testkit.Must((&Grader{List: l, Vectors: vectors, Only: l.All()}).Grade(context.Background()))(t)
		for i, c := range l.Classes {
			f, has := c.Faults[0], got.Findings[i]
			if prover.Never(f) {
				equal++
				if has.Outcome == Found {
					t.Errorf("%s is equivalent, and found", l.Describe(f))
				}
			}
			alone := l.alone(t, f)
			is := ask(alone, vectors)
			if is.Outcome != Found && has.Outcome == Found && convicted(alone, vectors) {
				is.Outcome = Found // whatever the state is
			}
			if !r.wild && is.Outcome != has.Outcome && (is.Outcome == Found || has.Outcome == Found) {
				t.Errorf("%s: by itself %v, graded %v", l.Describe(f), is.Outcome, has.Outcome)
			}
			if has.Outcome == Found {
				found++
			}
		}
	}
	t.Logf("%d found, %d equivalent", found, equal)
	if found < 20 || equal < 10 {
		t.Error("the test compares too little")
	}
}

// alone returns the design with a mutation in all vectors.
func (l *List) alone(t *testing.T, f Fault) *gates.Design {
	j := l.mutated(f)
	return testkit.Must(l.Design.Forced(j.c, nil))(t)
}

// TestDetect compares the counts of the vectors that find a stuck pin with each vector graded by itself.
// With seed 2 no fault shows from some power-up states only, which grading decides by samples.
func TestDetect(t *testing.T) {
	const enough = 3
	r := random{rng: rand.New(rand.NewPCG(2, 3))}
	d := mustCompile(t, r.tile())
	vectors := randomVectors(d, rand.New(rand.NewPCG(2, 4)), 66, 8)
	l := NewList(d)
	grade := func(detect int, vectors ...Vector) *Grading {
		got, err := (&Grader{List: l, Vectors: vectors, Only: l.All(), Detect: detect}).Grade(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	by := make([]int, len(l.Classes))
	for _, v := range vectors {
		for i, f := range grade(1, v).Findings {
			if f.Outcome == Found && by[i] < enough {
				by[i]++
			}
		}
	}
	got, want := grade(enough, vectors...), make([]int, enough)
	for i, n := range by {
		if n > 0 {
			want[n-1]++
		}
		if has := len(got.By[i]); has != n {
			t.Errorf("%s: found by %d vectors, want %d", l.Describe(l.Classes[i].Faults[0]), has, n)
		}
	}
	if has := got.Detected(); !slices.Equal(has, want) || slices.Contains(has, 0) {
		t.Errorf("found by 1, 2 and 3 vectors: %d, want %d, each more than 0", has, want)
	}
}

// mutated returns the circuit with a fault in all vectors.
func (l *List) mutated(f Fault) *injection {
	j := l.injection()
	if f.flips {
		j.flip(f, sim.One)
		return j
	}
	j.replace(f, func(_ sim.Net, inverted bool) sim.Net {
		if f.Level != inverted {
			return sim.One
		}
		return sim.Zero
	})
	return j
}
