package search

import (
	"cmp"
	"math"
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// An intermittent fault cannot simply be simulated, since the steps at which it acted are unknown. So a walk through
// each failing execution keeps a few simulated chips: at each step each forks into one with and one without the fault,
// and the best are kept.

// An act applies a step to wires, with or without the fault.
type act func(w *fault.Wires, s transport.Step, acts bool) transport.Sample

// intermittent returns a chip behind wires before an execution, and the function that applies a step to it. In the
// first step a late line shows the previous sample.
func (h Hypothesis) intermittent(e Execution) (*fault.Wires, act) {
	if h.Times == nil {
		return h.ChipBehindWires(), func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
			w.ForceRandomFaults(acts)
			return w.Step(s)
		}
	}
	chip, takes := h.Simulate(Conditions{Pull: e.Pull, Speed: e.Speed}).(*BurstSimulation), h.Times[0]
	h.SetExactTime(chip.Wires, takes.Least)
	PanicOn(chip.Run(e.Preceding, make([]transport.Sample, len(e.Preceding))))
	return chip.Wires, func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
		h.SetExactTime(w, takes.Least)
		if acts {
			h.SetExactTime(w, takes.Most)
		}
		var shown [1]transport.Sample
		PanicOn((&BurstSimulation{Wires: w, Timing: e.Speed}).Run([]transport.Step{s}, shown[:]))
		return shown[0]
	}
}

// A Walk counts how well one intermittent fault explains executions.
type Walk struct {
	Account
	Executions, Steps int
	Acted, Mattered   int // steps at which the fault acted, and at which that makes a difference

	past *moment // the latest
}

// AddWalk adds the counts of another walk.
func (w *Walk) AddWalk(o Walk) {
	w.Add(o.Account)
	w.Executions += o.Executions
	w.Steps += o.Steps
	w.Acted += o.Acted
	w.Mattered += o.Mattered
}

// ScaledTo extrapolates to a number of steps.
func (w *Walk) ScaledTo(steps int) Walk {
	by := float64(steps) / float64(max(1, w.Steps))
	of := func(n int) int { return int(math.Round(float64(n) * by)) }
	return Walk{w.scaled(of), w.Executions, steps, of(w.Acted), of(w.Mattered), nil}
}

// A moment is a step at which the fault's action made a difference.
type moment struct {
	asked Question
	acted bool
	past  *moment // the preceding one
}

// A branch is one possible history of the fault's actions.
type branch struct {
	chip *fault.Wires
	do   act
	Walk
}

// cost returns the cost in bits, with an estimate for encoding when the fault acted.
func (b *branch) cost() int { return b.Cost() + 2*b.Acted }

// Follow walks an execution with a few chips and returns the branch that explains most.
func (h Hypothesis) Follow(e *Evidence, n, most int) Walk {
	p := e.Executions[n]
	chip, do := h.intermittent(p)
	now := []branch{{chip: chip, do: do, Walk: Walk{Executions: 1}}}
	var next []branch
	for i, s := range p.Steps {
		next = next[:0]
		for _, b := range now {
			next = b.fork(next, h.Tile, s, e, n, i)
		}
		now, next = keepBest(next, most), now
	}
	won := slices.MinFunc(now, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	won.Steps = len(p.Steps)
	return won.Walk
}

// fork appends b's successor without the fault and, if it makes a difference, the one with it, for step i of execution
// n.
func (b branch) fork(to []branch, t tile.Tile, s transport.Step, e *Evidence, n, i int) []branch {
	state := uint64(0)
	if r, ok := b.chip.Chip().(fault.Registers); ok {
		state = r.Registers()
	}
	asked := Question{State: state, Step: s, Page: e.Good[n][i].Out}
	other := branch{b.chip.Fork(), b.do, b.Walk}
	withFault, without := b.do(other.chip, s, true), b.do(b.chip, s, false)
	got, compared, wrong := e.Executions[n].Got[i], e.Compared[n][i], e.Wrong[n][i]
	if withFault == without && other.chip.SameState(b.chip) {
		b.Compare(got, without, compared, wrong)
		return append(to, b)
	}
	b.matters(asked, false)
	other.matters(asked, true)
	b.Compare(got, without, compared, wrong)
	other.Compare(got, withFault, compared, wrong)
	return append(to, b, other)
}

func (b *branch) matters(asked Question, acted bool) {
	b.Mattered++
	if acted {
		b.Acted++
	}
	b.past = &moment{asked, acted, b.past}
}

// keepBest returns the branches that explain most, only one of those with equal further behaviour.
func keepBest(all []branch, most int) []branch {
	slices.SortStableFunc(all, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	kept := make([]branch, 0, most)
	for _, b := range all {
		if slices.ContainsFunc(kept, func(k branch) bool { return k.chip.SameState(b.chip) }) {
			continue
		}
		if kept = append(kept, b); len(kept) == most {
			break
		}
	}
	return kept
}

// A Question determines the chip's next response: its registers and the step.
type Question struct {
	State uint64 // registers
	Step  transport.Step
	Page  uint8 // expected uo
	Run   int   // its number, since failures may depend on the speed
}

// groupings are the ways in which an error may depend on the inputs: each maps equivalent questions to the same value.
var groupings = []func(Question) Question{
	func(q Question) Question { return q },
	func(q Question) Question { return Question{State: q.State} },
	func(q Question) Question {
		return Question{Step: transport.Step{In: q.Step.In, Reset: q.Step.Reset}, Page: q.Page}
	},
}

// Occasions counts events by question.
type Occasions struct {
	by [3]map[Question]Trials // one per grouping
	Trials
}

// Trials counts N occasions, at K of which the event occurred.
type Trials struct{ N, K int }

func (t *Trials) add(happened bool) {
	t.N++
	if happened {
		t.K++
	}
}

// Add records one occasion of q, and whether the event happened.
func (e *Occasions) Add(q Question, happened bool) {
	e.Trials.add(happened)
	for i, grouping := range groupings {
		if e.by[i] == nil {
			e.by[i] = map[Question]Trials{}
		}
		key := grouping(q)
		key.Run = q.Run
		t := e.by[i][key]
		t.add(happened)
		e.by[i][key] = t
	}
}

// bits returns the bits needed to encode the occasions of an event of unknown probability (Krichevsky and Trofimov's
// code).
func (t Trials) bits() float64 {
	n, k := float64(t.N), float64(t.K)
	return -(lgamma(k+.5) + lgamma(n-k+.5) - lgamma(n+1) - 2*lgamma(.5)) / math.Ln2
}

// Choice returns the bits needed to encode which k of n occasions.
func (t Trials) Choice() float64 {
	n, k := float64(t.N), float64(t.K)
	return (lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)) / math.Ln2
}

func lgamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

// rule returns the bits needed to encode the occasions if they depend on the question: which questions can fail, and
// when each of these does.
func (e *Occasions) rule() float64 {
	shortest := math.Inf(1)
	for _, by := range e.by {
		sum, possible := 0., Trials{N: len(by)}
		for _, t := range by {
			if t.K > 0 {
				possible.K++
				sum += t.bits()
			}
		}
		shortest = min(shortest, sum+possible.Choice()+math.Log2(float64(1+len(by))))
	}
	return shortest + math.Log2(float64(len(groupings)))
}

// Dependence returns the bits saved by the account in which errors depend on the Question, compared with one of equal
// probabilities. It is negative if chance is the better account.
func (e *Occasions) Dependence() float64 { return e.bits() - e.rule() }

// AddTo adds to e, for this run, the steps at which the fault's action made a difference.
func (w Walk) AddTo(e *Occasions, run int) {
	for m := w.past; m != nil; m = m.past {
		m.asked.Run = run
		e.Add(m.asked, m.acted)
	}
}
