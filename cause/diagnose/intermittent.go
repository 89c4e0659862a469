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

// branches is the number of chips kept. All lines are walked over fewExecutions failing executions, and the best
// keptLines of them over mostExecutions.
const (
	branches                              = 6
	fewExecutions, mostExecutions         = 24, 400
	keptLines                             = 3
	parameterBits                 float64 = 5 // bits to encode a probability
)

// comingAndGoing returns the causes of one intermittent line: a flip, or an open line with random levels; at speed
// also a varying delay. It returns none if the tile's chip cannot fork.
func (run *Run) comingAndGoing() (causes []search.Fit) {
	if _, can := tile.WiredChip(run.Tile).(fault.Forker); !can {
		return nil
	}
	var lines, times []search.Hypothesis
	for _, line := range fault.Lines {
		lines = append(lines, search.MustParse(run.Tile, line+"=flip:0.5"), search.MustParse(run.Tile,
			line+"=open:random"))
	}
	for _, scale := range search.DelayHypotheses(run.Tile, run.speeds()) {
		times = append(times, scale.VaryingTimes(run.wrong)...)
	}
	return append(run.likeliest(lines), run.likeliest(times)...)
}

// likeliest walks all hypotheses over few executions, and the best over more.
func (run *Run) likeliest(hs []search.Hypothesis) (causes []search.Fit) {
	for _, n := range []int{fewExecutions, mostExecutions} {
		causes = run.walkAll(hs, n)
		slices.SortStableFunc(causes, func(a, b search.Fit) int { return cmp.Compare(a.Bits, b.Bits) })
		keep := min(len(causes), 2*keptLines)
		for keep < min(len(causes), 8*keptLines) && ties(causes[keep], causes[0]) {
			keep++
		}
		hs = search.Hypotheses(causes[:keep])
	}
	return causes
}

// walkAll walks up to n failing executions, spread over the runs, and as many passing ones, in whose every step a time
// may be too long.
func (run *Run) walkAll(hs []search.Hypothesis, n int) []search.Fit {
	causes := make([]search.Fit, len(hs))
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
type walks map[group]*search.Walk

type group struct {
	run     int
	failing bool
}

func (all walks) follow(h search.Hypothesis, e *search.Evidence, failing bool) {
	for n, p := range e.Executions {
		g := group{p.RunIndex, failing}
		if all[g] == nil {
			all[g] = &search.Walk{}
		}
		all[g].AddWalk(h.Follow(e, n, branches))
	}
}

// causeOf extrapolates from each part's sampled executions to the kept ones, of which the causes that always act have
// their account, and the probability to the whole run. In a passing execution a flip never acted, and an open line
// happened to have the right level.
func (run *Run) causeOf(h search.Hypothesis, sums walks) search.Fit {
	cause := search.Fit{Hypothesis: h}
	var acted, ever, rate, walked, kept, total float64
	for n, p := range run.parts {
		kept, total = kept+float64(len(p.steps)), total+float64(p.total())
		here := search.Walk{}
		for _, failing := range []bool{true, false} {
			if w := sums[group{n, failing}]; w != nil {
				here.AddWalk(w.ScaledTo(p.of(failing).kept))
				ever += float64(w.ScaledTo(p.of(failing).steps).Acted)
				cause.Sampled = cause.Sampled || w.Executions < p.of(failing).executions
				rate, walked = rate+float64(w.Mattered), walked+float64(w.Steps)
			}
		}
		cause.Add(here.Account)
		if h.Times != nil && here.Executions > 0 { // each speed has its own probability
			cause.Bits += choices(float64(here.Acted), float64(here.Mattered)) + parameterBits
		}
		acted += float64(here.Acted)
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

// firstErrors returns the evidence of each execution's first error, without any cause. Until then the chip is in the
// model's state, so the question is known.
func (run *Run) firstErrors() *search.Occasions {
	e := new(search.Occasions)
	for _, p := range run.each((*part).representative) {
		chip := tile.SteppedReference{Reference: run.Tile.New()}
		for i, s := range p.Steps {
			state := tile.Registers(chip.Reference)
			want, err := chip.Step(s)
			search.PanicOn(err)
			q := search.Question{State: state, Step: s, Page: want.Out, Run: p.RunIndex}
			wrong := p.Got[i].Differ(want)
			e.Add(q, wrong != 0)
			if wrong != 0 {
				break
			}
		}
		tile.CloseReference(chip.Reference)
	}
	return e
}

// actions returns the evidence of when an intermittent fault acted.
func (run *Run) actions(h search.Hypothesis) *search.Occasions {
	all := run.evidence(run.each((*part).representative))
	walks := make([]search.Walk, len(all.Executions))
	run.search().ForEach(len(walks), func(i int, _ *search.Worker) {
		most := branches
		if !slices.ContainsFunc(all.Wrong[i], func(o transport.Outputs) bool { return o != 0 }) {
			most = 2 // few branches suffice
		}
		walks[i] = h.Follow(all, i, most)
	})
	e := new(search.Occasions)
	for i, w := range walks {
		w.AddTo(e, all.Executions[i].RunIndex)
	}
	return e
}
