package diagnose

import (
	"cmp"
	"slices"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A Run is a run that is to be explained: its executions in their order.
type Run struct {
	Tile       tile.Tile         // that the chip is compared with
	Simulated  bool              // by a Verilog simulator, which has no wires and no chance
	Speed      *transport.Timing // at which the chip was asked; nil for step by step
	Executions int               // how many were added
	Failed     int               // of them, how many failed

	total      int // steps that were added
	steps      []transport.Step
	got        []transport.Sample
	executions []span
	gap        bool    // an execution was left out
	beforeGap  int     // executions before it
	repeats    repeats // what was asked more than once
}

// A span says which of the steps are those of an execution.
type span struct {
	from, to int
	failed   bool
	digest   uint64 // a digest of the steps
}

// A patience is how much is simulated for an answer.
type patience struct {
	// steps of a run. Passing executions beyond it are only counted, as are failing ones beyond twice as many
	kept    int
	sampled int // steps of the executions on which all hypotheses are tried, but one at least
}

// patience is less where each look at a chip is a question to another process.
func (run *Run) patience() patience {
	if elsewhere(run.Tile) {
		return patience{1000, 400}
	}
	return patience{300_000, 6000}
}

// AddResult takes the execution of a result, if something was applied.
func (run *Run) AddResult(r *driver.Result) {
	if t := r.Trace; t != nil {
		run.Add(r.Vector.Name, t.Steps, t.Got)
	}
}

// Add takes an execution of a vector; it copies what it keeps.
func (run *Run) Add(vector string, steps []transport.Step, got []transport.Sample) {
	steps = steps[:len(got)]
	failed, answers := run.judge(steps, got)
	run.repeats.name(vector, failed)
	asked := run.repeats.add(steps, answers, failed)
	run.Executions, run.total = run.Executions+1, run.total+len(steps)
	limit := run.patience().kept
	if failed {
		run.Failed++
		limit *= 2
	}
	switch {
	case len(steps) == 0:
		return
	case len(run.steps)+len(steps) > max(limit, len(steps)):
		run.gap = true
		return
	}
	from := len(run.steps)
	if !run.gap {
		run.beforeGap++
	}
	run.steps, run.got = append(run.steps, steps...), append(run.got, got...)
	run.executions = append(run.executions, span{from, len(run.steps), failed, asked})
}

// judge says whether an execution differs from what a right chip shows, and gives a digest of those bits of the answers
// that count.
func (run *Run) judge(steps []transport.Step, got []transport.Sample) (failed bool, answers uint64) {
	r := Ranked{price: 1}
	right := make([]transport.Sample, len(steps))
	if tile.Expect(run.Tile, steps, right) != nil {
		return false, 0 // the tile keeps the error
	}
	d := newDigest()
	for i, want := range right {
		counts := transport.Sample{Out: ^want.OutX, IO: ^want.IOX}
		r.compare(got[i], want, counts)
		d.sample(got[i], counts)
	}
	return r.Wrong > 0, d.Sum64()
}

// joined is the whole run as one execution: what a fault of the reset leaves behind in one vector shows in the next.
func (run *Run) joined() []Execution { return []Execution{{Steps: run.steps, Got: run.got}} }

// sample gives up to n executions, failing or passing ones, spread over the run.
func (run *Run) sample(failed bool, n int) (executions []Execution) {
	of := slices.DeleteFunc(slices.Clone(run.executions), func(s span) bool { return s.failed != failed })
	left := run.patience().sampled
	for i := range min(n, len(of)) {
		s := of[i*len(of)/min(n, len(of))]
		if left -= s.to - s.from; left < 0 && i > 0 {
			break
		}
		executions = append(executions, Execution{Steps: run.steps[s.from:s.to], Got: run.got[s.from:s.to]})
	}
	return executions
}

// representative gives executions among which failing ones are as frequent as in the run; a vector is there in all
// iterations or in none. About mostExecutions of them fail at most.
func (run *Run) representative() (executions []Execution) {
	all, failed := run.executions[:run.beforeGap], 0
	for _, s := range all {
		if s.failed {
			failed++
		}
	}
	stride := uint64(failed/mostExecutions + 1)
	for _, s := range all {
		if s.digest%stride == 0 {
			executions = append(executions, Execution{Steps: run.steps[s.from:s.to], Got: run.got[s.from:s.to]})
		}
	}
	return executions
}

// wrongCosts is how many bits it takes to say which bit of a run is not as predicted: one of a million.
const wrongCosts = 20

// How much is simulated: of all hypotheses a sample of executions, of the best the whole run.
const (
	sampleFailed, samplePassed = 48, 16
	sampleSlack                = 40   // how many more wrong bits in the sample a hypothesis may have than the best
	window                     = 3000 // steps
	shortlist                  = 60
	shownCauses                = 8
)

// Diagnose ranks what may be wrong by how well it explains the run.
func (run *Run) Diagnose() Finding {
	if run.Failed == 0 || len(run.steps) == 0 {
		return Finding{Conclusion: Nothing}
	}
	f := Finding{Simulated: run.Simulated}
	failed, all := run.repeats.vectors()
	f.Vectors, f.iterations = failed, run.Executions/max(1, all)
	f.Steady, f.Wavering = run.repeats.count()
	var likely []Ranked
	for _, r := range rank(run.Tile, run.joined(), run.candidates(), shownCauses, wrongCosts) {
		if !slices.ContainsFunc(likely, func(o Ranked) bool { return o.String() == r.String() }) {
			// it was likely twice
			likely = append(likely, r)
		}
	}
	f.Causes = make([]Cause, len(likely))
	parallel(run.Tile, upTo(len(likely)), wrongCosts,
		func(i int, s *simulator) { f.Causes[i] = run.account(s, likely[i]) })
	if f.Causes[0].Bits > 0 && run.mayBeChance(&f) {
		f.Causes = append(f.Causes, run.intermittent()...)
	}
	slices.SortStableFunc(f.Causes, func(a, b Cause) int { return cmp.Compare(a.Bits, b.Bits) })
	f.countTies()
	f.Conclusion = run.conclude(&f)
	if f.Conclusion == Logic || f.Conclusion == Unexplained {
		f.Common = run.commonTraits()
	}
	return f
}

// candidates are the hypotheses that explain a sample of the executions nearly as well as the best of them does. If
// none explains all, a part of the run is simulated too: what one vector leaves behind for the next is missing in the
// sample.
func (run *Run) candidates() []Hypothesis {
	hs := append(Chips(run.Tile), Wires(run.Tile)...)
	if run.Speed != nil {
		hs = append(hs, Times(run.Tile, *run.Speed)...)
	}
	ranked := rank(run.Tile, append(run.sample(true, sampleFailed), run.sample(false, samplePassed)...), hs,
		shortlist, wrongCosts)
	if ranked[0].Cost() == 0 {
		return shortened(ranked, 2*shortlist)
	}
	return append(shortened(ranked, 2*shownCauses), shortened(rank(run.Tile, run.aroundFirstFailure(), hs, shownCauses,
		wrongCosts), shortlist)...)
}

// aroundFirstFailure is a part of the run as one execution; it begins a little before the first failing execution.
func (run *Run) aroundFirstFailure() []Execution {
	first := slices.IndexFunc(run.executions, func(s span) bool { return s.failed })
	from := run.executions[max(0, first-4)].from
	to := min(len(run.steps), from+window)
	return []Execution{{Steps: run.steps[from:to], Got: run.got[from:to]}}
}

func shortened(ranked []Ranked, most int) (hs []Hypothesis) {
	for i, r := range ranked {
		if i < 3 || r.Cost() <= 3*ranked[0].Cost()+sampleSlack*wrongCosts && i < most {
			hs = append(hs, r.Hypothesis)
		}
	}
	return hs
}

// account says what a hypothesis explains.
func (run *Run) account(s *simulator, r Ranked) Cause {
	cause := Cause{Hypothesis: r.Hypothesis, Bits: float64(r.Cost()), pull: r.pull}
	faulty, right := r.Simulate(r.pull), run.Tile.New()
	defer tile.Done(faulty)
	defer tile.Done(right)
	var want [chunk]transport.Sample
	for at := 0; at < len(run.steps); at += chunk {
		end := min(at+chunk, len(run.steps))
		if faulty.Run(run.steps[at:end], s.want[:]) != nil || right.Run(run.steps[at:end], want[:]) != nil {
			cause.Bits = mostCost // the tile keeps the error
			break
		}
		for i := at; i < end; i++ {
			cause.count(run.got[i], s.want[i-at], want[i-at])
		}
	}
	return cause
}
