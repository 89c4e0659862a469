package grade

import (
	"cmp"
	"context"
	"slices"
)

// Count returns the number of classes with an outcome.
func (g *Grading) Count(of Outcome) (n int) {
	for _, f := range g.Findings {
		if f.Outcome == of {
			n++
		}
	}
	return n
}

// Showing returns the graded vectors that are the first to show a fault, each up to the last such step.
func (g *Grading) Showing(vectors []Vector) (all []Vector) {
	for i, n := range g.shown(len(vectors)) {
		if v := vectors[i]; n.classes > 0 {
			all = append(all, Vector{Name: v.Name, Steps: v.Steps[:n.steps], Want: v.Want[:n.steps]})
		}
	}
	return all
}

// Firsts returns, for each of n vectors, the number of classes that it is the first to show.
func (g *Grading) Firsts(n int) []int {
	classes := make([]int, n)
	for i, s := range g.shown(n) {
		classes[i] = s.classes
	}
	return classes
}

// A show is the number of classes that a vector is the first to show, and the number of steps needed.
type show struct{ classes, steps int }

func (g *Grading) shown(n int) []show {
	all := make([]show, n)
	for _, f := range g.Findings {
		if f.Outcome == Found {
			s := &all[f.Vector]
			s.classes, s.steps = s.classes+1, max(s.steps, f.Step+1)
		}
	}
	return all
}

// Compact returns the indexes of vectors with the same coverage as the graded ones, in few steps. The first kept ones
// are always included. The result need not be minimal: compaction stops before a pass that exceeds the budget (see
// Grader).
func (g *Grading) Compact(ctx context.Context, vectors []Vector, kept, budget int) ([]int, error) {
	found := []int32{} // not nil, which is all
	for i, f := range g.Findings {
		if f.Outcome == Found {
			found = append(found, int32(i))
		}
	}
	order := make([]int, len(vectors))
	for i := range order {
		order[i] = i
	}
	slices.Reverse(order[kept:]) // late vectors find the hardest faults
	for pass := range passes {
		some := make([]Vector, len(order))
		for i, v := range order {
			some[i] = vectors[v]
		}
		got, err := (&Grader{List: g.List, Vectors: some, Only: found, Budget: budget}).Grade(ctx)
		if err != nil {
			return nil, err
		}
		if got.Unsettled() > 0 {
			break
		}
		order = fewer(order, kept, got.Firsts(len(some)), vectors)
		if pass%2 == 1 {
			slices.Reverse(order[kept:])
		}
	}
	slices.Sort(order)
	return order, nil
}

// passes is the number of passes that drop vectors without faults of their own.
const passes = 7

// fewer drops the vectors that are the first to show nothing, and sorts the others by their faults per step.
func fewer(order []int, kept int, firsts []int, vectors []Vector) (rest []int) {
	worth := map[int]float64{}
	rest = append(rest, order[:kept]...)
	for i, v := range order[kept:] {
		if n := firsts[kept+i]; n > 0 {
			worth[v] = float64(n) / float64(len(vectors[v].Steps))
			rest = append(rest, v)
		}
	}
	slices.SortStableFunc(rest[kept:], func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return rest
}
