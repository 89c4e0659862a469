// Package grade measures the fault coverage of vectors on a tile: which stuck-at faults in its gates would have
// changed a compared output.
//
// # Words
//
// docs/coverage.md defines the terms. A [gates.FaultList] groups its faults into classes whose members no vector can
// distinguish. A class is found, untestable, or open. A fault is found only if the good chip's output is known and was
// compared, and the faulty chip's is known and differs.
//
// # Method
//
// The good chip runs all vectors, 64 side by side, to obtain its outputs and the levels of each net. Then 64 faults
// share a machine, each in its own lane; found faults make room for others. A fault is not simulated if its net never
// has the opposite level.
//
// # Answers
//
// If the vectors do not show a fault, a [Prover] may prove that none does, or an [Explorer] searches for one that does,
// first at random, then with frames. These (frames.go) solve for inputs that make the good and the faulty copy differ
// within some clocks after a state. In frames, unknown levels stay unknown. Each vector is simulated before it counts.
// A budget is an amount of computation, not time, so that a seed gives the same result on every machine.
package grade

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// An Outcome is the result of grading a class of faults.
type Outcome uint8

// Outcomes. All except Found and Untestable are reasons for an open class.
const (
	Ungraded   Outcome = iota // not in the sample
	Untestable                // no vector finds it: gates.FaultClass.Untestable
	Found
	Inactive // its net never had the other level
	Unclear  // its net only possibly had the other level, or the fault is not visible from some power-up states
	Unseen   // it had an effect, but not on a compared output
)

var outcomes = [...]string{"not graded", "untestable", "found", "never activated", "unknown",
	"activated and never seen"}

func (o Outcome) String() string { return outcomes[o] }

// open reports whether a class of this outcome is testable, graded and not found.
func (o Outcome) open() bool { return o == Inactive || o == Unseen || o == Unclear }

// A Finding is the outcome of a class and, if it was found, the vector and step that found it, counted from 0.
type Finding struct {
	Outcome
	Vector, Step int
	Unsettled    bool // the class is open, but the budget ended before all vectors were tried
	Untried      bool // the class is unclear, but the limit ended before all proofs that it is visible were tried
}

// A Grader grades faults. Set the exported fields and call Grade.
type Grader struct {
	List    *gates.FaultList
	Vectors []Vector
	// Budget limits the simulation, in gate evaluations for 64 faults (see sim.Machine.Work), and a fraction of it
	// limits the proofs; 0 is unlimited. If it does not suffice for all faults, a reproducible sample of them is
	// graded. Vectors are cut short only if even a sample of firstSample faults takes maxOver times the budget.
	Budget  int
	Classes []int32 // classes to grade; nil for all
	Prove   bool    // prove which open classes are detected from every state, and which are untestable

	right    *right
	findings []Finding
	unknown  []int // by class: number of steps with an unknown output that is compared
	work     int
	cellWork int // work of a cell when a machine is built
	unproved int
}

// A Grading is the result of grading.
type Grading struct {
	*gates.FaultList
	Findings []Finding // by class
	Unproved int       // open classes that a longer proof might make untestable
	Mismatch *Mismatch // between good chip and expected samples; nil if there is none
	Work     int
}

// The sample is doubled while the budget is likely to suffice for the doubled one.
const (
	firstSample = lanes
	maxOver     = 2
)

// Grade grades the faults.
func (g *Grader) Grade(ctx context.Context) (*Grading, error) {
	g.findings = make([]Finding, len(g.List.Classes))
	g.unknown = make([]int, len(g.List.Classes))
	g.work, g.unproved = 0, 0
	g.right = watchRight(g.List, g.Vectors, g.Budget)
	g.shorten()
	todo := g.triage()
	for size, next := max(firstSample, len(g.Classes)), 0; len(todo) > 0 && !g.over(g.work+next); size *= 2 {
		before := g.work
		size = min(size, len(todo))
		if err := g.sample(ctx, todo[:size]); err != nil {
			return nil, err
		}
		todo = todo[size:]
		next = 2 * (g.work - before) // the next sample is twice as large
	}
	for _, class := range todo {
		g.findings[class].Outcome = Ungraded
	}
	g.showHolds()
	if err := g.prove(ctx); err != nil {
		return nil, err
	}
	return &Grading{FaultList: g.List, Findings: g.findings, Unproved: g.unproved,
		Mismatch: g.right.mismatch, Work: g.work}, ctx.Err()
}

// Count returns the number of classes with an outcome.
func (g *Grading) Count(of Outcome) (n int) {
	for _, f := range g.Findings {
		if f.Outcome == of {
			n++
		}
	}
	return n
}

// UndetectedClasses returns the testable classes that the vectors do not find.
func (g *Grading) UndetectedClasses() []int32 { return openOf(g.Findings) }

func openOf(findings []Finding) (classes []int32) {
	for i, f := range findings {
		if f.Outcome.open() {
			classes = append(classes, int32(i))
		}
	}
	return classes
}

// showing returns the graded vectors that are the first to show some fault, each up to its last step that shows one. If
// join is set, it joins a step that shows no fault with the next step if both have the same inputs.
func (g *Grading) showing(vectors []Vector, join bool) (all []Vector) {
	shows := map[[2]int]bool{} // by vector and step
	for _, f := range g.Findings {
		if f.Outcome == Found {
			shows[[2]int{f.Vector, f.Step}] = true
		}
	}
	for i, v := range vectors {
		short, end := Vector{}, 0
		for k, s := range v.Steps {
			n := len(short.Steps)
			if join && n > 0 && !shows[[2]int{i, k - 1}] && joins(&short.Steps[n-1], s) {
				short.Want[n-1] = v.Want[k]
			} else {
				short.Steps, short.Want = append(short.Steps, s), append(short.Want, v.Want[k])
			}
			if shows[[2]int{i, k}] {
				end = len(short.Steps)
			}
		}
		if end > 0 {
			all = append(all, Vector{v.Name, short.Steps[:end], short.Want[:end]})
		}
	}
	return all
}

// joins adds the clocks of the next step to s if it has the same inputs, and reports whether it did.
func joins(s *transport.Step, next transport.Step) bool {
	clocks := int(s.Clocks) + int(next.Clocks)
	if next.Clocks = s.Clocks; next != *s || clocks > math.MaxUint8 {
		return false
	}
	s.Clocks = uint8(clocks)
	return true
}

// UnsettledCount counts the open classes that more work might have found.
func (g *Grading) UnsettledCount() (n int) {
	for _, f := range g.Findings {
		if f.Unsettled && f.Outcome.open() {
			n++
		}
	}
	return n
}

// shorten drops the steps that the good chip did not run.
func (g *Grader) shorten() {
	vectors := slices.Clone(g.Vectors)
	for i, looks := range g.right.looks {
		v := &vectors[i]
		if len(looks) < len(v.Steps) {
			for class := range g.findings {
				g.findings[class].Unsettled = true
			}
		}
		v.Steps, v.Want = v.Steps[:len(looks)], v.Want[:len(looks)]
	}
	g.Vectors = vectors
}

func (g *Grader) over(work int) bool { return g.Budget > 0 && work > g.Budget }

// triage decides classes that need no simulation, and returns the testable ones in a fixed random order.
func (g *Grader) triage() (todo []int32) {
	if g.Classes != nil {
		return slices.Clone(g.Classes)
	}
	for i := range g.List.Classes {
		g.findings[i].Outcome = Inactive
		if g.List.Classes[i].Untestable != "" {
			g.findings[i].Outcome = Untestable
		} else {
			todo = append(todo, int32(i))
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(todo), func(i, k int) { todo[i], todo[k] = todo[k], todo[i] })
	return todo
}

func (g *Grader) sample(ctx context.Context, classes []int32) error {
	var left []int32
	for _, class := range classes {
		if g.right.may[class] {
			left = append(left, class)
			if g.findings[class].Outcome = Unclear; g.right.active[class] {
				g.findings[class].Outcome = Unseen
			}
		}
	}
	packs, parts := g.pack(left), g.parts()
	for _, part := range parts {
		if g.over(g.work / maxOver) {
			g.unsettle(packs...)
			return nil
		}
		if err := g.each(ctx, packs, func(p *pack) { g.run(p, part) }); err != nil {
			return err
		}
		packs = g.repack(packs)
	}
	return nil
}

// unsettle records that the budget ended before all vectors were tried on the live classes of packs.
func (g *Grader) unsettle(packs ...*pack) {
	for _, p := range packs {
		for i, class := range p.classes {
			g.findings[class].Unsettled = g.findings[class].Unsettled || p.live>>i&1 != 0
		}
	}
}

// A part is a range of vectors, with the maximum number of steps to run in each.
type part struct{ from, to, steps int }

// The sizes of parts, in steps. Most faults are found early, and the rest share fewer machines afterwards.
const (
	firstPart = 64
	maxPart   = 4096
	growth    = 8
)

// parts splits the vectors: first single vectors, then growing prefixes of long ones.
func (g *Grader) parts() (all []part) {
	steps, limit := 0, firstPart
	from := 0
	for v := range g.Vectors {
		n := len(g.Vectors[v].Steps)
		for prefix := firstPart; prefix*growth/2 < n; prefix *= growth {
			all = append(all, part{v, v + 1, prefix})
		}
		if steps += n; steps < limit && n <= limit && v < len(g.Vectors)-1 {
			continue
		}
		all = append(all, part{from, v + 1, math.MaxInt})
		from, steps, limit = v+1, 0, min(2*limit, maxPart)
	}
	return all
}

// showHolds marks the class of a stopped clock as found if both stuck-at classes of the flip-flop's output are found.
func (g *Grader) showHolds() {
	for _, h := range g.List.Holds {
		f, low, high := &g.findings[h.Clock], g.findings[h.Low], g.findings[h.High]
		if !f.Outcome.open() || low.Outcome != Found || high.Outcome != Found {
			continue
		}
		if *f = low; high.Vector > low.Vector || high.Vector == low.Vector && high.Step > low.Step {
			*f = high
		}
	}
}

// Coverage counts the fault classes by outcome.
func (g *Grading) Coverage() *tile.FaultCoverage {
	testable, untried := len(g.Classes)-g.Count(Untestable), 0
	for _, f := range g.Findings {
		if f.Untried && !f.Unsettled && f.Outcome == Unclear {
			untried++
		}
	}
	return &tile.FaultCoverage{Faults: testable - g.Count(Ungraded), Testable: testable,
		Untestable: g.Count(Untestable), Found: g.Count(Found), Inactive: g.Count(Inactive),
		Unknown: g.Count(Unclear), Unseen: g.Count(Unseen), Unsettled: g.UnsettledCount(), Untried: untried,
		Unproved: g.Unproved}
}
