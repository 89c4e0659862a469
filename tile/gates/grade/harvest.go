package grade

import (
	"cmp"
	"context"
	"slices"

	"utfbench/tile/gates"
)

// harvest grades the lanes that led to most new levels and values, and random ones.
func (e *Explorer) harvest(ctx context.Context) error {
	order := e.rng.Perm(lanes)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.lanes[b].fresh, e.lanes[a].fresh) })
	n := 0
	for n < mostFresh && e.lanes[order[n]].fresh > 0 {
		n++
	}
	order = append(order[:n:n], order[lanes-others:]...)
	tried := make([]Vector, len(order))
	for k, i := range order {
		tried[k] = Vector{Steps: e.lanes[i].steps, Want: e.lanes[i].want}
	}
	found, err := e.try(ctx, tried)
	if err != nil {
		return err
	}
	for k, i := range order {
		if found[k] > 0 {
			e.note(&e.lanes[i], e.chip, i)
		}
	}
	return nil
}

// note saves a vector's state as a place to continue from.
func (e *Explorer) note(l *lane, c *gates.Chip, vector int) {
	if BoardTime(l.steps)*vectorShare > e.Budget {
		return
	}
	if e.inverted *= 0.98; l.inverted {
		e.inverted += 0.02
	}
	e.inverted = min(max(e.inverted, 0.03), mostInverted)
	if e.useful = append(e.useful, l.hold); len(e.useful) > mostUseful {
		e.useful = e.useful[1:]
	}
	at := len(e.old)
	if at == mostPlaces {
		at = e.rng.IntN(mostPlaces)
	} else {
		e.old = append(e.old, place{})
	}
	e.old[at] = place{slices.Clone(l.steps), slices.Clone(l.want)}
	e.places.CopyVector(c, vector, at)
}

// try keeps the vectors that show open faults, up to the last step that shows one, within the board time. It returns
// the number of faults by vector.
func (e *Explorer) try(ctx context.Context, vectors []Vector) ([]int, error) {
	if len(vectors) == 0 {
		return nil, nil
	}
	got, err := e.grade(ctx, vectors, e.open)
	if err != nil {
		return nil, err
	}
	for _, v := range got.Showing(vectors) {
		if time := BoardTime(v.Steps); e.spent+time <= e.Budget {
			e.spent += time
			e.kept = append(e.kept, v)
		}
	}
	e.open = slices.DeleteFunc(e.open, func(class int32) bool { return got.Findings[class].Outcome == Found })
	return got.Firsts(len(vectors)), nil
}

// grade grades vectors against some classes, with a part of the budget.
func (e *Explorer) grade(ctx context.Context, vectors []Vector, classes []int32) (*Grading, error) {
	g := Grader{List: e.list, Vectors: vectors, Only: classes, Known: true, patient: true,
		Budget: e.workBudget() / gradeShare}
	got, err := g.Grade(ctx)
	if err == nil {
		e.work += got.Work
	}
	return got, err
}
