package grade

import (
	"context"
	"time"
)

// Limits of the vectors that are not graded.
const (
	mostMore     = 1 << 21                 // steps of vectors that are not graded
	fillShare    = 4                       // share of the work for short ones
	stretchShare = 4                       // share of the rest of the board time for long ones
	walkShare    = 2                       // share of the rest of the board time and steps for walks
	stretches    = 16                      // of a large board time
	pictureTime  = 1500 * time.Millisecond // of the shortest stretch: 420,000 clocks of VGA in steps of 4
	mostMisses   = 4                       // long ones without a change at the outputs
)

// fill adds vectors that are not graded: they may show faults that the sample does not represent. It begins with long
// ones, up to a quarter of the board time, which show most for their work; walks follow, up to half of the rest, then
// short ones, until none of a round fits into the board time or the steps.
func (e *Explorer) fill(ctx context.Context) {
	end := e.work + e.workBudget()
	each := max(e.Budget/stretches, pictureTime)
	for misses, left := 0, (e.Budget-e.spent)/stretchShare; misses < mostMisses && left > 0 && e.work < end; {
		spent, near := e.spent, min(left, each)
		e.stretch(ctx, near, max(near, left/2), end-e.work)
		if e.spent == spent {
			misses++
		}
		left -= e.spent - spent
	}
	e.walk(ctx)
	end = e.work + e.workBudget()/fillShare
	for before := -1; e.steps > before && e.work < end && ctx.Err() == nil; {
		before = e.steps
		e.grow(ctx, [...]int{quick, quick, quick, slow}[e.rng.IntN(4)])
		e.addAll()
	}
}

// walk adds 64 vectors with as many quick moves as there is board time and work for: a processor's registers become
// known slowly, and their contents reach the outputs later still.
func (e *Explorer) walk(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	end := e.work + e.workBudget()
	limit := min(e.Budget-e.spent, stepTime*time.Duration(mostMore-e.steps)) / walkShare / lanes
	e.sow(quick)
	for e.work < end && ctx.Err() == nil && BoardTime(e.lanes[0].steps) < limit {
		e.phase(ctx, quick)
	}
	e.addAll()
}

// addAll adds the vectors of all lanes.
func (e *Explorer) addAll() {
	for i := range e.lanes {
		e.add(&e.lanes[i])
	}
}

// add adds a vector that is not graded, if there is board time for it.
func (e *Explorer) add(l *lane) {
	if time := BoardTime(l.steps); e.spent+time <= e.Budget && e.steps < mostMore {
		e.spent, e.steps = e.spent+time, e.steps+len(l.steps)
		e.more = append(e.more, Vector{Steps: l.steps, Want: l.want})
	}
}
