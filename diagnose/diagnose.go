// Package diagnose finds which fault explains what a chip answered: each hypothesis is simulated on the very steps of the
// run, and ranked by how far it is from the answers.
//
// # Words
//
//   - A hypothesis is what may be wrong: one or more faults of wires or register bits, or nothing but the chip's revision.
//   - Its cost is how many bits of the answers it does not predict; a bit of which it says nothing counts half. Bits of
//     which a right chip says nothing, as of a bus that nobody drives, do not count.
//   - Hypotheses of the same cost cannot be told apart by these steps: the cause is ambiguous between them.
package diagnose

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A Pass is steps and what was answered, from a reset on.
type Pass struct {
	Steps []transport.Step
	Got   []transport.Sample
	Pull  transport.Pull // that held the lines which nobody drove
	Blind bool           // the uio lines that the bench drove were not read back, and do not count
}

// A Hypothesis is what may be wrong.
type Hypothesis struct {
	Faults   []mock.Fault // none: the chip is right
	Revision model.Revision
}

func (h Hypothesis) String() string {
	if len(h.Faults) == 0 {
		return "a " + h.Revision.String() + " chip without a fault"
	}
	var names []string
	for _, f := range h.Faults {
		names = append(names, f.String())
	}
	return strings.Join(names, " and ")
}

// And is the hypothesis with one more fault; ok is false when a line would have two.
func (h Hypothesis) And(f mock.Fault) (both Hypothesis, ok bool) {
	both = Hypothesis{append(slices.Clone(h.Faults), f), h.Revision}
	return both, mock.Conflict(both.Faults) == nil
}

// A Ranked is a hypothesis with what it leaves unexplained.
type Ranked struct {
	Hypothesis
	Wrong  int // bits that were answered otherwise
	Unsaid int // bits that were answered and not predicted
}

// Cost is in half bits.
func (r Ranked) Cost() int { return 2*r.Wrong + r.Unsaid }

// Rank orders hypotheses by their cost, the least first, and returns at least keep of them, and all that cost as much as
// the last of these. Equals stay in the order in which they came.
func Rank(passes []Pass, hs []Hypothesis, keep int) []Ranked {
	if len(hs) == 0 {
		return nil
	}
	b := bound{keep: min(keep, len(hs))}
	masks := counted(hs[0].Revision, passes)
	ranked := make([]Ranked, len(hs))
	order := likelyFirst(passes, hs, masks)
	parallel(order, func(i int, s *simulator) {
		ranked[i] = s.simulate(hs[i], passes, masks, b.limit())
		b.add(ranked[i].Cost())
	})
	slices.SortStableFunc(ranked, func(a, b Ranked) int { return cmp.Compare(a.Cost(), b.Cost()) })
	n := b.keep
	for n < len(ranked) && ranked[n].Cost() == ranked[b.keep-1].Cost() {
		n++
	}
	return ranked[:n]
}

// parallel works on the items in their order, with a simulator for each core.
func parallel(items []int, work func(i int, s *simulator)) {
	var taken atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			var s simulator
			for n := int(taken.Add(1)) - 1; n < len(items); n = int(taken.Add(1)) - 1 {
				work(items[n], &s)
			}
		})
	}
	workers.Wait()
}

// glance is how many steps are enough to tell the likely from the unlikely.
const glance = 48

// likelyFirst orders the hypotheses by what the first steps say, so that the bound is low before the rest are simulated.
func likelyFirst(passes []Pass, hs []Hypothesis, masks [][]transport.Sample) []int {
	order := make([]int, len(hs))
	for i := range order {
		order[i] = i
	}
	first := passes[0]
	if len(first.Steps) <= glance || len(hs) == 1 {
		return order
	}
	first.Steps, first.Got = first.Steps[:glance], first.Got[:glance]
	cost := make([]int, len(hs))
	parallel(slices.Clone(order), func(i int, s *simulator) {
		cost[i] = s.assuming(transport.PullDown, hs[i], []Pass{first}, masks, math.MaxInt).Cost()
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

// Ties are the first of the ranked that cost as much as the best.
func Ties(ranked []Ranked) []Ranked {
	n := 0
	for n < len(ranked) && ranked[n].Cost() == ranked[0].Cost() {
		n++
	}
	return ranked[:n]
}

// counted are the bits of each pass's samples that count.
func counted(rev model.Revision, passes []Pass) (all [][]transport.Sample) {
	for _, p := range passes {
		masks := make([]transport.Sample, len(p.Steps))
		chip := model.New(rev)
		for i, s := range p.Steps {
			want := chip.Step(s)
			masks[i] = transport.Sample{Out: ^want.OutX, IO: ^want.IOX}
			if p.Blind {
				masks[i].IO &^= s.Drive
			}
		}
		all = append(all, masks)
	}
	return all
}

// chunk is how many steps a simulation goes before it looks whether it may stop.
const chunk = 16

// A simulator keeps its samples from one hypothesis to the next.
type simulator struct{ want [chunk]transport.Sample }

// simulate stops when the cost is above the limit; it is only known to be more then. What a floating line does where the
// bench does not pull is not known: it may be neither, low, or high.
func (s *simulator) simulate(h Hypothesis, passes []Pass, masks [][]transport.Sample, limit int) Ranked {
	best := s.assuming(transport.PullNone, h, passes, masks, limit)
	for _, p := range passes {
		if p.Pull != transport.PullNone {
			return best
		}
	}
	for _, pull := range []transport.Pull{transport.PullDown, transport.PullUp} {
		if r := s.assuming(pull, h, passes, masks, min(limit, best.Cost())); r.Cost() < best.Cost() {
			best = r
		}
	}
	return best
}

func (s *simulator) assuming(pull transport.Pull, h Hypothesis, passes []Pass, masks [][]transport.Sample, limit int) Ranked {
	r := Ranked{Hypothesis: h}
	for n, p := range passes {
		chip := mock.Open(mock.Config{Revision: h.Revision, Faults: h.Faults})
		_ = chip.Pull(context.Background(), cmp.Or(p.Pull, pull)) // the mock can
		for at := 0; at < len(p.Steps); at += chunk {
			end := min(at+chunk, len(p.Steps))
			if _, err := chip.Apply(context.Background(), p.Steps[at:end], s.want[:]); err != nil {
				panic(err) // the mock is never closed, and the context never done
			}
			for i := range p.Steps[at:end] {
				r.compare(p.Got[at+i], s.want[i], masks[n][at+i])
			}
			if r.Cost() > limit {
				return r
			}
		}
	}
	return r
}

func (r *Ranked) compare(got, want, counts transport.Sample) {
	wrong := (got.Out ^ want.Out | got.OutX) &^ want.OutX & counts.Out
	wrongIO := (got.IO ^ want.IO | got.IOX) &^ want.IOX & counts.IO
	r.Wrong += bits.OnesCount8(wrong) + bits.OnesCount8(wrongIO)
	r.Unsaid += bits.OnesCount8(want.OutX&^got.OutX&counts.Out) + bits.OnesCount8(want.IOX&^got.IOX&counts.IO)
}
