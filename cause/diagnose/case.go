package diagnose

import (
	"cmp"
	"slices"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A Case is a run to be explained: its executions in their order.
type Case struct {
	Tile       tile.Tile // that the chip is compared with
	Simulated  bool      // by a Verilog simulator, in which no wire is and nothing happens by chance
	Executions int       // that were added
	Failed     int       // of them

	total      int // steps that were added
	steps      []transport.Step
	got        []transport.Sample
	executions []stretch
	gap        bool   // an execution was left out
	whole      int    // executions before it
	again      rounds // what was asked more than once
}

// A stretch is where an execution lies in the steps.
type stretch struct {
	from, to int
	failed   bool
	asked    uint64 // a digest of the steps
}

// Most steps that a case looks at: failing executions beyond both limits, and passing ones beyond one, are counted only.
const mostSteps = 300_000

// AddResult takes the execution of a result, if something was applied.
func (c *Case) AddResult(r *driver.Result) {
	if t := r.Trace; t != nil {
		c.Add(r.Vector.Name, t.Steps, t.Got)
	}
}

// Add takes an execution of a vector; it copies what it keeps.
func (c *Case) Add(vector string, steps []transport.Step, got []transport.Sample) {
	steps = steps[:len(got)]
	failed, answers := c.judge(steps, got)
	c.again.name(vector, failed)
	asked := c.again.add(steps, answers, failed)
	c.Executions, c.total = c.Executions+1, c.total+len(steps)
	limit := mostSteps
	if failed {
		c.Failed++
		limit *= 2
	}
	switch {
	case len(steps) == 0:
		return
	case len(c.steps)+len(steps) > max(limit, len(steps)):
		c.gap = true
		return
	}
	from := len(c.steps)
	if !c.gap {
		c.whole++
	}
	c.steps, c.got = append(c.steps, steps...), append(c.got, got...)
	c.executions = append(c.executions, stretch{from, len(c.steps), failed, asked})
}

// judge says whether an execution differs from what a right chip shows, and gives a digest of the answers, of those bits that count.
func (c *Case) judge(steps []transport.Step, got []transport.Sample) (failed bool, answers uint64) {
	r := Ranked{price: 1}
	chip := c.Tile.New()
	d := newDigest()
	for i, s := range steps {
		want := chip.Step(s)
		counts := transport.Sample{Out: ^want.OutX, IO: ^want.IOX}
		r.compare(got[i], want, counts)
		d.sample(got[i], counts)
	}
	return r.Wrong > 0, d.Sum64()
}

// run is the case as one execution, as it went: what a fault of the reset left behind in one vector shows in the next.
func (c *Case) run() []Execution { return []Execution{{Steps: c.steps, Got: c.got}} }

// some are up to n failing, or passing, executions, spread over the run.
func (c *Case) some(failed bool, n int) (executions []Execution) {
	of := slices.DeleteFunc(slices.Clone(c.executions), func(s stretch) bool { return s.failed != failed })
	for i := range min(n, len(of)) {
		s := of[i*len(of)/min(n, len(of))]
		executions = append(executions, Execution{Steps: c.steps[s.from:s.to], Got: c.got[s.from:s.to]})
	}
	return executions
}

// fair are executions among which failing ones are as frequent as in the run, and each vector is in all of its rounds or in none: up
// to about most failing ones.
func (c *Case) fair() (executions []Execution) {
	all, failed := c.executions[:c.whole], 0
	for _, s := range all {
		if s.failed {
			failed++
		}
	}
	apart := uint64(failed/most + 1)
	for _, s := range all {
		if s.asked%apart == 0 {
			executions = append(executions, Execution{Steps: c.steps[s.from:s.to], Got: c.got[s.from:s.to]})
		}
	}
	return executions
}

// A Cause is a hypothesis with what it explains of a whole run.
type Cause struct {
	Hypothesis
	Differs   int     // bits of the run that differ from a right chip's
	Explained int     // of these
	Foretold  int     // bits that it predicts to differ otherwise than they do
	Bits      float64 // to tell the answers, given the hypothesis; the less the better

	pull transport.Pull // of floating lines, that fits best
}

// A Finding is what explains a run.
type Finding struct {
	Conclusion Conclusion
	Simulated  bool
	Causes     []Cause // the best first; none when nothing differs
	Ties       int     // how many of them cannot be told apart

	Common []Trait // that failing executions have, when no fault explains them

	Vectors          int // different ones that failed
	Steady, Wavering int // vectors asked more than once, of different steps: that failed with the same answers; whose answers changed

	rounds     int     // in which each vector was asked
	dependence float64 // of errors on what is asked; see evidence
}

// wrongCosts is how many bits it takes to say which bit of a run is not as predicted: one of a million.
const wrongCosts = 20

// How much is simulated: of all hypotheses a sample of executions, of the best the whole run.
const (
	sampleFailed, samplePassed = 48, 16
	sampleSlack                = 40   // wrong bits in the sample that a hypothesis may have more than the best
	window                     = 3000 // steps
	shortlist                  = 60
	shown                      = 8
)

// Diagnose ranks what may be wrong by how well it explains the case.
func (c *Case) Diagnose() Finding {
	if c.Failed == 0 || len(c.steps) == 0 {
		return Finding{Conclusion: Nothing}
	}
	f := Finding{Simulated: c.Simulated}
	failed, all := c.again.vectors()
	f.Vectors, f.rounds = failed, c.Executions/max(1, all)
	f.Steady, f.Wavering = c.again.count()
	for _, r := range rank(c.Tile, c.run(), c.likely(), shown, wrongCosts) {
		if !slices.ContainsFunc(f.Causes, func(o Cause) bool { return o.String() == r.String() }) { // it was likely twice
			f.Causes = append(f.Causes, c.account(r))
		}
	}
	if f.Causes[0].Bits > 0 && c.mayBeChance(&f) {
		f.Causes = append(f.Causes, c.intermittent()...)
	}
	slices.SortStableFunc(f.Causes, func(a, b Cause) int { return cmp.Compare(a.Bits, b.Bits) })
	f.tie()
	f.Conclusion = c.conclude(&f)
	if f.Conclusion == Logic || f.Conclusion == Unexplained {
		f.Common = c.common()
	}
	return f
}

func (f *Finding) tie() {
	for f.Ties = 0; f.Ties < len(f.Causes) && f.Causes[f.Ties].ties(f.Causes[0]); {
		f.Ties++
	}
}

// likely are the hypotheses that explain a sample of the executions nearly as well as the best of them does. Where none explains
// all, a stretch of the run is asked too: what one vector left behind for the next is missing in the sample.
func (c *Case) likely() []Hypothesis {
	hs := append(Chips(c.Tile), Wires(c.Tile)...)
	ranked := rank(c.Tile, append(c.some(true, sampleFailed), c.some(false, samplePassed)...), hs, shortlist, wrongCosts)
	if ranked[0].Cost() == 0 {
		return shortened(ranked, 2*shortlist)
	}
	return append(shortened(ranked, 2*shown), shortened(rank(c.Tile, c.around(), hs, shown, wrongCosts), shortlist)...)
}

// around is a stretch of the run from just before its first failing execution on, as one execution.
func (c *Case) around() []Execution {
	first := slices.IndexFunc(c.executions, func(s stretch) bool { return s.failed })
	from := c.executions[max(0, first-4)].from
	to := min(len(c.steps), from+window)
	return []Execution{{Steps: c.steps[from:to], Got: c.got[from:to]}}
}

func shortened(ranked []Ranked, most int) (hs []Hypothesis) {
	for i, r := range ranked {
		if i < 3 || r.Cost() <= 3*ranked[0].Cost()+sampleSlack*wrongCosts && i < most {
			hs = append(hs, r.Hypothesis)
		}
	}
	return hs
}

// ties says whether a cause cannot be told from the best. How often a line that comes and goes does so is a guess, so that
// its flipping and its being open are told apart only by much.
func (c Cause) ties(best Cause) bool {
	if c.Bits < best.Bits+odds {
		return true
	}
	return c.chance() && best.chance() && slices.EqualFunc(c.Suspects(), best.Suspects(), sameLines) && c.Bits < 3*best.Bits
}

// account says what a hypothesis explains.
func (c *Case) account(r Ranked) Cause {
	cause := Cause{Hypothesis: r.Hypothesis, Bits: float64(r.Cost()), pull: r.pull}
	s := simulator{price: wrongCosts}
	faulty, right := r.Simulate(r.pull), c.Tile.New()
	for at := 0; at < len(c.steps); at += chunk {
		end := min(at+chunk, len(c.steps))
		faulty.Run(c.steps[at:end], s.want[:])
		for i := at; i < end; i++ {
			cause.count(c.got[i], s.want[i-at], right.Step(c.steps[i]))
		}
	}
	return cause
}

func (c *Cause) count(got, foretold, right transport.Sample) {
	counts := transport.Sample{Out: ^right.OutX, IO: ^right.IOX}
	differs, _ := compare(got, right, counts)
	wrong, unsaid := compare(got, foretold, counts)
	c.Differs += differs.Count()
	c.Explained += (differs &^ wrong &^ unsaid).Count()
	c.Foretold += (wrong &^ differs).Count()
}
