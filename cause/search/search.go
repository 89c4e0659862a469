// Package search finds the faults that explain a chip's samples: it simulates each hypothesis on the same steps, and
// ranks it by the bits that it does not predict. Package diagnose uses it to find the cause of a failing run, or of
// wrong samples in a wiring check.
//
// # Words
//
//   - The evidence consists of executions with their samples, and a good chip's samples.
//   - A hypothesis is a set of faults of wires, register bits or times, or another revision of the chip.
//   - The cost of a hypothesis is the number of bits that encode the samples, given the hypothesis: 20 for a bit that
//     it mispredicts, and one for a bit that it leaves open. Bits that a good chip leaves open do not count.
//
// A search tries likely hypotheses before rare ones: first a good chip of each revision, and single faults; then pairs
// of faults, ranked by the effects of their single faults (superpose.go); then the best pairs with a third fault. Pairs
// and third faults have a budget of simulated steps.
package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// A Search ranks hypotheses about the chip of a tile.
type Search struct {
	Tile    tile.Tile
	Context context.Context // ends the search when it is done; nil never is
	Budget  *Budget         // limits the search for several faults

	spoiled int // maximum cost of an execution, since noise may have spoiled it; 0 is unlimited
}

// MaxSpoiledCost limits the cost of an execution that noise may have spoiled.
const MaxSpoiledCost = 3 * wrongCosts

// WithNoise returns a search that allows for noise in some executions.
func (s Search) WithNoise() Search {
	s.spoiled = MaxSpoiledCost
	return s
}

func (s Search) ended() error {
	if s.Context == nil {
		return nil
	}
	return s.Context.Err()
}

// Rank orders hypotheses by cost. It returns at least keep of them, and all that tie with the last. Ties are ordered by
// rarity, the commonest first, and otherwise keep their order.
func (s Search) Rank(e *Evidence, hs []Hypothesis, keep int) []Fit {
	if len(hs) == 0 {
		return nil
	}
	b := bound{keep: min(keep, len(hs))}
	fits := make([]Fit, len(hs))
	s.forEach(len(hs), func(i int, w *Worker) {
		fits[i] = w.fit(hs[i], e, b.limit())
		fits[i].Bits = float64(fits[i].Cost())
		b.add(fits[i].Cost())
	})
	slices.SortStableFunc(fits, func(a, b Fit) int {
		return cmp.Or(cmp.Compare(a.Cost(), b.Cost()), cmp.Compare(a.Rarity(), b.Rarity()))
	})
	n := b.keep
	for n < len(fits) && fits[n].Cost() == fits[b.keep-1].Cost() {
		n++
	}
	for i, f := range fits[:n] {
		if f.Unreset() && 2*f.UnpredictedBits <= f.ExplainedBits && f.Cost() < fits[0].Cost()+DecisiveBits &&
			e.resets >= enoughResets {
			fits[i].Bits = 0
		}
	}
	return fits[:n]
}

// nearly returns the highest cost of a hypothesis that explains nearly as much as the best.
func nearly(best int) int {
	const slack = 40 // wrong bits
	return 3*best + slack*wrongCosts
}

// Shortlist returns up to limit hypotheses that explain nearly as much as the best.
func Shortlist(fits []Fit, limit int) (hs []Hypothesis) {
	for i, f := range fits {
		if i < limit && f.Cost() <= nearly(fits[0].Cost()) {
			hs = append(hs, f.Hypothesis)
		}
	}
	return hs
}

// A bound holds the lowest costs so far, up to keep. A simulation that costs more than limit may stop.
type bound struct {
	mu   sync.Mutex
	keep int
	best []int // sorted
}

func (b *bound) limit() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case len(b.best) == 0:
		return math.MaxInt
	case len(b.best) < b.keep:
		return nearly(b.best[0])
	}
	return min(b.best[b.keep-1], nearly(b.best[0]))
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

// A Worker simulates hypotheses one at a time, and reuses a buffer of samples.
type Worker struct {
	Search
	chip  func() fault.Chip // for a tile.BatchSimulator, which makes one chip at a time
	shown []transport.Sample
}

// chunk is the number of steps between checks of the cost limit.
const chunk = 16

// simulate simulates an execution on a chip with a hypothesis's faults, piece by piece. It calls see with the number of
// each piece's first step and the samples, until see returns false.
func (w *Worker) simulate(h Hypothesis, at Conditions, p Execution, see func(at int, shown []transport.Sample) bool) {
	at.chip = w.chip
	chip := h.Simulate(at)
	defer tile.CloseReference(chip)
	if h.carriesOver() {
		w.play(chip, p.PrecedingSteps, func(int, []transport.Sample) bool { return true })
	}
	w.play(chip, p.Steps, see)
}

func (w *Worker) play(chip Simulation, steps []transport.Step, see func(at int, shown []transport.Sample) bool) {
	piece := chunk
	if b, is := chip.(*burstSimulation); is && b.timing != nil { // one burst
		piece = max(chunk, len(steps))
	}
	w.shown = slices.Grow(w.shown[:0], piece)[:piece]
	for at := 0; at < len(steps); at += piece {
		some := steps[at:min(at+piece, len(steps))]
		PanicOn(w.ended())
		PanicOn(chip.Run(some, w.shown))
		if !see(at, w.shown[:len(some)]) {
			return
		}
	}
}

// fit returns the account of a hypothesis. It stops when the cost exceeds the limit; the cost in the account is then
// too low. Without a known pull, floating lines are unknown, low or high, whichever fits best.
func (w *Worker) fit(h Hypothesis, e *Evidence, limit int) Fit {
	best := w.assuming(transport.PullNone, h, e, limit)
	if best.UnpredictedBits == 0 {
		return best // no visible line floats
	}
	for _, p := range e.Executions {
		if p.Pull != transport.PullNone {
			return best
		}
	}
	for _, pull := range []transport.Pull{transport.PullDown, transport.PullUp} {
		if f := w.assuming(pull, h, e, min(limit, best.Cost())); f.Cost() < best.Cost() {
			best = f
		}
	}
	return best
}

func (w *Worker) assuming(pull transport.Pull, h Hypothesis, e *Evidence, limit int) Fit {
	f := Fit{Hypothesis: h, pull: pull}
	for n, p := range e.Executions {
		before, stop := f.Cost(), limit
		if w.spoiled > 0 {
			stop = min(limit, before+w.spoiled)
		}
		at := Conditions{Pull: cmp.Or(p.Pull, pull), Speed: p.Speed}
		deduced := h.deduce(p)
		w.simulate(h, at, p, func(at int, shown []transport.Sample) bool {
			for i, s := range shown {
				if deduced != nil {
					s.SetLevels(s.Unknown()&^deduced[at+i].Unknown(), deduced[at+i].Levels())
				}
				f.Compare(p.Got[at+i], s, e.ComparedLines[n][at+i], e.WrongLines[n][at+i])
			}
			return f.Cost() <= stop
		})
		if over := f.Cost() - before - w.spoiled; w.spoiled > 0 && over > 0 {
			f.spared += over
		}
		if f.Cost() > limit {
			break
		}
	}
	return f
}

// FilterConsistent returns, in order, the hypotheses that no sample contradicts if their faults begin after the given
// number of steps: a chip with such a fault could give the same samples. An open bit contradicts nothing.
func (s Search) FilterConsistent(e *Evidence, hs []Hypothesis, after int) (all []Hypothesis) {
	wrong := make([]transport.Outputs, len(hs))
	s.forEach(len(hs), func(i int, w *Worker) {
		for n, p := range e.Executions {
			conditions := Conditions{Pull: p.Pull, Speed: p.Speed, before: p.Steps[:after]}
			p.Steps = p.Steps[after:]
			w.simulate(hs[i], conditions, p, func(at int, shown []transport.Sample) bool {
				for k, sample := range shown {
					wrong[i] |= p.Got[after+at+k].Differ(sample) & e.ComparedLines[n][after+at+k]
				}
				return wrong[i] == 0
			})
		}
	})
	for i, h := range hs {
		if wrong[i] == 0 {
			all = append(all, h)
		}
	}
	return all
}

// FindStuckPin returns a stuck pin of a cell inside the chip that explains the evidence as a wire does, or "". Only a
// tile with gates can have one.
func (s Search) FindStuckPin(e *Evidence) string {
	cells, is := s.Tile.(tile.CellSearcher)
	if !is {
		return ""
	}
	var steps []transport.Step
	var got []transport.Sample
	for n, p := range e.Executions {
		steps = append(steps, p.Steps...)
		for i, sample := range p.Got {
			sample.SetUnknown(^e.ComparedLines[n][i])
			got = append(got, sample)
		}
	}
	found, err := cells.FindStuckPin(cmp.Or(s.Context, context.Background()), steps, got,
		slices.Concat(e.WrongLines...))
	PanicOn(err)
	return found
}
