package grade

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// An Explorer searches for vectors that show faults. Set the exported fields and call Find.
type Explorer struct {
	Tile   *gates.Tile
	Seed   uint64
	Budget time.Duration // of computation on one usual core
	Known  []Vector
	List   *List   // of the faults of the tile's design; nil is NewList's
	Only   []int32 // classes to search for; nil for all

	rng     *rand.Rand
	order   *order
	turn    []int32   // the classes in random order, so that a budget too small for all is spent on any of them
	state   []Outcome // by class: Found, Untestable, Ungraded, or open
	open    []int32   // the open classes
	holds   []hold
	packs   []*pack // their machines
	starts  []*start
	had     []uint8 // by net: 1 for the level 0 and 2 for 1, if some vector certainly had it
	kept    []Vector
	long    []Vector // of wander, unless the budget sufficed to grade them
	doubted []Vector // that show faults from every state
	work    int
	end     int // of the work of a phase
}

// An Explored is the result of a search.
type Explored struct {
	Vectors []Vector
	Work    int

	Shown, Never, Open int // classes of faults
	// OpenWithin has, for each number of clocks after a reset within which provably no vector shows them, the open
	// classes.
	OpenWithin map[int]int

	list  *List
	shown []int32 // certainly, by the vectors after the first ones
	// first is the number of vectors that Compact keeps: some that show faults from every state, for which a grading
	// tries only the first vectors, and those that were not graded.
	first  int
	budget int
}

// Limits of a search.
const (
	workPerSecond  = 100_000_000
	gateWork       = 40  // of a gate of a solver
	effortWork     = 5   // of an inspection of a solver
	netWork        = 15  // of evaluating a net
	copiesForWork  = 8   // nets that are copied for one
	cellWork       = 100 // of a cell in a machine that is built
	powerUpVectors = 4
	batch          = 64 // random vectors at a time
	batchSteps     = 200
	abreastPacks   = 4 // packs that are searched between two looks at the budget
	mostStarts     = 48
	mostFrames     = 64
)

// Find searches for vectors, first at random, then from states that these reach.
func (e *Explorer) Find(ctx context.Context) (*Explored, error) {
	e.begin()
	for _, phase := range []struct {
		run   func(context.Context) error
		share int // sixteenths of the budget; the last one is for Compact
	}{{e.known, 2}, {e.wander, 1}, {e.random, 4}, {e.tryLong, 2}, {e.reach, 1}, {e.prove, 1}, {e.powerUps, 2},
		{e.settle, 15}} {
		e.end = min(e.work+e.workBudget()/16*phase.share, e.workBudget()/16*15)
		if err := phase.run(ctx); err != nil {
			return nil, err
		}
	}
	x := &Explored{Vectors: slices.Concat(e.doubted, e.long, e.kept), Work: e.work, Open: len(e.open),
		OpenWithin: map[int]int{}, list: e.List, first: len(e.doubted) + len(e.long),
		budget: max(e.workBudget()-e.work, e.workBudget()/16)}
	for i := range x.Vectors {
		x.Vectors[i].Name = fmt.Sprintf("%05d", i+1)
	}
	for _, class := range e.open {
		x.OpenWithin[e.starts[0].within[class]]++
	}
	for i, is := range e.state {
		switch {
		case is == Found:
			x.Shown++
			x.shown = append(x.shown, int32(i))
		case is == Untestable && e.List.Classes[i].Untestable == "":
			x.Never++
		}
	}
	return x, ctx.Err()
}

func (e *Explorer) begin() {
	e.rng = rand.New(rand.NewPCG(e.Seed, 2))
	if e.order = newOrder(e.Tile.Design); e.List == nil {
		e.List = NewList(e.Tile.Design)
	}
	e.had = make([]uint8, len(e.order.drivers))
	e.holds = e.List.holds()
	e.state = make([]Outcome, len(e.List.Classes))
	for _, i := range e.rng.Perm(len(e.state)) {
		e.turn = append(e.turn, int32(i))
	}
	for i, c := range e.List.Classes {
		switch {
		case c.Untestable != "":
			e.state[i] = Untestable
		case e.Only == nil || slices.Contains(e.Only, int32(i)):
			e.state[i] = Unseen
		}
	}
	e.update()
}

// update lists the open classes. A hold is found once both of its stuck classes are.
func (e *Explorer) update() {
	for _, h := range e.holds {
		if e.state[h.class] == Unseen && e.state[h.stuck[0]] == Found && e.state[h.stuck[1]] == Found {
			e.state[h.class] = Found
		}
	}
	e.open = nil // packs have parts of the one before
	for _, class := range e.turn {
		if e.state[class] == Unseen {
			e.open = append(e.open, class)
		}
	}
}

func (e *Explorer) workBudget() int { return int(e.Budget.Seconds() * workPerSecond) }

func (e *Explorer) over() bool { return e.work > e.end || len(e.open) == 0 }

// known keeps those of the tile's own vectors that show a fault.
func (e *Explorer) known(ctx context.Context) error {
	if len(e.Known) == 0 {
		return nil
	}
	_, err := e.try(ctx, e.Known)
	return err
}

// try keeps vectors that show open classes, each up to the last step that shows one, and reports whether the budget
// sufficed for all classes.
func (e *Explorer) try(ctx context.Context, vectors []Vector) (all bool, err error) {
	got, err := e.grade(ctx, vectors, true)
	if err != nil {
		return false, err
	}
	e.kept = append(e.kept, got.showing(vectors, false)...)
	return got.Unsettled() == 0, nil
}

// grade grades vectors for the open classes, with proofs for every state at power-up unless certainly is set.
func (e *Explorer) grade(ctx context.Context, vectors []Vector, certainly bool) (*Grading, error) {
	g := Grader{List: e.List, Vectors: vectors, Only: e.open, Known: certainly, Budget: max(1, (e.end-e.work)/mostOver),
		cellWork: cellWork}
	got, err := g.Grade(ctx)
	if err != nil {
		return nil, err
	}
	e.work += got.Work + g.right.work
	for _, c := range e.open {
		if got.Findings[c].Outcome == Found {
			e.state[c] = Found
		}
	}
	e.update()
	return got, nil
}

// random applies random vectors, until they show hardly anything new or have taken their share of the work.
func (e *Explorer) random(ctx context.Context) error {
	for dry := 0; dry < 2 && !e.over(); dry++ {
		vectors, err := e.drawn(batch)
		if err != nil {
			return err
		}
		before := len(e.open)
		if _, err := e.try(ctx, vectors); err != nil {
			return err
		}
		if (before-len(e.open))*50 > len(e.open) {
			dry = -1
		}
		e.visit(vectors)
	}
	return ctx.Err()
}

// drawn returns random vectors.
func (e *Explorer) drawn(n int) ([]Vector, error) {
	vectors := make([]Vector, n)
	for i := range vectors {
		steps, err := tile.RandomSteps(e.Tile, e.rng, batchSteps)
		if err != nil {
			return nil, err
		}
		vectors[i] = Vector{Steps: steps, Want: make([]transport.Sample, batchSteps)}
		if err := tile.Expect(e.Tile, steps, vectors[i].Want); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// prove drops the open classes that provably no vector shows.
func (e *Explorer) prove(ctx context.Context) error {
	e.packs = new(Grader).pack(e.open)
	return e.each(ctx, Untestable, func(p *pack, most int) {
		p.prove(ctx, newProver(e.List, e.order), most)
	})
}

// each runs a function, with its share of the work, on packs with open faults, some at a time, until the budget is used
// up, and adds up their results. The faults that it drops are found, or untestable.
func (e *Explorer) each(ctx context.Context, dropped Outcome, run func(p *pack, most int)) error {
	live := slices.DeleteFunc(slices.Clone(e.packs), func(p *pack) bool { return p.live == 0 })
	for group := range slices.Chunk(live, abreastPacks) {
		if e.over() {
			return nil
		}
		most := (e.end - e.work) / len(group)
		err := failure.InGroups(ctx, group, 1, func(some []*pack) error {
			run(some[0], most)
			return some[0].err
		})
		if err != nil {
			return err
		}
		for _, p := range group {
			e.keep(p)
			e.work += p.work
			p.work = 0
			for i, class := range p.classes {
				if p.live>>i&1 == 0 && e.state[class] == Unseen {
					e.state[class] = dropped
				}
			}
		}
		e.update()
	}
	return nil
}

// keep takes the vectors that a pack has found.
func (e *Explorer) keep(p *pack) {
	for _, v := range p.vectors {
		e.kept = append(e.kept, Vector{Steps: slices.Concat(p.start.steps, v.Steps),
			Want: slices.Concat(p.start.want, v.Want)})
		if len(v.Steps) > 0 {
			p.start.found = append(p.start.found, v)
		}
	}
	p.vectors = nil
}

// powerUps shows faults that leave no known state, such as a stuck clock.
func (e *Explorer) powerUps(ctx context.Context) error {
	if e.over() {
		return nil
	}
	vectors, err := e.drawn(powerUpVectors)
	if err != nil {
		return err
	}
	got, err := e.grade(ctx, vectors, false)
	if err == nil {
		e.doubted = got.showing(vectors, false)
	}
	return err
}

// String counts the faults by their answers, and states the effort.
func (f *Explored) String() string {
	text := fmt.Sprintf("the search shows %d of %s, and %d are open after %.3g s of computation", f.Shown,
		printable.Count(f.Shown+f.Open, "fault"), f.Open, float64(f.Work)/workPerSecond)
	delete(f.OpenWithin, 0)
	if len(f.OpenWithin) > 0 {
		least, none := slices.Min(slices.Collect(maps.Keys(f.OpenWithin))), 0
		for _, n := range f.OpenWithin {
			none += n
		}
		text += fmt.Sprintf(", of which %d cannot show within %s after a reset", none, printable.Count(least, "clock"))
	}
	if f.Never > 0 {
		text += fmt.Sprintf("; not counted are %d that are proved never to show", f.Never)
	}
	return text
}

// Compact drops the vectors, and the last steps of others, that show only what later vectors show: late ones find the
// hardest faults. It joins steps with the same inputs. It keeps all if the budget does not suffice.
func (f *Explored) Compact(ctx context.Context) error {
	some := slices.Clone(f.Vectors[f.first:])
	slices.Reverse(some)
	g := Grader{List: f.list, Vectors: some, Only: f.shown, Known: true,
		Budget: max(1, f.budget/mostOver)}
	got, err := g.Grade(ctx)
	if err == nil && got.Unsettled() == 0 {
		f.Vectors = slices.Concat(f.Vectors[:f.first], got.showing(some, true))
	}
	return err
}
