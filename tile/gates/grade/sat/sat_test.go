package sat

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawn(t *rapid.T, s *Solver, inputs int) []Lit {
	nets := []Lit{False}
	for range inputs {
		nets = append(nets, s.Input())
	}
	pick := func(what string) Lit {
		return rapid.SampledFrom(nets).Draw(t, what) ^ Lit(rapid.IntRange(0, 1).Draw(t, "inverted"))
	}
	for range rapid.IntRange(1, 60).Draw(t, "gates") {
		a, b := pick("a"), pick("b")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			nets = append(nets, s.And(a, b))
		case 1:
			nets = append(nets, s.Xor(a, b))
		default:
			nets = append(nets, s.Mux(pick("c"), a, b))
		}
	}
	return nets
}

// evaluate returns the levels of all gates for given levels of the inputs.
func evaluate(s *Solver, inputs int) []bool {
	levels := make([]bool, len(s.gates))
	of := func(l Lit) bool { return levels[l>>1] != (l&1 != 0) }
	next := 0
	for v, g := range s.gates[1:] {
		if g.a == none {
			levels[v+1] = inputs>>next&1 != 0
			next++
			continue
		}
		levels[v+1] = of(g.a) && of(g.b)
	}
	return levels
}

// A solver's answers to several questions about a random circuit agree with exhaustive evaluation.
func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const inputs = 8
		s := New()
		nets := drawn(t, s, inputs)
		for range 6 {
			want := make([]Lit, rapid.IntRange(1, 4).Draw(t, "wanted"))
			for i := range want {
				want[i] = rapid.SampledFrom(nets).Draw(t, "net") ^ Lit(rapid.IntRange(0, 1).Draw(t, "inverted"))
			}
			all := func(levels []bool) bool {
				return !slices.ContainsFunc(want, func(l Lit) bool { return levels[l>>1] != (l&1 == 0) })
			}
			possible := Impossible
			for in := range 1 << inputs {
				if all(evaluate(s, in)) {
					possible = Possible
				}
			}
			got := s.Solve(0, want...)
			if got != possible {
				t.Fatalf("%v: %v, want %v", want, got, possible)
			}
			if got != Possible {
				want = slices.DeleteFunc(want, func(l Lit) bool { return !s.Core(l) })
				if got := s.Solve(0, want...); got != Impossible {
					t.Fatalf("the core %v is %v", want, got)
				}
				continue
			}
			in := 0
			for i := range inputs {
				if s.Level(nets[1+i]) {
					in |= 1 << i
				}
			}
			if !all(evaluate(s, in)) {
				t.Fatalf("%v: inputs %02X do not satisfy it", want, in)
			}
		}
	})
}

// product returns the product of two numbers, lowest bit first.
func product(s *Solver, a, b []Lit) []Lit {
	sum := make([]Lit, len(a)+len(b))
	for i := range a {
		carry := False
		for k := range b {
			x, y := s.And(a[i], b[k]), sum[i+k]
			half := s.Xor(x, y)
			sum[i+k], carry = s.Xor(half, carry), s.Or(s.And(x, y), s.And(half, carry))
		}
		sum[i+len(b)] = carry
	}
	return sum
}

func number(s *Solver, bits int) []Lit {
	all := make([]Lit, bits)
	for i := range all {
		all[i] = s.Input()
	}
	return all
}

// The solver proves that multiplication is commutative, factors a number, and returns Unknown for a small effort.
func TestMultiplier(t *testing.T) {
	s := New()
	a, b := number(s, 6), number(s, 6)
	ab, ba := product(s, a, b), product(s, b, a)
	differ := False
	for i := range ab {
		differ = s.Or(differ, s.Xor(ab[i], ba[i]))
	}
	if got := s.Solve(10_000, differ); got != Unknown {
		t.Errorf("with little effort: %v", got)
	}
	if got := s.Solve(0, differ); got != Impossible {
		t.Errorf("commutative: %v", got)
	}
	factor := func(n int) Result {
		want := []Lit{}
		for i, l := range ab {
			want = append(want, l^Lit(1-n>>i&1))
		}
		above := func(x []Lit) Lit { // 1
			any := False
			for _, l := range x[1:] {
				any = s.Or(any, l)
			}
			return any
		}
		return s.Solve(0, append(want, above(a), above(b))...)
	}
	for n, want := range map[int]Result{53 * 47: Possible, 61 * 59: Possible, 2503: Impossible, 3001: Impossible} {
		if got := factor(n); got != want {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
	t.Log(s.conflicts, "conflicts,", s.Effort, "inspections")
}
