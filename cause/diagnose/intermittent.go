package diagnose

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"utfbench/cause/search"
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

// An act applies a step to wires, with or without the fault.
type act func(w *fault.Wires, s transport.Step, acts bool) transport.Sample

// byChance returns a chip behind wires before an execution, and the function that applies a step to it. In the first
// step a late line shows the previous sample.
func byChance(h search.Hypothesis, e search.Execution) (*fault.Wires, act) {
	if h.Times == nil {
		return h.ChipBehindWires(), func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
			w.ForceRandomFaults(acts)
			return w.Step(s)
		}
	}
	chip, takes := h.Simulate(search.Conditions{Pull: e.Pull, Speed: e.Speed}).(*search.BurstSimulation), h.Times[0]
	h.SetExactTime(chip.Wires, takes.Least)
	search.PanicOn(chip.Run(e.Preceding, make([]transport.Sample, len(e.Preceding))))
	return chip.Wires, func(w *fault.Wires, s transport.Step, acts bool) transport.Sample {
		h.SetExactTime(w, takes.Least)
		if acts {
			h.SetExactTime(w, takes.Most)
		}
		var shown [1]transport.Sample
		search.PanicOn((&search.BurstSimulation{Wires: w, At: e.Speed}).Run([]transport.Step{s}, shown[:]))
		return shown[0]
	}
}

// comingAndGoing returns the causes of one intermittent line: a flip, or an open line with random levels; at speed
// also a varying delay. It returns none if the tile's chip cannot fork.
func (run *Run) comingAndGoing() (causes []Cause) {
	if _, can := tile.WiredChip(run.Tile).(fault.Forker); !can {
		return nil
	}
	var lines, times []search.Hypothesis
	for _, line := range fault.Lines {
		lines = append(lines, search.MustParse(run.Tile, line+"=flip:0.5"), search.MustParse(run.Tile,
			line+"=open:random"))
	}
	for _, scale := range search.Scales(run.Tile, run.speeds()) {
		times = append(times, scale.VaryingTimes(run.wrong)...)
	}
	return append(run.likeliest(lines), run.likeliest(times)...)
}

// likeliest walks all hypotheses over few executions, and the best over more.
func (run *Run) likeliest(hs []search.Hypothesis) (causes []Cause) {
	for _, n := range []int{fewExecutions, mostExecutions} {
		causes = run.walkAll(hs, n)
		slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(a.Bits, b.Bits) })
		keep := min(len(causes), 2*keptLines)
		for keep < min(len(causes), 8*keptLines) && causes[keep].ties(causes[0]) {
			keep++
		}
		hs = hs[:0]
		for _, cause := range causes[:keep] {
			hs = append(hs, cause.Hypothesis)
		}
	}
	return causes
}

// walkAll walks up to n failing executions, spread over the runs, and as many passing ones, in whose every step a time
// may be too long.
func (run *Run) walkAll(hs []search.Hypothesis, n int) []Cause {
	causes := make([]Cause, len(hs))
	failing, passing := run.evidence(run.sample(true, n)), run.evidence(run.sample(false, n))
	run.search().ForEach(len(hs), func(i int, _ *search.Worker) {
		sums := walks{}
		sums.follow(hs[i], failing, true)
		if hs[i].Times != nil {
			sums.follow(hs[i], passing, false)
		}
		causes[i] = run.causeOf(hs[i], sums)
	})
	return causes
}

// walks holds the sums over the failing or passing executions of each part.
type walks map[group]*walk

type group struct {
	run     int
	failing bool
}

func (all walks) follow(h search.Hypothesis, e *search.Evidence, failing bool) {
	for n, p := range e.Executions {
		g := group{p.RunIndex, failing}
		if all[g] == nil {
			all[g] = &walk{}
		}
		all[g].add(follow(h, e, n, branches))
	}
}

// A walk counts how well one hypothesis explains executions.
type walk struct {
	search.Account
	executions, steps int
	acted, mattered   int

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
func (b *branch) cost() int { return b.Cost() + 2*b.acted }

// follow walks an execution with a few chips and returns the branch that explains most.
func follow(h search.Hypothesis, e *search.Evidence, n, most int) walk {
	p := e.Executions[n]
	chip, do := byChance(h, p)
	now := []branch{{chip: chip, do: do, walk: walk{executions: 1}}}
	var next []branch
	for i, s := range p.Steps {
		next = next[:0]
		for _, b := range now {
			next = b.fork(next, h.Tile, s, e, n, i)
		}
		now, next = keepBest(next, most), now
	}
	won := slices.MinFunc(now, func(a, b branch) int { return cmp.Compare(a.cost(), b.cost()) })
	won.steps = len(p.Steps)
	return won.walk
}

func (w *walk) add(o walk) {
	w.Add(o.Account)
	w.executions += o.executions
	w.steps += o.steps
	w.acted += o.acted
	w.mattered += o.mattered
}

// fork appends b's successor without the fault and, if it makes a difference, the one with it, for step i of execution
// n.
func (b branch) fork(to []branch, t tile.Tile, s transport.Step, e *search.Evidence, n, i int) []branch {
	state := uint64(0)
	if r, ok := b.chip.Chip().(fault.Registers); ok {
		state = r.Registers()
	}
	asked := question{state: state, step: s, page: e.Good[n][i].Out}
	other := branch{b.chip.Fork(), b.do, b.walk}
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

func (b *branch) matters(asked question, acted bool) {
	b.mattered++
	if acted {
		b.acted++
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

// causeOf extrapolates from each part's sampled executions to the kept ones, of which the causes that always act have
// their account, and the probability to the whole run. In a passing execution a flip never acted, and an open line
// happened to have the right level.
func (run *Run) causeOf(h search.Hypothesis, sums walks) Cause {
	cause := Cause{Fit: search.Fit{Hypothesis: h}}
	var acted, ever, rate, walked, kept, total float64
	for n, p := range run.parts {
		kept, total = kept+float64(len(p.steps)), total+float64(p.total)
		here := walk{}
		for _, failing := range []bool{true, false} {
			if w := sums[group{n, failing}]; w != nil {
				here.add(w.scaled(p.kept(failing)))
				ever += float64(w.scaled(p.length(failing)).acted)
				cause.Sampled = cause.Sampled || w.executions < p.count(failing)
				rate, walked = rate+float64(w.mattered), walked+float64(w.steps)
			}
		}
		cause.Add(here.Account)
		if h.Times != nil && here.executions > 0 { // each speed has its own probability
			cause.Bits += choices(float64(here.acted), float64(here.mattered)) + parameterBits
		}
		acted += float64(here.acted)
	}
	cause.Bits += float64(cause.Cost())
	differs := run.whole().Differs // counted, and not estimated
	cause.Explained, cause.Differs = cause.Explained*differs/max(1, cause.Differs), differs
	rate /= max(1, walked)
	switch f := h.Faults[0]; {
	case h.Times != nil:
	case f.Kind == fault.Flip:
		f.P = rounded(min(1, ever/max(1, rate*total)))
		cause.Faults = []fault.Fault{f}
		cause.Bits += choices(acted, rate*kept) + parameterBits
	default:
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
	return walk{w.Scaled(of), w.executions, steps, of(w.acted), of(w.mattered), nil}
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
