package grade

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// An Explorer searches for vectors that show faults. Set the exported fields and call Find.
type Explorer struct {
	Tile         *gates.Tile
	Seed         uint64
	Budget       time.Duration // of computation on one core
	KnownVectors []Vector
	List         *gates.FaultList // faults of the tile's design; nil for gates.NewFaultList's
	Classes      []int32          // classes to search for; nil for all

	rng    *rand.Rand
	order  *order
	turn   []int32   // the classes in random order, so that a small budget is not always spent on the same ones
	state  []Outcome // by class: Found, Untestable, Ungraded, or open
	open   []int32   // the open classes
	packs  []*pack   // machines with the open classes
	starts []*start
	had    []uint8  // by net: bit 0 if some start certainly had level 0, bit 1 if level 1
	kept   []Vector // each up to the last step that shows a fault
	whole  []Vector // random vectors for which the budget did not allow grading all faults
	never  int      // number of classes proved untestable
	work   int
	end    int // work at which a phase ends
}

// A SearchResult is the result of a search.
type SearchResult struct {
	Vectors []Vector
	Work    int

	Detected, Untestable, Open int // classes of faults
	// OpenWithin counts the open classes, by the number of clocks after a reset that provably do not show them.
	OpenWithin map[int]int

	list   *gates.FaultList
	shown  []int32 // classes that the vectors after the whole ones certainly show
	whole  int     // number of leading vectors that Compact keeps whole, since not all faults that they show are known
	budget int
}

// Limits of a search.
const (
	workPerSecond = 100_000_000
	gateWork      = 40  // work of a gate of a solver
	effortWork    = 5   // work of an inspection of a solver
	netWork       = 15  // work of evaluating a net
	copiesForWork = 8   // nets that are copied for one unit of work
	cellWork      = 100 // work of a cell when a machine is built
	batch         = 64  // random vectors at a time
	batchSteps    = 200
	abreastPacks  = 4 // packs that are searched between two checks of the budget
	maxStarts     = 48
	maxFrames     = 64
)

// Find searches for vectors, first at random, then from states that the random vectors reach.
func (e *Explorer) Find(ctx context.Context) (*SearchResult, error) {
	e.begin()
	for _, phase := range []struct {
		run   func(context.Context) error
		share int // sixteenths of the budget; the last one is for Compact
	}{{e.known, 2}, {e.random, 4}, {e.reach, 1}, {e.prove, 1}, {e.trace, 3}, {e.settle, 15}} {
		e.end = min(e.work+e.workBudget()/16*phase.share, e.workBudget()/16*15)
		if err := phase.run(ctx); err != nil {
			return nil, err
		}
	}
	x := &SearchResult{Vectors: slices.Concat(e.whole, e.kept), Work: e.work, Untestable: e.never, Open: len(e.open),
		OpenWithin: map[int]int{}, list: e.List, whole: len(e.whole),
		budget: max(e.workBudget()-e.work, e.workBudget()/16)}
	for i := range x.Vectors {
		x.Vectors[i].Name = fmt.Sprintf("%05d", i+1)
	}
	for _, class := range e.open {
		x.OpenWithin[e.starts[0].within[class]]++
	}
	for i, is := range e.state {
		if is == Found {
			x.shown = append(x.shown, int32(i))
		}
	}
	if x.Detected = len(x.shown); x.Detected == 0 && x.whole <= 1 {
		x.Vectors, x.whole = nil, 0
	}
	return x, ctx.Err()
}

func (e *Explorer) begin() {
	e.rng = rand.New(rand.NewPCG(e.Seed, 2))
	if e.order = newOrder(e.Tile.Design); e.List == nil {
		e.List = gates.NewFaultList(e.Tile.Design)
	}
	e.had = make([]uint8, len(e.order.drivers))
	e.state = make([]Outcome, len(e.List.Classes))
	for _, i := range e.rng.Perm(len(e.state)) {
		e.turn = append(e.turn, int32(i))
	}
	for i, c := range e.List.Classes {
		switch {
		case c.Untestable != "":
			e.state[i] = Untestable
		case e.Classes == nil || slices.Contains(e.Classes, int32(i)):
			e.state[i] = Unseen
		}
	}
	e.update()
}

// update lists the open classes. A class that stops a clock is found once both stuck-at classes of its gates.Hold are.
func (e *Explorer) update() {
	for _, h := range e.List.Holds {
		if e.state[h.Clock] == Unseen && e.state[h.Low] == Found && e.state[h.High] == Found {
			e.state[h.Clock] = Found
		}
	}
	e.open = nil // packs share the memory of the old list
	for _, class := range e.turn {
		if e.state[class] == Unseen {
			e.open = append(e.open, class)
		}
	}
}

func (e *Explorer) workBudget() int { return int(e.Budget.Seconds() * workPerSecond) }

func (e *Explorer) over() bool { return e.work > e.end || len(e.open) == 0 }

// known keeps the tile's own vectors that show a fault.
func (e *Explorer) known(ctx context.Context) error {
	if len(e.KnownVectors) == 0 {
		return nil
	}
	return e.take(ctx, e.KnownVectors)
}

// take keeps the vectors that show an open class.
func (e *Explorer) take(ctx context.Context, vectors []Vector) error {
	got, err := e.grade(ctx, vectors)
	if err == nil {
		e.kept = append(e.kept, got.showing(vectors, false)...)
	}
	return err
}

func (e *Explorer) grade(ctx context.Context, vectors []Vector) (*Grading, error) {
	g := Grader{List: e.List, Vectors: vectors, Classes: e.open, Budget: max(1, (e.end-e.work)/maxOver),
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

// random applies random vectors until they show few new faults or have used their share of the work.
func (e *Explorer) random(ctx context.Context) error {
	for dry := 0; dry < 2 && !e.over(); dry++ {
		before := len(e.open)
		if err := e.keep(ctx); err != nil {
			return err
		}
		if (before-len(e.open))*50 > len(e.open) {
			dry = -1
		}
	}
	return ctx.Err()
}

// keep draws random vectors and keeps the ones that show faults. If its share of the work does not suffice to grade all
// faults on the vectors drawn first, it keeps all vectors whole, since running them costs far less than grading.
// Otherwise it keeps one whole, for lines without a cell.
func (e *Explorer) keep(ctx context.Context) error {
	vectors, err := e.drawn(batch, batchSteps)
	if err != nil {
		return err
	}
	got, err := e.grade(ctx, vectors)
	switch {
	case err != nil:
	case got.UnsettledCount() > 0 && len(e.whole) != 1:
		e.whole = append(e.whole, vectors...)
	default:
		if e.whole == nil {
			e.whole = vectors[:1:1]
		}
		e.kept = append(e.kept, got.showing(vectors, false)...)
	}
	return err
}

func (e *Explorer) drawn(n, length int) ([]Vector, error) {
	vectors := make([]Vector, n)
	for i := range vectors {
		steps, err := tile.RandomSteps(drivenTile{e.Tile, e.Tile}, e.rng, length)
		if err != nil {
			return nil, err
		}
		vectors[i] = Vector{Steps: steps, Want: make([]transport.Sample, length)}
	}
	e.expect(vectors)
	return vectors, nil
}

// A drivenTile is a tile whose random steps drive all lines of uio.
type drivenTile struct {
	tile.Tile
	tile.Resetter
}

// Drives implements tile.Tile.
func (drivenTile) Drives(transport.Step) uint8 { return 0 }

// expect releases the lines of uio that the design may drive, in up to 64 vectors of one length, and adds the samples
// of a good chip.
func (e *Explorer) expect(vectors []Vector) {
	chip := e.Tile.Design.NewChip(nil)
	before := chip.Clone()
	for at := range vectors[0].Steps {
		f := gates.Frame{Pulses: make([]uint64, 0, math.MaxUint8)}
		for lane := range vectors {
			f.SetLane(lane, &vectors[lane].Steps[at])
		}
		chip.StepWithoutContention(before, &f)
		for lane := range vectors {
			s := &vectors[lane].Steps[at]
			for line, on := range f.Drive {
				s.Drive &^= uint8(^on>>lane&1) << line
			}
			s.IO &= s.Drive
			vectors[lane].Want[at] = chip.Sample(lane)
		}
	}
	e.work += chip.Work()
}

// prove drops the open classes that provably no vector shows.
func (e *Explorer) prove(ctx context.Context) error { return e.exclude(ctx, nil) }

// trace drops the open classes that provably no vector shows after a reset, and keeps vectors that show others.
func (e *Explorer) trace(ctx context.Context) error {
	reset := tile.ResetStep(e.Tile)
	return e.exclude(ctx, &reset)
}

func (e *Explorer) exclude(ctx context.Context, reset *transport.Step) error {
	got, err := proveClasses(ctx, e.List, e.open, e.end-e.work, reset)
	for _, class := range got.never {
		e.state[class] = Untestable
	}
	e.never, e.work = e.never+len(got.never), e.work+got.work
	e.update()
	if err != nil || len(got.paths) == 0 {
		return err
	}
	vectors := make([]Vector, len(got.paths))
	for i, steps := range got.paths {
		s := e.begins()
		for _, step := range append([]transport.Step{*reset}, steps...) {
			e.apply(&s, step)
		}
		vectors[i] = Vector{Steps: s.steps, Want: s.want}
	}
	return e.take(ctx, vectors)
}

// each runs a function on packs of open faults, several at a time, and divides the remaining budget among them, until
// it is used up. It keeps the vectors found, and marks as found the faults that the function drops.
func (e *Explorer) each(ctx context.Context, run func(p *pack, limit int)) error {
	live := slices.DeleteFunc(slices.Clone(e.packs), func(p *pack) bool { return p.live == 0 })
	for group := range slices.Chunk(live, abreastPacks) {
		if e.over() {
			return nil
		}
		limit := (e.end - e.work) / len(group)
		if err := inParallel(ctx, group, func(p *pack) { run(p, limit) }); err != nil {
			return err
		}
		for _, p := range group {
			for _, v := range p.vectors {
				e.kept = append(e.kept, Vector{Steps: slices.Concat(p.start.steps, v.Steps),
					Want: slices.Concat(p.start.want, v.Want)})
				if len(v.Steps) > 0 {
					p.start.found = append(p.start.found, v)
				}
			}
			p.vectors = nil
			e.work += p.work
			p.work = 0
			for i, class := range p.classes {
				if p.live>>i&1 == 0 && e.state[class] == Unseen {
					e.state[class] = Found
				}
			}
		}
		e.update()
	}
	return nil
}

// String states the effort, and the number of faults that no short vector shows. It omits the number of detected
// faults, since grading the vectors detects more, by proofs.
func (f *SearchResult) String() string {
	text := fmt.Sprintf("the search used %.3g s of computation", float64(f.Work)/workPerSecond)
	delete(f.OpenWithin, 0)
	if len(f.OpenWithin) > 0 {
		least, none := slices.Min(slices.Collect(maps.Keys(f.OpenWithin))), 0
		for _, n := range f.OpenWithin {
			none += n
		}
		text += fmt.Sprintf("; it left %s open, %d of them proved not to show within %s after a reset",
			printable.Count(f.Open, "fault"), none, printable.Count(least, "clock"))
	}
	return text
}

// Compact drops vectors, and last steps of vectors, that show only faults that later vectors also show, since late
// vectors find the hardest faults. It joins steps with the same inputs. It changes nothing if the budget is too small.
func (f *SearchResult) Compact(ctx context.Context) error {
	some := slices.Clone(f.Vectors[f.whole:])
	slices.Reverse(some)
	g := Grader{List: f.list, Vectors: some, Classes: f.shown, Budget: max(1, f.budget/maxOver)}
	got, err := g.Grade(ctx)
	if err == nil && got.UnsettledCount() == 0 {
		f.Vectors = slices.Concat(f.Vectors[:f.whole], got.showing(some, true))
	}
	return err
}
