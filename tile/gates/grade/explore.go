package grade

import (
	"cmp"
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
	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

// An Explorer searches for vectors that show faults. Set the exported fields and call Find.
type Explorer struct {
	Tile   *gates.Tile
	Seed   uint64
	Budget time.Duration // of computation on one usual core
	Known  []Vector

	rng     *rand.Rand
	list    *List
	order   *order
	state   []Outcome // by class: Found, Untestable, or open
	open    []int32   // the open classes
	holds   []hold
	packs   []*pack // their machines
	starts  []start
	reached *reached // by the first vectors
	had     []uint8  // by net: 1 for the level 0 and 2 for 1, if some vector certainly had it
	kept    []Vector
	work    int
}

// An Explored is the result of a search.
type Explored struct {
	Vectors []Vector
	Work    int

	Shown, Never, Open int // classes of faults
	// Within has, for each number of clocks after a reset within which provably no vector shows them, the open classes.
	Within map[int]int

	list   *List
	budget int
}

// Limits of a search.
const (
	workPerSecond  = 100_000_000
	gateWork       = 60     // of a gate of a solver
	conflictWork   = 20_000 // of a conflict
	randomShare    = 4      // share of the work for random vectors
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
	for _, phase := range []func(context.Context) error{e.known, e.random, e.machines, e.reach, e.prove, e.settle,
		e.powerUps} {
		if err := phase(ctx); err != nil {
			return nil, err
		}
	}
	x := &Explored{Vectors: e.kept, Work: e.work, Open: len(e.open), Within: map[int]int{}, list: e.list,
		budget: e.workBudget()}
	for i := range x.Vectors {
		x.Vectors[i].Name = fmt.Sprintf("%05d", i+1)
	}
	for _, p := range e.packs {
		for i := range p.classes {
			if p.live>>i&1 != 0 && slices.Contains(e.open, p.classes[i]) {
				x.Within[p.within[i]]++
			}
		}
	}
	for i, is := range e.state {
		switch {
		case is == Found:
			x.Shown++
		case is == Untestable && e.list.Classes[i].Untestable == "":
			x.Never++
		}
	}
	return x, ctx.Err()
}

func (e *Explorer) begin() {
	e.rng = rand.New(rand.NewPCG(e.Seed, 2))
	e.list, e.order = NewList(e.Tile.Design), newOrder(e.Tile.Design)
	e.had = make([]uint8, len(e.order.drivers))
	e.holds = e.list.holds()
	e.state = make([]Outcome, len(e.list.Classes))
	for i, c := range e.list.Classes {
		if e.state[i] = Unseen; c.Untestable != "" {
			e.state[i] = Untestable
		}
	}
	e.update()
}

// update lists the open classes. What stops the clock of one flip-flop is shown with both levels of its output.
func (e *Explorer) update() {
	for _, h := range e.holds {
		if e.state[h.class] == Unseen && e.state[h.stuck[0]] == Found && e.state[h.stuck[1]] == Found {
			e.state[h.class] = Found
		}
	}
	e.open = nil // packs have parts of the one before
	for i, is := range e.state {
		if is == Unseen {
			e.open = append(e.open, int32(i))
		}
	}
}

func (e *Explorer) workBudget() int { return int(e.Budget.Seconds() * workPerSecond) }

func (e *Explorer) over() bool { return e.work > e.workBudget() || len(e.open) == 0 }

// known keeps those of the tile's own vectors that show a fault.
func (e *Explorer) known(ctx context.Context) error {
	_, err := e.grade(ctx, e.Known, true)
	return err
}

// grade keeps the vectors that show open classes, each up to the last step that shows one: certainly, or from random
// states at power-up, too. It returns the number of classes.
func (e *Explorer) grade(ctx context.Context, vectors []Vector, certainly bool) (int, error) {
	g := Grader{List: e.list, Vectors: vectors, Only: e.open, Known: certainly, patient: certainly}
	switch {
	case !certainly:
		g.Budget = e.workBudget() / randomShare
	case len(vectors) > batch: // the tile's own
		g.Budget = e.workBudget() / 2
	}
	got, err := g.Grade(ctx)
	if err != nil {
		return 0, err
	}
	e.work += got.Work
	if e.reached == nil && len(vectors) > 0 {
		e.reached = got.reached
	}
	e.kept = append(e.kept, got.Showing(vectors)...)
	before := len(e.open)
	for _, c := range e.open {
		if got.Findings[c].Outcome == Found {
			e.state[c] = Found
		}
	}
	e.update()
	return before - len(e.open), nil
}

// random applies random vectors, until they show hardly anything new or have taken their share of the work.
func (e *Explorer) random(ctx context.Context) error {
	for dry := 0; dry < 2 && !e.over() && e.work < e.workBudget()/randomShare; {
		vectors, err := e.drawn(batch)
		if err != nil {
			return err
		}
		n, err := e.grade(ctx, vectors, true)
		if err != nil {
			return err
		}
		if dry++; n*50 > len(e.open) {
			dry = 0
		}
		e.visit(vectors)
	}
	return ctx.Err()
}

// drawn returns random vectors.
func (e *Explorer) drawn(n int) ([]Vector, error) {
	vectors := make([]Vector, n)
	for i := range vectors {
		v := Vector{Want: make([]transport.Sample, batchSteps)}
		var err error
		if v.Steps, err = tile.RandomSteps(e.Tile, e.rng, batchSteps); err != nil {
			return nil, err
		}
		if err := tile.Expect(e.Tile, v.Steps, v.Want); err != nil {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}

// powerUps shows faults that leave no known state, such as a stuck clock.
func (e *Explorer) powerUps(ctx context.Context) error {
	if len(e.open) == 0 {
		return nil
	}
	vectors, err := e.drawn(powerUpVectors)
	if err == nil {
		_, err = e.grade(ctx, vectors, false)
	}
	return err
}

// machines builds the machines of the open classes.
func (e *Explorer) machines(ctx context.Context) error {
	g := Grader{List: e.list}
	e.packs = g.pack(e.open)
	return failure.InGroups(ctx, e.packs, 1, func(some []*pack) error { return g.build(some[0]) })
}

// prove drops the open classes that provably no vector shows.
func (e *Explorer) prove(ctx context.Context) error {
	within := invariantOf(e.order, cmp.Or(e.reached, newReached(e.list.Design.Circuit)))
	return e.each(ctx, Untestable, func(p *pack) {
		p.prove(ctx, newProver(e.list, e.order, within), e.workBudget())
	})
}

// each runs a function on packs with open faults, some at a time, until the budget is used up, and adds up their
// results. The faults that it drops are found, or untestable.
func (e *Explorer) each(ctx context.Context, dropped Outcome, run func(*pack)) error {
	for group := range slices.Chunk(e.packs, abreastPacks) {
		if e.over() {
			return nil
		}
		err := failure.InGroups(ctx, group, 1, func(some []*pack) error {
			if some[0].live != 0 {
				run(some[0])
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range group {
			e.work += p.work
			p.work = 0
		}
		e.spread(group)
		for _, p := range e.packs {
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

// spread keeps the vectors that packs have found, and drops what they show of the other packs.
func (e *Explorer) spread(from []*pack) {
	for _, p := range from {
		found := p.vectors
		p.vectors = nil
		for _, v := range found {
			e.kept = append(e.kept, v)
			for _, other := range e.packs {
				if other != p && other.live != 0 {
					e.work += e.show(other, &v)
				}
			}
		}
	}
}

// show drops the faults of a pack that a vector shows, and returns the work.
func (e *Explorer) show(p *pack, v *Vector) (work int) {
	before, last := p.rig.Work(), 0
	p.rig.Run([][]transport.Step{v.Steps}, func(at int) bool {
		found, _ := p.rig.Differ([]Look{Expect(&v.Steps[at], &v.Want[at])})
		if found &= p.live; found != 0 {
			p.live &^= found
			last = at + 1
		}
		return p.live != 0
	})
	p.last = last
	return p.rig.Work() - before
}

// settle searches for each open fault from all starts, with growing effort, and first from a reset.
func (e *Explorer) settle(ctx context.Context) error {
	most := effort{frames: 4, conflicts: 50}
	for round := 0; !e.over() && most.frames <= mostFrames; round++ {
		for i := range e.starts {
			at := (len(e.starts) - i) % len(e.starts) // after a reset, then the deepest states
			if at > 2 && round == 0 && i%4 != 0 {     // a few states first
				continue
			}
			if err := e.each(ctx, Found, func(p *pack) { e.attack(p, &e.starts[at], most, at == 0) }); err != nil {
				return err
			}
			if e.over() {
				return nil
			}
		}
		most.frames, most.conflicts = most.frames*2, most.conflicts*8
	}
	return nil
}

// attack searches for vectors that show the open faults of a pack after a start.
func (e *Explorer) attack(p *pack, s *start, most effort, fromReset bool) {
	prefix := Vector{Steps: s.steps, Want: s.want}
	if p.work += e.show(p, &prefix); p.last > 0 {
		p.vectors = append(p.vectors, Vector{Steps: s.steps[:p.last], Want: s.want[:p.last]})
	}
	after := p.rig.chip.Clone()
	f := newFrames(e.order, railsOf(s.chip, len(e.order.drivers), 0))
	for i, class := range p.classes {
		if p.live>>i&1 == 0 || e.state[class] != Unseen {
			continue
		}
		f.begin(after, i)
		a := f.search(e.list.defectOf(e.list.Classes[class].Faults[0]), most)
		if fromReset {
			p.within[i] = max(p.within[i], a.frames)
		}
		if a.Result != sat.Possible {
			continue
		}
		v := Vector{Steps: append(slices.Clone(s.steps), a.steps...)}
		careful(e.Tile, s.steps, v.Steps[len(s.steps):])
		v.Want = make([]transport.Sample, len(v.Steps))
		if tile.Expect(e.Tile, v.Steps, v.Want) != nil {
			continue
		}
		if p.work += e.show(p, &v); p.last > 0 {
			p.vectors = append(p.vectors, Vector{Steps: v.Steps[:p.last], Want: v.Want[:p.last]})
		}
	}
	p.work += f.work()
}

// String counts the faults by their answers, and states the effort.
func (f *Explored) String() string {
	text := fmt.Sprintf("the search shows %d of %s, and proves that %d more never show; after %.3g s of "+
		"computation %d are open", f.Shown, printable.Count(f.Shown+f.Open, "fault"), f.Never,
		float64(f.Work)/workPerSecond, f.Open)
	delete(f.Within, 0)
	if len(f.Within) > 0 {
		least, none := slices.Min(slices.Collect(maps.Keys(f.Within))), 0
		for _, n := range f.Within {
			none += n
		}
		text += fmt.Sprintf(", of which %d cannot show within %s after a reset", none, printable.Count(least, "clock"))
	}
	return text
}

// Grade grades the vectors.
func (f *Explored) Grade(ctx context.Context) (*Grading, error) {
	return (&Grader{List: f.list, Vectors: f.Vectors, Budget: f.budget}).Grade(ctx)
}

// Compact drops the vectors, and the last steps of others, that show only what later vectors show: late ones find the
// hardest faults. It keeps all if the budget does not suffice.
func (f *Explored) Compact(ctx context.Context) error {
	slices.Reverse(f.Vectors)
	got, err := f.Grade(ctx)
	if err == nil && got.Unsettled()+got.Count(Ungraded) == 0 {
		f.Vectors = got.Showing(f.Vectors)
	}
	return err
}
