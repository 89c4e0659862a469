package diagnose

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// An intermittent fault cannot simply be simulated, since the steps at which it acted are unknown. So a walk through
// each failing execution keeps a few simulated chips: at each step each forks into one with and one without the fault,
// and the best are kept.

// branches is the number of chips kept. All lines are walked over fewExecutions failing executions, and the best
// keptLines of them over mostExecutions.
const (
	branches                              = 6
	fewExecutions, mostExecutions         = 24, 400
	keptLines                             = 3
	parameterBits                 float64 = 5 // bits to encode a probability
)

// byChance is a hypothesis of a fault that acts at random.
type byChance interface {
	Hypothesis

	// chance returns a chip behind wires before an execution, and the function that applies a step to it with or
	// without the fault.
	chance(Execution) (*fault.Wires, act)
}

// An act applies a step to wires, with or without the fault.
type act func(w *fault.Wires, s transport.Step, acts bool) transport.Sample

func (h Faulty) chance(Execution) (*fault.Wires, act) {
	return h.wires(Setting{}), func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
		w.Decide(acts)
		return w.Step(s)
	}
}

// comingAndGoing returns the causes of one intermittent line: a flip, or an open line with random levels; at speed
// also a varying delay. It returns none if the tile's chip cannot fork.
func (run *Run) comingAndGoing() (causes []Cause) {
	if _, can := tile.Wire(run.Tile).(fault.Forker); !can {
		return nil
	}
	var lines []byChance
	for _, line := range fault.Lines {
		lines = append(lines, MustFault(run.Tile, line+"=flip:0.5"), MustFault(run.Tile, line+"=open:random"))
	}
	return append(run.likeliest(lines), run.likeliest(varyingTimes(run.Tile, run.speeds(), run.wrong))...)
}

// likeliest walks all hypotheses over few executions, and the best over more.
func (run *Run) likeliest(hs []byChance) (causes []Cause) {
	for _, n := range []int{fewExecutions, mostExecutions} {
		causes = run.walkAll(hs, n)
		slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(a.Bits, b.Bits) })
		keep := min(len(causes), 2*keptLines)
		for keep < min(len(causes), 8*keptLines) && causes[keep].ties(causes[0]) {
			keep++
		}
		hs = hs[:0]
		for _, cause := range causes[:keep] {
			hs = append(hs, cause.Hypothesis.(byChance))
		}
	}
	return causes
}

// walkAll walks up to n failing executions, spread over the runs, and as many passing ones, in whose every step a time
// may be too long.
func (run *Run) walkAll(hs []byChance, n int) []Cause {
	causes := make([]Cause, len(hs))
	failing, passing := run.sample(true, n), run.sample(false, n)
	masks, passingMasks := countedBits(run.Tile, failing), countedBits(run.Tile, passing)
	parallel(run.Tile, upTo(len(hs)), run.simulator(), func(i int, _ *simulator) {
		sums := walks{}
		sums.follow(hs[i], failing, masks, run.Tile, true)
		if _, timed := hs[i].(Timed); timed {
			sums.follow(hs[i], passing, passingMasks, run.Tile, false)
		}
		causes[i] = run.causeOf(hs[i], sums)
	})
	return causes
}

// walks holds the sums over the failing or passing executions of each part.
type walks map[group]*walk

type group struct {
	*part
	failing bool
}

func (all walks) follow(h byChance, executions []Execution, masks [][]transport.Sample, t tile.Tile, failing bool) {
	for n, e := range executions {
		g := group{e.of, failing}
		if all[g] == nil {
			all[g] = &walk{}
		}
		all[g].add(follow(h, e, masks[n], t, branches))
	}
}

// A walk counts how well one hypothesis explains executions.
type walk struct {
	executions                 int
	wrong, unsaid              int
	acted, mattered, steps     int
	differs, explained, unseen int

	past *moment // the latest
}

// A moment is a step at which the fault's action made a difference.
type moment struct {
	asked question
	acted bool
	past  *moment // the preceding one
}

// A branch is one possible history of the fault's actions.
type branch struct {
	chip *fault.Wires
	do   act
	walk
}

// cost returns the cost in bits, with an estimate for encoding when the fault acted.
func (b *branch) cost() int { return wrongCosts*b.wrong + b.unsaid + 2*b.acted }

// follow walks an execution with a few chips and returns the branch that explains most.
func follow(h byChance, p Execution, masks []transport.Sample, t tile.Tile, most int) walk {
	chip, do := h.chance(p)
	now := []branch{{chip: chip, do: do, walk: walk{executions: 1}}}
	right := make([]transport.Sample, len(p.Steps))
	must(tile.Expect(t, p.Steps, right))
	var next []branch
	for i, s := range p.Steps {
		next = next[:0]
		for _, b := range now {
			next = b.fork(next, t, s, p.Got[i], right[i], masks[i])
		}
		now, next = keepBest(next, most), now
	}
	won := slices.MinFunc(now, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	won.steps = len(p.Steps)
	return won.walk
}

func (w *walk) add(o walk) {
	w.executions += o.executions
	w.wrong += o.wrong
	w.unsaid += o.unsaid
	w.acted += o.acted
	w.mattered += o.mattered
	w.steps += o.steps
	w.differs += o.differs
	w.explained += o.explained
	w.unseen += o.unseen
}

// fork appends b's successor without the fault and, if it makes a difference, the one with it.
func (b branch) fork(to []branch, t tile.Tile, s transport.Step, got, right, counts transport.Sample) []branch {
	asked := ask(t, registers(b.chip.Chip()), s, right.Out)
	other := branch{b.chip.Fork(), b.do, b.walk}
	withFault, without := b.do(other.chip, s, true), b.do(b.chip, s, false)
	if withFault == without && other.chip.Same(b.chip) {
		b.judge(got, without, right, counts)
		return append(to, b)
	}
	b.matters(asked, false)
	other.matters(asked, true)
	b.judge(got, without, right, counts)
	other.judge(got, withFault, right, counts)
	return append(to, b, other)
}

func (b *branch) matters(asked question, acted bool) {
	b.mattered++
	if acted {
		b.acted++
	}
	b.past = &moment{asked, acted, b.past}
}

func (b *branch) judge(got, predicted, right, counts transport.Sample) {
	differs, _ := compare(got, right, counts)
	wrong, unsaid := compare(got, predicted, counts)
	b.wrong += wrong.Count()
	b.unsaid += unsaid.Count()
	b.differs += differs.Count()
	b.explained += (differs &^ wrong &^ unsaid).Count()
	b.unseen += (wrong &^ differs).Count()
}

// keepBest returns the branches that explain most, only one of those with equal further behaviour.
func keepBest(all []branch, most int) []branch {
	slices.SortStableFunc(all, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	kept := make([]branch, 0, most)
	for _, b := range all {
		if slices.ContainsFunc(kept, func(k branch) bool { return k.chip.Same(b.chip) }) {
			continue
		}
		if kept = append(kept, b); len(kept) == most {
			break
		}
	}
	return kept
}

// causeOf extrapolates from each part's sampled executions to the kept ones, of which the causes that always act have
// their account, and the probability to the whole run. In a passing execution a flip never acted, and an open line
// happened to have the right level.
func (run *Run) causeOf(h byChance, sums walks) Cause {
	cause := Cause{Hypothesis: h}
	var acted, ever, rate, walked, kept, total float64
	for _, p := range run.parts {
		kept, total = kept+float64(len(p.steps)), total+float64(p.total)
		here := walk{}
		for _, failing := range []bool{true, false} {
			if w := sums[group{p, failing}]; w != nil {
				here.add(w.scaled(p.kept(failing)))
				ever += float64(w.scaled(p.length(failing)).acted)
				cause.Sampled = cause.Sampled || w.executions < p.count(failing)
				rate, walked = rate+float64(w.mattered), walked+float64(w.steps)
			}
		}
		cause.Differs += here.differs
		cause.Explained += here.explained
		cause.Unseen += here.unseen
		cause.Bits += float64(wrongCosts*here.wrong + here.unsaid)
		if _, timed := h.(Timed); timed && here.executions > 0 { // each speed has its own probability
			cause.Bits += choices(float64(here.acted), float64(here.mattered)) + parameterBits
		}
		acted += float64(here.acted)
	}
	rate /= max(1, walked)
	f, wire := h.(Faulty)
	switch {
	case wire && f.Faults[0].Kind == fault.Flip:
		p := rounded(min(1, ever/max(1, rate*total)))
		cause.Hypothesis = Faulty{[]fault.Fault{{Kind: fault.Flip, A: f.Faults[0].A, P: p}}, f.Tile}
		cause.Bits += choices(acted, rate*kept) + parameterBits
	case wire:
		cause.Bits += rate * kept
	}
	return cause
}

// choices returns the bits needed to encode when a fault acted, of the times at which it mattered.
func choices(acted, mattered float64) float64 {
	return mattered * entropy(min(1, acted/max(1, mattered)))
}

// scaled extrapolates to a number of steps.
func (w *walk) scaled(steps int) walk {
	by := float64(steps) / float64(max(1, w.steps))
	of := func(n int) int { return int(math.Round(float64(n) * by)) }
	return walk{executions: w.executions, wrong: of(w.wrong), unsaid: of(w.unsaid), acted: of(w.acted),
		mattered: of(w.mattered), steps: steps, differs: of(w.differs), explained: of(w.explained),
		unseen: of(w.unseen)}
}

// entropy returns the bits needed to encode an event of probability p.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}

// rounded rounds to two significant digits.
func rounded(p float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(p, 'e', 1, 64), 64)
	if err != nil {
		panic(err) // cannot happen
	}
	return r
}
