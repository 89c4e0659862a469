// Package explore searches for vectors that show as many faults inside a tile as possible.
//
// # Method
//
// The good chip runs 64 vectors side by side, composed of moves (moves.go): levels that are held, random levels,
// single bits, values that the tile compares with (mine.go), pieces of the author's own vectors, characters of serial
// protocols. Package grade grades vectors that give a net a new level against the faults not yet found. Vectors that
// find one are kept, and others continue from their final state; the number of clocks in a move follows earlier
// success.
//
// For a large tile a sample of the faults represents all: vectors that show the sample show as large a share of the
// rest.
//
// A small state machine is toured first (tour.go).
//
// The search ends when all faults are found, when nothing new has been found for a while, or when its budget is used
// up. The budget is an amount of computation, not time, so that the same seed has the same result on every machine.
package explore

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/circuit"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// The time that a step and a clock take on a board.
const (
	stepTime  = 10 * time.Microsecond
	clockTime = time.Microsecond
)

// BoardTime returns the time that steps take on a board.
func BoardTime(steps []transport.Step) (d time.Duration) {
	for i := range steps {
		d += stepTime + time.Duration(steps[i].Clocks)*clockTime
	}
	return d
}

// An Explorer searches for vectors. Set the exported fields and call Find.
type Explorer struct {
	Tile   *gates.Tile
	Seed   uint64
	Budget time.Duration // on a board, for all vectors
	Known  []grade.Vector

	rng      *rand.Rand
	list     *grade.List
	chip     *gates.Chip
	before   *gates.Chip // the state before a step
	places   *gates.Chip // new states, to continue from
	old      []place     // of places
	frame    gates.Frame
	lanes    [lanes]lane
	nets     []circuit.Net
	had      []uint8 // by index of nets: 1 for the level 0, 2 for the level 1
	mined    mined
	lines    lines
	useful   []int   // clocks of moves that led to something new
	inverted float64 // share of moves at the level of a reset, by what they led to
	paces    [paces]pace
	sample   []int32 // classes
	open     []int32 // those that no vector shows yet
	kept     []grade.Vector
	whole    int // the first of them, which are kept whole
	spent    time.Duration
	work     int
}

const lanes = 64

// A place is the vector that led to a state.
type place struct {
	steps []transport.Step
	want  []transport.Sample
}

// A lane is a growing vector.
type lane struct {
	place
	now      transport.Step   // current levels
	todo     []transport.Step // the rest of its move
	hold     int              // clocks of its move
	inverted bool             // rst_n has the level of a reset
	wild     bool             // all quick moves are random levels
	fresh    int              // number of nets that got a new level
}

// A Finding is the result of a search.
type Finding struct {
	Vectors []grade.Vector
	Whole   int            // the first ones are a Tour
	Grading *grade.Grading // of the vectors
	Work    int
}

// mostFaults is the maximum number of simulated faults.
const mostFaults = 8 * lanes

// The search's work per second of board time, and limits on episodes without a result.
const (
	workPerSecond = 150_000_000
	gradeShare    = 24 // share of the work for grading vectors once against the open faults
	phaseShare    = 8  // share of the work for a phase
	patience      = 24
	mostPlaces    = lanes
	mostUseful    = 32
	longest       = 20 // maximum share of the budget for a vector
)

// Find searches for vectors and returns them in the order of discovery.
func (e *Explorer) Find(ctx context.Context) (*Finding, error) {
	e.begin()
	if err := e.tour(ctx); err != nil {
		return nil, err
	}
	if err := e.try(ctx, e.Known); err != nil {
		return nil, err
	}
	for idle := 0; idle < patience && e.work < e.workBudget() && e.spent < e.Budget && len(e.open) > 0; idle++ {
		before := len(e.open)
		if err := e.episode(ctx); err != nil {
			return nil, err
		}
		if len(e.open) < before {
			idle = 0
		}
	}
	got, err := (&grade.Grader{List: e.list, Vectors: e.kept, Budget: e.workBudget()}).Grade(ctx)
	if err != nil {
		return nil, err
	}
	return &Finding{e.kept, e.whole, got, e.work + got.Work}, nil
}

func (e *Explorer) begin() {
	d := e.Tile.Design
	e.rng = rand.New(rand.NewPCG(e.Seed, 2))
	e.list = grade.NewList(d)
	e.chip, e.before, e.places = d.NewChip(nil), d.NewChip(nil), d.NewChip(nil)
	for i := range e.list.Sites {
		if s := &e.list.Sites[i]; s.Out {
			e.nets = append(e.nets, s.Net)
		}
	}
	e.had = make([]uint8, len(e.nets))
	for _, i := range e.rng.Perm(len(e.list.Classes)) {
		if e.list.Classes[i].Untestable == "" && len(e.open) < mostFaults {
			e.open = append(e.open, int32(i))
		}
	}
	e.sample = slices.Clone(e.open)
	e.mined = mine(d.Circuit)
	e.lines = linesOf(e.Tile.About)
	e.inverted = 0.05
	for i := range e.paces {
		e.paces[i] = pace{gain: 1, work: 1}
	}
}

// tour begins with a tour of a small state machine.
func (e *Explorer) tour(ctx context.Context) error {
	all := Tour(e.Tile)
	time := time.Duration(0)
	for i := range all {
		time += BoardTime(all[i].Steps)
	}
	if time > e.Budget {
		return nil
	}
	err := e.try(ctx, all)
	e.kept, e.whole, e.spent = all, len(all), time
	return err
}

// episode grows 64 vectors in parallel, and grades those with something new.
func (e *Explorer) episode(ctx context.Context) error {
	e.chip.Reset()
	for i := range e.lanes {
		e.lanes[i] = lane{now: transport.Step{In: e.Tile.Idle()}, inverted: e.rng.Float64() < e.inverted,
			wild: e.rng.IntN(2) == 0}
		e.lanes[i].todo = append(e.lanes[i].todo, tile.Reset(e.Tile))
	}
	e.tick(1)
	for i := range e.lanes {
		if len(e.old) > 0 && e.rng.IntN(2) == 0 {
			e.resume(i, e.rng.IntN(len(e.old)))
		}
	}
	phases := 1 + e.rng.IntN(6)
	for range phases {
		at := e.choose()
		work, open := e.work, len(e.open)
		for i := range e.lanes {
			e.lanes[i].todo, e.lanes[i].fresh = e.lanes[i].todo[:0], 0
		}
		e.phase(at)
		if err := e.harvest(ctx, triesAt[at]); err != nil {
			return err
		}
		e.paces[at].gain += float64(open - len(e.open))
		e.paces[at].work += float64(e.work - work)
	}
	return nil
}

// resume makes a lane continue from a place.
func (e *Explorer) resume(lane, from int) {
	l := &e.lanes[lane]
	l.steps, l.want = slices.Clone(e.old[from].steps), slices.Clone(e.old[from].want)
	l.now = l.steps[len(l.steps)-1]
	e.chip.CopyVector(e.places, from, lane)
}

// phase makes all lanes do moves of one pace, and records the levels of nets.
func (e *Explorer) phase(at int) {
	work := e.chip.Work()
	seen := e.chip.Watch()
	for n := paceTicks[at]; n > 0 && e.chip.Work()-work < e.workBudget()/phaseShare; n-- {
		e.tick(at)
	}
	for i, n := range e.nets {
		is := seen.Known(n)
		for bit, vectors := range [2]uint64{is.Lo, is.Hi} {
			if e.had[i]>>bit&1 != 0 || vectors == 0 {
				continue
			}
			e.had[i] |= 1 << bit
			for k := range e.lanes {
				e.lanes[k].fresh += int(vectors >> k & 1)
			}
		}
	}
	e.work += e.chip.Work() - work
}

// tick applies a step in all lanes.
func (e *Explorer) tick(at int) {
	may, always := e.Tile.Driven()
	f := &e.frame
	f.Pulses = f.Pulses[:0]
	for i := range e.lanes {
		l := &e.lanes[i]
		if len(l.todo) == 0 {
			e.move(l, at)
		}
		l.now = l.todo[0]
		l.todo = l.todo[1:]
		if len(l.steps) > 0 { // the reset is the tile's own
			l.now.Drive, l.now.Linger = ^always, false
		}
		f.Put(i, &l.now)
	}
	if may != always {
		e.chip.Careful(e.before, f)
	} else {
		e.chip.Step(f)
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		s := l.now
		for k := range f.Drive {
			s.Drive &^= uint8(^f.Drive[k]>>i&1) << k
		}
		s.IO &= s.Drive
		l.steps, l.want = append(l.steps, s), append(l.want, e.chip.Sample(i))
	}
}

// triesAt holds the number of vectors graded after a phase, fewer of the long ones.
var triesAt = [paces]int{24, 8, 1}

// harvest grades the lanes that gave most nets a new level, and random ones.
func (e *Explorer) harvest(ctx context.Context, most int) error {
	order := e.rng.Perm(lanes)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.lanes[b].fresh, e.lanes[a].fresh) })
	var tried []grade.Vector
	for _, i := range order[:most] {
		l := &e.lanes[i]
		if BoardTime(l.steps)*longest > e.Budget {
			continue
		}
		tried = append(tried, grade.Vector{Steps: slices.Clone(l.steps), Want: slices.Clone(l.want)})
		if l.fresh > 0 {
			e.note(i)
		}
	}
	return e.try(ctx, tried)
}

// note saves a lane's state as a place to continue from.
func (e *Explorer) note(lane int) {
	l := &e.lanes[lane]
	p := place{slices.Clone(l.steps), slices.Clone(l.want)}
	if e.inverted *= 0.98; l.inverted {
		e.inverted += 0.02
	}
	e.inverted = min(max(e.inverted, 0.03), 0.9)
	if e.useful = append(e.useful, l.hold); len(e.useful) > mostUseful {
		e.useful = e.useful[1:]
	}
	if len(e.old) < mostPlaces {
		e.old = append(e.old, p)
		e.places.CopyVector(e.chip, lane, len(e.old)-1)
		return
	}
	at := e.rng.IntN(mostPlaces)
	e.old[at] = p
	e.places.CopyVector(e.chip, lane, at)
}

// try keeps the vectors that show open faults, up to the last step that shows one.
func (e *Explorer) try(ctx context.Context, vectors []grade.Vector) error {
	if len(vectors) == 0 {
		return nil
	}
	got, err := e.grade(ctx, vectors, e.open)
	if err != nil {
		return err
	}
	e.work += got.Work
	e.open = slices.DeleteFunc(e.open, func(class int32) bool { return got.Findings[class].Outcome == grade.Found })
	for _, v := range got.Showing(vectors) {
		v.Name = fmt.Sprintf("%05d", len(e.kept)+1)
		e.spent += BoardTime(v.Steps)
		e.kept = append(e.kept, v)
	}
	return nil
}

// grade grades vectors against some classes, with a part of the budget.
func (e *Explorer) grade(ctx context.Context, vectors []grade.Vector, classes []int32) (*grade.Grading, error) {
	g := grade.Grader{List: e.list, Vectors: vectors, Only: classes, Budget: e.workBudget() / gradeShare}
	return g.Grade(ctx)
}

func (e *Explorer) workBudget() int { return int(e.Budget.Seconds() * workPerSecond) }

// Compact drops vectors without faults of their own, but none of a tour.
func (f *Finding) Compact(ctx context.Context) error {
	keep, err := f.Grading.Compact(ctx, f.Vectors, f.Whole)
	if err != nil {
		return err
	}
	all := f.Vectors
	f.Vectors = nil
	for _, i := range keep {
		f.Vectors = append(f.Vectors, all[i])
	}
	return nil
}
