package grade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"utfbench/tile"
	"utfbench/tile/gates"
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
	Known  []Vector

	rng      *rand.Rand
	list     *List
	chip     *gates.Chip
	before   *gates.Chip // the state before a step
	single   *gates.Chip // with the same vector in all lanes
	places   *gates.Chip // new states, to continue from
	old      []place     // of places
	frame    gates.Frame
	lanes    [lanes]lane
	news     news
	mined    mined
	lines    lines
	rates    []int            // periods of flip-flops, in clocks
	usual    []int            // those that are times of a bit by the usual rates
	useful   []int            // clocks of moves that led to something new
	resets   []transport.Step // at the begin of a vector
	inverted float64          // share of moves at the level of a reset, by what they led to
	paces    [paces]pace
	open     []int32 // classes to find
	rest     []int32 // classes that follow them
	kept     []Vector
	whole    int      // the first of them, which are kept whole
	more     []Vector // not graded, or without a fault of the sample
	steps    int      // of more
	spent    time.Duration
	work     int
}

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
	fresh    int              // number of new levels and values
}

// An Explored is the result of a search.
type Explored struct {
	Vectors []Vector
	Whole   int // the first ones are a Tour
	Work    int

	Shown, Faults int // the classes of faults that Compact found the vectors to show, at least, and those it tried

	list   *List
	budget int
}

// Limits of a search.
const (
	workPerSecond = 50_000_000 // of board time
	gradeShare    = 12         // share of the work for grading vectors once against the open faults, or for a long one
	phaseShare    = 32         // share of the work for a phase
	vectorShare   = 4          // share of the board time for a vector
	mostInverted  = 0.9        // share of moves at the level of a reset
	patience      = 100        // episodes without a result
	mostPlaces    = lanes
	mostUseful    = 32
	fewOpen       = lanes // below this, others are added
	mostOpen      = 2 * lanes
)

// Find searches for vectors and returns them in the order of discovery.
func (e *Explorer) Find(ctx context.Context) (*Explored, error) {
	e.begin()
	e.rates = e.periods(ctx)
	e.usual = near(e.rates, e.lines.bauds)
	e.tour()
	if err := e.refill(ctx); err != nil {
		return nil, err
	}
	if _, err := e.try(ctx, e.Known); err != nil {
		return nil, err
	}
	for idle := 0; idle < patience && e.work < e.workBudget() && e.spent < e.Budget && len(e.open) > 0; idle++ {
		work, kept := e.work, len(e.kept)
		at := e.choose()
		if err := e.episode(ctx, at); err != nil {
			return nil, err
		}
		if len(e.kept) > kept {
			idle = 0
		}
		e.paces[at].gain += float64(len(e.kept) - kept)
		e.paces[at].work += float64(e.work - work)
		if err := e.refill(ctx); err != nil {
			return nil, err
		}
	}
	if len(e.open) > 0 {
		e.fill(ctx)
	}
	all := append(e.kept, e.more...)
	for i := range all {
		all[i].Name = fmt.Sprintf("%05d", i+1)
	}
	return &Explored{Vectors: all, Whole: e.whole, Work: e.work, list: e.list, budget: e.workBudget()}, ctx.Err()
}

func (e *Explorer) begin() {
	d := e.Tile.Design
	e.rng = rand.New(rand.NewPCG(e.Seed, 2))
	e.list = NewList(d)
	e.chip, e.before, e.places, e.single = d.NewChip(nil), d.NewChip(nil), d.NewChip(nil), d.NewChip(nil)
	e.news = newsOf(e.list)
	for _, i := range e.rng.Perm(len(e.list.Classes)) {
		if e.list.Classes[i].Untestable == "" {
			e.rest = append(e.rest, int32(i))
		}
	}
	e.mined = mine(d.Circuit)
	e.lines = linesOf(e.Tile.About, d.Circuit)
	e.beginReset()
	for i := range e.paces {
		e.paces[i] = pace{gain: 1, work: 1}
	}
}

// tour begins with a tour of a small state machine.
func (e *Explorer) tour() {
	all, time := Tour(e.Tile), time.Duration(0)
	for i := range all {
		time += BoardTime(all[i].Steps)
	}
	if time <= e.Budget {
		e.kept, e.whole, e.spent = all, len(all), time
	}
}

// refill adds classes to the open ones if these are few, but no class that the kept vectors find.
func (e *Explorer) refill(ctx context.Context) error {
	for len(e.open) < fewOpen && len(e.rest) > 0 {
		n := min(mostOpen, len(e.rest))
		some := e.rest[:n]
		e.rest = e.rest[n:]
		got, err := e.grade(ctx, e.kept, some)
		if err != nil {
			return err
		}
		for _, class := range some {
			if got.Findings[class].Outcome != Found {
				e.open = append(e.open, class)
			}
		}
	}
	return nil
}

// episode grows 64 vectors in parallel, or a single long one, and grades some of them.
func (e *Explorer) episode(ctx context.Context, at int) error {
	if at == long {
		return e.long(ctx)
	}
	e.grow(ctx, at)
	return e.harvest(ctx)
}

// grow grows 64 vectors from resets and new states.
func (e *Explorer) grow(ctx context.Context, at int) {
	e.sow(at)
	for i := range e.lanes {
		if len(e.old) > 0 && e.rng.IntN(4) > 0 {
			e.resume(i, e.rng.IntN(len(e.old)))
		}
	}
	for range 1 + e.rng.IntN(6) {
		e.phase(ctx, at)
	}
}

// sow begins 64 vectors with a reset.
func (e *Explorer) sow(at int) {
	e.chip.Reset()
	for i := range e.lanes {
		e.lanes[i] = e.lane()
		e.lanes[i].wild = e.rng.IntN(2) == 0
	}
	for range e.resets {
		e.tick(at)
	}
}

// lane returns a vector that begins with a reset.
func (e *Explorer) lane() lane {
	return lane{now: transport.Step{In: e.Tile.Idle()}, todo: slices.Clone(e.resets),
		inverted: e.rng.Float64() < e.inverted}
}

// beginReset finds the steps that reset the design, and the share of moves at the level of a reset. Where the other
// level of rst_n makes more state known, either may be the one that resets.
func (e *Explorer) beginReset() {
	reset := tile.Reset(e.Tile)
	other := reset
	other.Reset = !reset.Reset
	e.resets, e.inverted = []transport.Step{reset}, 0.05
	if a, b := e.known(reset), e.known(other); b > a {
		e.resets, e.inverted = append(e.resets, other), min(float64(b)/float64(a+b), mostInverted)
	}
}

// known returns the number of known bits of state after power-up and a step.
func (e *Explorer) known(s transport.Step) (n int) {
	e.chip.Reset()
	e.chip.Apply(&s)
	for i := range e.news.groups {
		for _, net := range e.news.groups[i].bits {
			n += int(e.chip.Level(net).Known() & 1)
		}
	}
	return n
}

// resume makes a lane continue from a place.
func (e *Explorer) resume(lane, from int) {
	e.lanes[lane].follow(e.old[from])
	e.chip.CopyVector(e.places, from, lane)
}

// follow makes a lane continue a vector.
func (l *lane) follow(p place) {
	l.steps, l.want = slices.Clone(p.steps), slices.Clone(p.want)
	l.now, l.todo = l.steps[len(l.steps)-1], nil
}

// phase makes all lanes do moves of one pace, and saves new states.
func (e *Explorer) phase(ctx context.Context, at int) {
	for i := range e.lanes {
		e.lanes[i].todo = e.lanes[i].todo[:0]
	}
	work := e.chip.Work()
	seen := e.chip.Watch()
	for n := paceTicks[at]; n > 0 && e.chip.Work()-work < e.workBudget()/phaseShare && ctx.Err() == nil; n-- {
		e.tick(at)
	}
	e.work += e.chip.Work() - work
	fresh := e.news.levels(seen)
	for i := range e.lanes {
		l := &e.lanes[i]
		if n := fresh[i] + e.news.values(e.chip, i); n > 0 {
			l.fresh += n
			e.note(l, e.chip, i)
		}
	}
}

// tick applies a step in all lanes.
func (e *Explorer) tick(at int) {
	f := &e.frame
	f.Pulses = f.Pulses[:0]
	for i := range e.lanes {
		l := &e.lanes[i]
		if len(l.todo) == 0 {
			e.move(l, at)
		}
		e.next(l)
		f.Put(i, &l.now)
	}
	e.apply(e.chip, f)
	for i := range e.lanes {
		e.lanes[i].record(e.chip, f, i)
	}
}

// next takes the next step of a lane. Only the first, the reset, is the tile's own.
func (e *Explorer) next(l *lane) {
	l.now = l.todo[0]
	l.todo = l.todo[1:]
	if len(l.steps) > 0 {
		_, always := e.Tile.Driven()
		l.now.Drive, l.now.Linger = ^always, false
	}
}

// apply applies a frame, and releases lines that the tile may drive, too.
func (e *Explorer) apply(c *gates.Chip, f *gates.Frame) {
	if may, always := e.Tile.Driven(); may != always {
		c.Careful(e.before, f)
		return
	}
	c.Step(f)
}

// record appends the present step of a lane, and its sample.
func (l *lane) record(c *gates.Chip, f *gates.Frame, lane int) {
	s := l.now
	for k := range f.Drive {
		s.Drive &^= uint8(^f.Drive[k]>>lane&1) << k
	}
	s.IO &= s.Drive
	l.steps, l.want = append(l.steps, s), append(l.want, c.Sample(lane))
}

// The number of vectors graded after an episode: the most with something new, and random ones.
const (
	mostFresh = 8
	others    = 2
)

func (e *Explorer) workBudget() int { return int(e.Budget.Seconds() * workPerSecond) }

// Grade grades the vectors.
func (f *Explored) Grade(ctx context.Context) (*Grading, error) {
	return (&Grader{List: f.list, Vectors: f.Vectors, Budget: f.budget}).Grade(ctx)
}

// Compact drops vectors without faults of their own, but none of a tour.
func (f *Explored) Compact(ctx context.Context) error {
	got, err := f.Grade(ctx)
	if err != nil {
		return err
	}
	f.Shown = got.Count(Found)
	f.Faults = len(got.Classes) - got.Count(Untestable) - got.Count(Ungraded)
	keep, err := got.Compact(ctx, f.Vectors, f.Whole, f.budget)
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
