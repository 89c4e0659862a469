// Package diagnose finds the fault that explains a chip's samples: it simulates each hypothesis on the steps of the
// run and ranks it by the bits that it does not predict.
//
// # Words
//
//   - A hypothesis is a possible fault: one or more faults of wires or register bits (faulty.go), or only another
//     revision of the chip (revision.go).
//   - Its cost is the number of sampled bits that it does not predict; a bit that it leaves open counts half. Bits that
//     a good chip leaves open, as on an undriven bus, do not count.
//   - Hypotheses of equal cost cannot be told apart by these steps: the cause is ambiguous between them.
//   - A question is a state of a good chip together with the next step.
//
// # Wire, chance or logic
//
// A permanent fault predicts every sample, so it is the cause only if it reproduces the samples exactly. An
// intermittent fault may choose the steps at which it acts, and with enough choices it fits anything. A boundary of 80
// instead of 7F looks like a line that was wrong in each of 59 steps and right in 250,000.
//
// So the choices have a price. Two accounts of the errors are compared by the number of bits needed to encode the
// errors under each: the likelier account gives the shorter code.
//
//   - By chance: at each step at which the fault would make a difference, it acts with the same probability, whatever
//     the inputs. Steps at which it acted count, as do steps at which it would have been visible and did not act. If k
//     of n steps went wrong, that takes about k log2(n/k) bits.
//   - By a rule: first the set of questions that can fail, then how often each of them did. A question that always
//     fails costs only once. Questions are grouped in four ways, from identical questions to equal levels with equal
//     expected outputs, since a logic mistake mostly affects a range of values.
//
// If the rule is shorter by 10 bits (a thousand to one), chance is excluded; if chance is shorter by as much, it is
// the cause if it explains the rest. Between these limits this run cannot decide, and the conclusion says so: a single
// error at a question that occurred once may be either.
//
// The strongest evidence is a repeated vector (--count). Each execution starts from a reset, so a chip with a logic
// mistake repeats its samples, and a loose line almost never does. If no samples changed, chance is excluded.
//
// # Speeds
//
// A Run may combine several runs of one chip, step by step and at speeds; each hypothesis is simulated on all of them
// at their speeds. So something too slow (a Timed) must also predict the right samples of the passing runs, and a
// faulty wire or a logic mistake must also predict the wrong ones of the slow runs: no separate rule is needed.
//
// The settings (sample times, leads, periods) divide all times into intervals within which the samples are equal. One
// time of each is simulated, and the finding is the interval. With jitter a setting may lie within the variation of
// the time. The fault then acts by chance, as above, while the time is between two values, with a separate probability
// in each run.
//
// Lines do not delay each other. So if no single time explains the runs, each wrong line gets the time that explains
// it, and all of them together must reproduce the samples exactly (lines.go).
//
// A Verilog simulation has no wires and no randomness. Wire faults are tried nevertheless, for what they reveal about
// the design: one that reproduces the samples exactly is named, but the conclusion is logic. A stuck register bit is a
// register bit there, too. Intermittent faults are not tried.
package diagnose

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// An Execution holds steps and samples, beginning with a reset.
type Execution struct {
	Steps []transport.Step
	Got   []transport.Sample
	Pull  transport.Pull    // on undriven lines
	Blind bool              // uio lines driven by the bench were not read back and do not count
	Loose transport.Outputs // lines whose level at the bench is meaningless and does not count
	Speed *transport.Timing // of a burst; nil for step by step

	of     *part            // of a Run; nil without one
	before []transport.Step // steps of the preceding execution, if known
}

// A Ranked is a hypothesis with the number of bits that it does not explain.
type Ranked struct {
	Hypothesis
	Wrong  int // bits predicted wrongly
	Unsaid int // bits sampled but not predicted

	price  int            // of a wrong bit
	spared int            // cost beyond the limits of spoiled executions
	pull   transport.Pull // the best-fitting pull on floating lines
}

// Cost returns the cost in unpredicted bits.
func (r Ranked) Cost() int { return r.price*r.Wrong + r.Unsaid - r.spared }

// Rank orders hypotheses by cost and returns at least keep of them, plus all that tie with the last. Ties keep their
// order. The tile must have a good chip's revision. The error is the reference's or the context's.
func Rank(ctx context.Context, t tile.Tile, executions []Execution, hs []Hypothesis, keep int) (ranked []Ranked,
	err error) {
	defer caught(&err)
	return rank(t, executions, hs, keep, simulator{ctx: ctx, price: wrongCosts}), nil
}

// rank ranks with copies of a simulator.
func rank(t tile.Tile, executions []Execution, hs []Hypothesis, keep int, like simulator) []Ranked {
	if len(hs) == 0 {
		return nil
	}
	b := bound{keep: min(keep, len(hs)), near: like.near}
	masks := countedBits(t, executions)
	ranked := make([]Ranked, len(hs))
	order := upTo(len(hs))
	if like.spoiled == 0 { // otherwise each execution is short
		order = likelyFirst(t, executions, hs, masks, like)
	}
	shown := like.early.pass()
	parallel(t, order, like, func(i int, s *simulator) {
		ranked[i] = s.simulate(hs[i], executions, masks, b.limit())
		b.add(ranked[i].Cost())
		shown(hs[i], ranked[i].Cost())
	})
	slices.SortStableFunc(ranked, func(a, b Ranked) int { return cmp.Compare(a.Cost(), b.Cost()) })
	n := b.keep
	for n < len(ranked) && ranked[n].Cost() == ranked[b.keep-1].Cost() {
		n++
	}
	return ranked[:n]
}

// parallel processes the items in order, with a copy of a simulator per core. A worker's panic stops all and continues
// in the caller.
func parallel(t tile.Tile, items []int, like simulator, work func(i int, s *simulator)) {
	var taken atomic.Int64
	var workers failure.Group
	thrown := make(chan any, 1)
	next := func() tile.Work {
		n := int(taken.Add(1)) - 1
		if n >= len(items) || len(thrown) > 0 {
			return nil
		}
		return func(chip func() fault.Chip) {
			s := like
			s.chip = chip
			must(s.ended())
			work(items[n], &s)
		}
	}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			defer carried(thrown)
			together(t, next)
		})
	}
	workers.Wait()
	if len(thrown) > 0 {
		panic(<-thrown)
	}
}

// together does all work, on some chips of the tile at the same time if it can.
func together(t tile.Tile, next func() tile.Work) {
	if c, can := t.(tile.Crowded); can {
		c.Together(next)
		return
	}
	for work := next(); work != nil; work = next() {
		work(nil)
	}
}

// upTo returns the numbers from 0 to n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// glance is the number of steps that suffice to separate likely from unlikely hypotheses.
const glance = 48

// likelyFirst orders the hypotheses by their cost on the first steps, so that the bound is low before the rest are
// simulated.
func likelyFirst(t tile.Tile, executions []Execution, hs []Hypothesis, masks [][]transport.Sample,
	like simulator) []int {
	order := like.early.order(hs)
	first := executions[0]
	if len(first.Steps) <= glance || len(hs) == 1 {
		return order
	}
	first.Steps, first.Got = first.Steps[:glance], first.Got[:glance]
	cost := make([]int, len(hs))
	shown := like.early.pass()
	parallel(t, slices.Clone(order), like, func(i int, s *simulator) {
		cost[i] = s.assuming(transport.PullDown, hs[i], []Execution{first}, masks, math.MaxInt).Cost()
		shown(hs[i], cost[i])
	})
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cost[a], cost[b]) })
	return order
}

// A bound is the cost of the keep-th best hypothesis so far. A simulation that costs more may stop.
type bound struct {
	mu   sync.Mutex
	keep int
	near bool  // only what shortened keeps counts
	best []int // sorted
}

func (b *bound) limit() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.best) < b.keep {
		return math.MaxInt
	}
	if b.near && len(b.best) >= surely {
		return min(b.best[b.keep-1], max(b.best[surely-1], nearly(b.best[0])))
	}
	return b.best[b.keep-1]
}

func (b *bound) add(cost int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, _ := slices.BinarySearch(b.best, cost)
	if i < b.keep {
		b.best = slices.Insert(b.best, i, cost)
		b.best = b.best[:min(len(b.best), b.keep)]
	}
}

// Ties returns the first ranked hypotheses, all with the lowest cost.
func Ties(ranked []Ranked) []Ranked {
	n := 0
	for n < len(ranked) && ranked[n].Cost() == ranked[0].Cost() {
		n++
	}
	return ranked[:n]
}
