package diagnose

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A Run is the evidence: the executions, in order, of one or more runs of the same chip.
type Run struct {
	Tile       tile.Tile        // the reference
	Simulated  bool             // by a Verilog simulator, which has no wires and no randomness
	Injected   bool             // faults were injected, so that the design may be right
	Unstable   []string         // facts about outputs whose samples of one step differed
	Runs       int              // number of runs to be added; 0 means 1
	Executions int              // number added
	Failed     int              // number that failed
	Early      func(Hypothesis) // gets the likeliest so far, every few seconds of a search; may be nil
	Context    context.Context  // ends the search; nil is never
	Budget     time.Duration    // for faults of several lines; 0 is UsualBudget
	Deduced    int              // number judged FAIL for a tile.Deducer, which may know more than its reference

	parts   []*part
	wrong   transport.Outputs // that ever were
	driven  uint8             // uio lines that the bench drove in some step
	repeats repeats           // vectors that ran more than once

	got, right shown      // of the chip, and of a good one
	first      *WrongStep // nil if there is none
	tried      int        // pairs of faults
	budget     *Budget
}

// A patience limits the simulated steps, by their work.
type patience struct {
	// steps of passing executions of a run, and of failing ones; executions beyond are only counted
	kept    int
	sampled int // steps on which all hypotheses are tried, but at least one execution
}

// patience returns the search limits. They are lower for a tile by its gates, and shared by several runs.
func (run *Run) patience() patience {
	_, gates := run.Tile.(tile.Crowded)
	switch {
	case gates:
		return patience{1000, 400}
	case run.Runs > 1: // a burst is slower to simulate
		return patience{150_000, 6000}
	}
	return patience{300_000, 6000}
}

// Begin starts a further run at a speed; nil is step by step. A single run step by step needs no Begin.
func (run *Run) Begin(speed *transport.Timing) { run.parts = append(run.parts, &part{speed: speed}) }

// AddResult adds a result's execution if steps were applied and it is no ERROR. The error is the reference's.
func (run *Run) AddResult(r *driver.Result) error {
	run.Judge(r.Verdict)
	if t := r.Trace; t != nil && r.Verdict.AboutChip() {
		return run.Add(r.Vector.Name, t.Steps, t.Got)
	}
	return nil
}

// Judge counts the verdict on an execution, which may depend on deduced levels: see tile.Deducer.
func (run *Run) Judge(v driver.Verdict) {
	if _, deduces := run.Tile.(tile.Deducer); deduces && v == driver.Fail {
		run.Deduced++
	}
}

// Add copies an execution of a vector into the run. The error is the reference's.
func (run *Run) Add(vector string, steps []transport.Step, got []transport.Sample) (err error) {
	defer caught(&err)
	if len(run.parts) == 0 {
		run.Begin(nil)
	}
	p := run.parts[len(run.parts)-1]
	steps = steps[:len(got)]
	wrong, answers, right := run.judge(steps, got)
	failed := wrong != 0
	run.wrong |= wrong
	run.sees(vector, steps, got, right)
	run.repeats.name(vector, failed)
	asked := run.repeats.add(p.speed, steps, answers, failed)
	run.Executions, p.asked, p.total = run.Executions+1, p.asked+1, p.total+len(steps)
	limit := run.patience().kept / max(1, run.Runs)
	if failed {
		run.Failed, p.failed, p.broken = run.Failed+1, p.failed+1, p.broken+len(steps)
	}
	if len(steps) > 0 {
		p.keep(steps, got, span{failed: failed, digest: asked}, limit)
	}
	return nil
}

// judge returns the outputs that differ from a good chip's, a digest of the compared bits, and the good chip's
// samples.
func (run *Run) judge(steps []transport.Step, got []transport.Sample) (wrong transport.Outputs, answers uint64,
	right []transport.Sample) {
	right = make([]transport.Sample, len(steps))
	must(tile.Expect(run.Tile, steps, right))
	d := newDigest()
	for i, want := range right {
		counts := transport.Sample{Out: ^want.OutX, IO: ^want.IOX}
		differs, _ := compare(got[i], want, counts)
		wrong |= differs
		d.sample(got[i], counts)
	}
	return wrong, d.Sum64(), right
}

// speeds returns the speeds of the burst runs.
func (run *Run) speeds() (all []transport.Timing) {
	for _, p := range run.parts {
		if p.speed != nil {
			all = append(all, *p.speed)
		}
	}
	return all
}

// joined returns each run as one execution, since a fault of the reset carries over to the next vector.
func (run *Run) joined() (executions []Execution) {
	return run.each(func(p *part) []Execution { return []Execution{p.between(0, len(p.steps))} })
}

// each concatenates the executions taken from each part.
func (run *Run) each(of func(*part) []Execution) (executions []Execution) {
	for _, p := range run.parts {
		executions = append(executions, of(p)...)
	}
	return executions
}

// sample returns up to n failing or passing executions, spread over the runs.
func (run *Run) sample(failed bool, n int) []Execution {
	share := 0 // parts that have some
	for _, p := range run.parts {
		if p.count(failed) > 0 {
			share++
		}
	}
	share = max(1, share)
	return run.each(func(p *part) []Execution {
		return p.sample(failed, max(1, n/share), run.patience().sampled/share)
	})
}

// every returns all failing or all passing executions, for uses without simulation.
func (run *Run) every(failed bool) []Execution {
	return run.each(func(p *part) []Execution { return p.sample(failed, math.MaxInt, math.MaxInt) })
}

// wrongCosts is the number of bits needed to encode the position of an unpredicted bit in a run: one of a million.
const wrongCosts = 20

// All hypotheses are simulated on a sample of executions, the best ones on the whole run.
const (
	sampleFailed, samplePassed = 48, 16
	sampleSlack                = 40   // maximum excess of wrong bits in the sample over the best hypothesis
	surely                     = 3    // hypotheses that are kept in any case
	window                     = 3000 // steps
	shortlist                  = 60
	shownCauses                = 8
)

// simulator returns one that the run's context ends.
func (run *Run) simulator() simulator { return simulator{ctx: run.Context, price: wrongCosts} }

// Diagnose ranks the possible faults by how well they explain the run. The error is the reference's, or
// the context's.
func (run *Run) Diagnose() (f Finding, err error) {
	defer caught(&err)
	switch {
	case run.Failed == 0 && run.Deduced > 0:
		return run.deduce(), nil
	case run.Failed == 0:
		return Finding{Conclusion: Nothing}, nil
	}
	run.budget = NewBudget(run.Tile, run.Budget)
	f = Finding{AtSpeed: len(run.speeds()) > 0}
	for _, p := range run.parts {
		f.Steps, f.Of = f.Steps+len(p.steps), f.Of+p.total
		f.Stepped = f.Stepped || p.speed == nil
		f.Slowly = f.Slowly || p.speed == nil && p.failed > 0
	}
	failed, all := run.repeats.vectors()
	f.Vectors, f.iterations = failed, run.Executions/max(1, all*len(run.parts))
	f.Steady, f.Wavering = run.repeats.count()
	f.Causes = run.accounts(run.permanent())
	f.dropIdle()
	if f.exactKind() == "" && run.mayBeChance(&f) {
		f.Causes = append(f.Causes, run.comingAndGoing()...)
	}
	slices.SortStableFunc(f.Causes, func(a, b Cause) int { return cmp.Compare(a.Bits, b.Bits) })
	f.dropIdle()
	f.Conclusion = run.conclude(&f)
	if f.Conclusion == NoneOfMine && len(run.Unstable) > 0 {
		return Finding{Conclusion: Unstable, Facts: run.Unstable, First: run.first}, nil
	}
	f.doubt(run.driven)
	run.separate(&f)
	switch {
	case f.Began:
		f.Facts, f.First = []string{"first wrong: " + run.first.String()}, run.first
	case f.Conclusion == Unclear && f.Doubt.Outputs == nil && f.exactKind() != "": // each explains every sample
	case f.Conclusion == NoneOfMine, f.Conclusion == Unclear && f.Doubt.Outputs == nil,
		f.Conclusion == Timing && !f.best().explains():
		f.Facts, f.First = run.facts(), run.first
		f.Common = run.commonTraits()
	case f.Conclusion == Logic:
		f.Common = run.commonTraits()
	case f.Conclusion == Unclear, f.Conclusion == Intermittent:
		f.First = run.first
	}
	return f, nil
}

// permanent returns the permanent faults that explain the whole run best.
func (run *Run) permanent() (likely []Ranked) {
	for _, r := range rank(run.Tile, run.joined(), run.candidates(), shownCauses, run.simulator()) {
		if !slices.ContainsFunc(likely, func(o Ranked) bool { return o.String() == r.String() }) {
			// it may have been likely in both searches
			likely = append(likely, r)
		}
	}
	return likely
}

// candidates returns the hypotheses that explain a sample of the executions nearly as well as the best. If none
// explains all, it also simulates a part of the run, since the sample lacks the effects of one vector on the next.
func (run *Run) candidates() []Hypothesis {
	hs := slices.Concat(Times(run.Tile, run.speeds()), Chips(run.Tile), Wires(run.Tile))
	near := run.simulator()
	near.near, near.early = true, run.early()
	ranked := rank(run.Tile, append(run.sample(true, sampleFailed), run.sample(false, samplePassed)...), hs,
		shortlist, near)
	if run.Early != nil {
		run.Early(ranked[0])
	}
	if ranked[0].Cost() == 0 {
		return shortened(ranked, 2*shortlist)
	}
	around := rank(run.Tile, run.each((*part).aroundFirstFailure), hs, shownCauses, near)
	return append(shortened(ranked, 2*shownCauses), shortened(around, shortlist)...)
}

// earliest is the time before the likeliest hypothesis so far is shown, and between two of them.
const earliest = 3 * time.Second

// An early shows the likeliest hypothesis so far of a search that takes long.
type early struct {
	mu   sync.Mutex
	show func(Hypothesis) // may be nil
	due  time.Time

	wrong []string // lines
}

func (run *Run) early() *early {
	return &early{show: run.Early, due: time.Now().Add(earliest), wrong: run.wrong.Names()}
}

// order returns the order of a first pass: the faults of a single wrong line first, then its faults with other lines.
func (e *early) order(hs []Hypothesis) []int {
	order := upTo(len(hs))
	if e == nil {
		return order
	}
	lines := make([]int, len(hs)) // in the fault
	for i, h := range hs {
		lines[i] = math.MaxInt
		for _, s := range h.Suspects() {
			if slices.ContainsFunc(s.Lines, func(line string) bool { return slices.Contains(e.wrong, line) }) {
				lines[i] = min(lines[i], len(s.Lines))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lines[a], lines[b]) })
	return order
}

// pass returns a function that takes the hypotheses of one pass, with their costs.
func (e *early) pass() func(Hypothesis, int) {
	best, likeliest := math.MaxInt, Hypothesis(nil)
	return func(h Hypothesis, cost int) {
		if e == nil || e.show == nil {
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if cost < best {
			best, likeliest = cost, h
		}
		if likeliest != nil && !time.Now().Before(e.due) {
			e.show(likeliest)
			likeliest, e.due = nil, time.Now().Add(earliest)
		}
	}
}

// nearly returns the highest cost that is nearly the best.
func nearly(best int) int { return 3*best + sampleSlack*wrongCosts }

// shortened returns the first hypotheses, and more that explain nearly as much as the best, up to most.
func shortened(ranked []Ranked, most int) (hs []Hypothesis) {
	for i, r := range ranked {
		if i < surely || r.Cost() <= nearly(ranked[0].Cost()) && i < most {
			hs = append(hs, r.Hypothesis)
		}
	}
	return hs
}

// accounts returns each hypothesis's account of the whole run.
func (run *Run) accounts(likely []Ranked) []Cause {
	causes := make([]Cause, len(likely))
	parallel(run.Tile, upTo(len(likely)), run.simulator(),
		func(i int, s *simulator) { causes[i] = run.account(s, likely[i]) })
	return causes
}

func (run *Run) account(s *simulator, r Ranked) Cause {
	cause := Cause{Hypothesis: r.Hypothesis, Bits: float64(r.Cost()), pull: r.pull}
	for _, p := range run.parts {
		cause.add(s, run.Tile, p)
	}
	return cause
}

// add adds a part's bits to the cause's account.
func (c *Cause) add(s *simulator, t tile.Tile, p *part) {
	faulty, right := c.Simulate(Setting{c.pull, p.speed, s.chip}), t.New()
	defer tile.Done(faulty)
	defer tile.Done(right)
	piece := s.room(faulty, len(p.steps))
	want, unseen := make([]transport.Sample, piece), c.Unseen
	for at := 0; at < len(p.steps); at += piece {
		end := min(at+piece, len(p.steps))
		s.run(faulty, p.steps[at:end])
		must(right.Run(p.steps[at:end], want))
		for i := at; i < end; i++ {
			c.count(p.got[i], s.want[i-at], want[i-at])
		}
	}
	c.Refuted = c.Refuted || p.failed == 0 && c.Unseen > unseen
}
