package diagnose

import (
	"math"
	"slices"

	"utfbench/cause/search"
	"utfbench/tile"
	"utfbench/transport"
)

// A question determines the chip's next response: its registers and the step.
type question struct {
	state uint64 // registers
	step  transport.Step
	page  uint8 // expected uo
	run   int   // its number, since failures may depend on the speed
}

// groupings are the ways in which an error may depend on the inputs: each maps equivalent questions to the same value.
var groupings = []func(question) question{
	func(q question) question { return q },
	func(q question) question { return question{state: q.state} },
	func(q question) question {
		return question{step: transport.Step{In: q.step.In, Reset: q.step.Reset}, page: q.page}
	},
}

// evidence counts events by question.
type evidence struct {
	by [3]map[question]trials // one per grouping
	trials
}

// trials counts n occasions, at k of which the event occurred.
type trials struct{ n, k int }

func (t *trials) add(happened bool) {
	t.n++
	if happened {
		t.k++
	}
}

func (e *evidence) add(q question, happened bool) {
	e.trials.add(happened)
	for i, grouping := range groupings {
		if e.by[i] == nil {
			e.by[i] = map[question]trials{}
		}
		key := grouping(q)
		key.run = q.run
		t := e.by[i][key]
		t.add(happened)
		e.by[i][key] = t
	}
}

// bits returns the bits needed to encode the occasions of an event of unknown probability (Krichevsky and Trofimov's
// code).
func (t trials) bits() float64 {
	n, k := float64(t.n), float64(t.k)
	return -(lgamma(k+.5) + lgamma(n-k+.5) - lgamma(n+1) - 2*lgamma(.5)) / math.Ln2
}

// choice returns the bits needed to encode which k of n occasions.
func (t trials) choice() float64 {
	n, k := float64(t.n), float64(t.k)
	return (lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)) / math.Ln2
}

func lgamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

// rule returns the bits needed to encode the occasions if they depend on the question: which questions can fail, and
// when each of these does.
func (e *evidence) rule() float64 {
	shortest := math.Inf(1)
	for _, by := range e.by {
		sum, possible := 0., trials{n: len(by)}
		for _, t := range by {
			if t.k > 0 {
				possible.k++
				sum += t.bits()
			}
		}
		shortest = min(shortest, sum+possible.choice()+math.Log2(float64(1+len(by))))
	}
	return shortest + math.Log2(float64(len(groupings)))
}

// dependence returns the bits saved by the account in which errors depend on the question, compared with one of equal
// probabilities. It is negative if chance is the better account.
func (e *evidence) dependence() float64 { return e.bits() - e.rule() }

// firstErrors returns the evidence of each execution's first error, without any cause. Until then the chip is in the
// model's state, so the question is known.
func (run *Run) firstErrors() *evidence {
	e := new(evidence)
	for _, p := range run.each((*part).representative) {
		chip := tile.SteppedReference{Reference: run.Tile.New()}
		for i, s := range p.Steps {
			state := tile.Registers(chip.Reference)
			want, err := chip.Step(s)
			search.PanicOn(err)
			q := question{state, s, want.Out, p.RunIndex}
			wrong := p.Got[i].Differ(want)
			e.add(q, wrong != 0)
			if wrong != 0 {
				break
			}
		}
		tile.CloseReference(chip.Reference)
	}
	return e
}

// actions returns the evidence of when an intermittent fault acted.
func (run *Run) actions(h search.Hypothesis) *evidence {
	all := run.evidence(run.each((*part).representative))
	walks := make([]walk, len(all.Executions))
	run.search().ForEach(len(walks), func(i int, _ *search.Worker) {
		most := branches
		if !slices.ContainsFunc(all.Wrong[i], func(o transport.Outputs) bool { return o != 0 }) {
			most = 2 // few branches suffice
		}
		walks[i] = follow(h, all, i, most)
	})
	e := new(evidence)
	for i, w := range walks {
		for m := w.past; m != nil; m = m.past {
			m.asked.run = all.Executions[i].RunIndex
			e.add(m.asked, m.acted)
		}
	}
	return e
}
