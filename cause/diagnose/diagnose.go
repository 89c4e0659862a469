// Package diagnose finds which fault explains what a chip answered: each hypothesis is simulated on the steps of the
// run, and ranked by how far it is from the answers.
//
// # Words
//
//   - A hypothesis is what may be wrong: one or more faults of wires or register bits (faulty.go), or nothing but the
//     chip's revision (revision.go).
//   - Its cost is how many bits of the answers it does not predict; a bit that it leaves open counts half. Bits that a
//     right chip leaves open, as on a bus that nobody drives, do not count.
//   - Hypotheses of the same cost cannot be told apart by these steps: the cause is ambiguous between them.
//   - A question is the state that a right chip is in, and the step that comes next.
//
// # Wire, chance or logic
//
// A fault that is always there predicts every answer, so it is called the cause only if it gives exactly the answers
// that were seen. A fault that comes and goes may choose the steps at which it acts, and with enough choices it fits
// anything. A boundary of 80 for 7F looks like a line that was wrong in each of 59 steps and right in 250,000.
//
// So the choices have a price. Two accounts of the errors are compared by how many bits it takes to write the errors
// down with each: under a likelier account they are shorter.
//
//   - By chance: at each step at which the fault would make a difference, it acts with the same probability, whatever
//     is asked. The steps at which it acted count, and so do those at which it would have been seen and was not. If k
//     of n steps went wrong, that takes about k log2(n/k) bits.
//   - By a rule: first which questions are those that can go wrong, then how often each of these did. A question that
//     goes wrong each time it is asked is paid for once. Questions are grouped in four ways, from identical questions
//     to equal levels with equal expected outputs, since a mistake in the logic mostly affects a range of values.
//
// If the rule is shorter by 10 bits (a thousand to one), chance is excluded; if chance is shorter by as much, it is the
// cause if it explains the rest. Between these limits this run cannot decide, and the conclusion says so: an error that
// was seen once, at a question that was asked once, may be either.
//
// The strongest evidence is the same vector asked twice (--count). Each execution starts from a reset, so that a chip
// with a mistake in its logic gives the same answers again, and a loose line almost never does. If no answer changed,
// chance is excluded.
//
// # Speeds
//
// A Run may be several runs of one chip, step by step and at speeds, and each hypothesis is simulated on all of them as
// they were asked. So what is too slow (a Timed) has to give the right answers of the runs that pass too, and a wire
// that is at fault, or a mistake in the logic, the wrong ones of the slow runs: no rule tells them apart.
//
// The settings that were tried (moments of the sample, leads, periods) put all times into intervals, and within one the
// answers are the same. One time of each is simulated, and what is found is the interval. With jitter a setting may lie
// within what the time varies by. Then it acts by chance, as above, where the time is between two values; in each run
// with a probability of its own.
//
// Lines do not delay each other. So if no single time explains the runs, each line that was wrong is given the time
// that explains it, and all of them together have to give exactly the answers that were seen (lines.go).
//
// A Verilog simulation has no wires, and nothing happens in it by chance. Faults of wires are tried in spite of that,
// for what they say about the design: one that gives exactly the same answers is named, but the conclusion is logic. A
// stuck register bit is a register bit there too. Intermittent faults are not looked for.
package diagnose

import (
	"cmp"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"utfbench/internal/crash"
	"utfbench/tile"
	"utfbench/transport"
)

// An Execution is steps and samples, from a reset on.
type Execution struct {
	Steps []transport.Step
	Got   []transport.Sample
	Pull  transport.Pull    // that held the lines which nobody drove
	Blind bool              // the uio lines that the bench drove were not read back, and do not count
	Loose transport.Outputs // lines whose level at the bench's end means nothing, and does not count
	Speed *transport.Timing // at which the steps were played; nil for step by step

	of     *part            // of a Run; nil if it is of none
	before []transport.Step // of the execution before it, if that is known
}

// A Ranked is a hypothesis with the bits that it does not explain.
type Ranked struct {
	Hypothesis
	Wrong  int // bits that were answered and predicted differently
	Unsaid int // bits that were answered and not predicted

	price  int            // of a wrong bit
	spared int            // what spoiled executions would cost more
	pull   transport.Pull // of floating lines, that fits best
}

// Cost returns the cost in unpredicted bits.
func (r Ranked) Cost() int { return r.price*r.Wrong + r.Unsaid - r.spared }

// Rank orders hypotheses by cost and returns at least keep of them, plus all that tie with the last. Equals keep their
// order. The tile has a good chip's revision. The error is the reference's.
func Rank(t tile.Tile, executions []Execution, hs []Hypothesis, keep int) (ranked []Ranked, err error) {
	defer caught(&err)
	return rank(t, executions, hs, keep, 2), nil
}

// rank ranks with the price of a wrong bit.
func rank(t tile.Tile, executions []Execution, hs []Hypothesis, keep, price int) []Ranked {
	return rankWith(t, executions, hs, keep, simulator{price: price})
}

// rankWith ranks with copies of a simulator.
func rankWith(t tile.Tile, executions []Execution, hs []Hypothesis, keep int, like simulator) []Ranked {
	if len(hs) == 0 {
		return nil
	}
	b := bound{keep: min(keep, len(hs))}
	masks := countedBits(t, executions)
	ranked := make([]Ranked, len(hs))
	order := likelyFirst(t, executions, hs, masks, like.price)
	parallel(t, order, like.price, func(i int, s *simulator) {
		s.spoiled = like.spoiled
		ranked[i] = s.simulate(hs[i], executions, masks, b.limit())
		b.add(ranked[i].Cost())
	})
	slices.SortStableFunc(ranked, func(a, b Ranked) int { return cmp.Compare(a.Cost(), b.Cost()) })
	n := b.keep
	for n < len(ranked) && ranked[n].Cost() == ranked[b.keep-1].Cost() {
		n++
	}
	return ranked[:n]
}

// elsewhere reports whether the chips of a tile are in a process of their own, so that each look at one is a question
// to it: such a reference has something to close.
func elsewhere(t tile.Tile) bool {
	if t == nil {
		return false
	}
	r := t.New()
	defer tile.Done(r)
	_, is := r.(io.Closer)
	return is
}

// waiting is how many simulators there are where each waits for a process of its own most of the time.
const waiting = 64

// parallel processes the items in order, with a simulator per core, or more if the tile's chips run elsewhere. A
// worker's panic stops all and continues in the caller.
func parallel(t tile.Tile, items []int, price int, work func(i int, s *simulator)) {
	var taken atomic.Int64
	var workers crash.Group
	thrown := make(chan any, 1)
	n := runtime.GOMAXPROCS(0)
	if elsewhere(t) {
		n = waiting
	}
	for range n {
		workers.Go(func() {
			defer carried(thrown)
			s := simulator{price: price}
			for n := int(taken.Add(1)) - 1; n < len(items) && len(thrown) == 0; n = int(taken.Add(1)) - 1 {
				work(items[n], &s)
			}
		})
	}
	workers.Wait()
	if len(thrown) > 0 {
		panic(<-thrown)
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

// glance is how many steps are enough to separate likely hypotheses from unlikely ones.
const glance = 48

// likelyFirst orders the hypotheses by their cost on the first steps, so that the bound is low before the rest are
// simulated.
func likelyFirst(t tile.Tile, executions []Execution, hs []Hypothesis, masks [][]transport.Sample, price int) []int {
	order := upTo(len(hs))
	first := executions[0]
	if len(first.Steps) <= glance || len(hs) == 1 {
		return order
	}
	first.Steps, first.Got = first.Steps[:glance], first.Got[:glance]
	cost := make([]int, len(hs))
	parallel(t, slices.Clone(order), price, func(i int, s *simulator) {
		cost[i] = s.assuming(transport.PullDown, hs[i], []Execution{first}, masks, math.MaxInt).Cost()
	})
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cost[a], cost[b]) })
	return order
}

// A bound is the cost of the keep-th best so far. A simulation that costs more may stop.
type bound struct {
	mu   sync.Mutex
	keep int
	best []int // sorted
}

func (b *bound) limit() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.best) < b.keep {
		return math.MaxInt
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

// Ties returns the first ranked that cost as much as the best.
func Ties(ranked []Ranked) []Ranked {
	n := 0
	for n < len(ranked) && ranked[n].Cost() == ranked[0].Cost() {
		n++
	}
	return ranked[:n]
}
