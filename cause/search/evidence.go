package search

import (
	"fmt"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// An Execution holds the steps and samples of a vector. It begins with a reset.
type Execution struct {
	Steps        []transport.Step
	Got          []transport.Sample
	Pull         transport.Pull    // the pull on undriven lines
	NoReadback   bool              // the uio lines that the bench drove were not read back
	IgnoredLines transport.Outputs // lines whose level at the bench is meaningless
	Speed        *transport.Timing // the speed of a burst; nil for step by step

	RunIndex       int              // index of its run if several runs are explained together
	PrecedingSteps []transport.Step // the steps of the execution before this one, if known
}

// Evidence holds executions and their comparison with a good chip, bit by bit.
type Evidence struct {
	Executions    []Execution
	GoodSamples   [][]transport.Sample  // a good chip's samples
	ComparedLines [][]transport.Outputs // lines whose level a good chip predicts
	WrongLines    [][]transport.Outputs // lines whose sample a good chip contradicts

	DifferingBits  int               // number of wrong bits
	DifferingLines transport.Outputs // lines with a wrong bit
	resets         int               // number of resets after an execution's first step
}

// NewEvidence compares executions with a good chip.
func NewEvidence(t tile.Tile, executions []Execution) *Evidence {
	e := &Evidence{Executions: executions}
	for _, p := range executions {
		good := make([]transport.Sample, len(p.Steps))
		PanicOn(tile.Expect(t, p.Steps, good))
		compared, wrong := make([]transport.Outputs, len(good)), make([]transport.Outputs, len(good))
		for i, want := range good {
			compared[i] = ^want.Unknown() &^ p.IgnoredLines
			if p.NoReadback {
				compared[i] &^= transport.Outputs(p.Steps[i].Drive) << 8
			}
			if p.Got == nil {
				continue
			}
			if i > 0 && p.Steps[i].Reset {
				e.resets++
			}
			wrong[i] = p.Got[i].Differ(want) & compared[i]
			e.DifferingBits, e.DifferingLines = e.DifferingBits+wrong[i].Count(), e.DifferingLines|wrong[i]
		}
		e.GoodSamples, e.ComparedLines = append(e.GoodSamples, good), append(e.ComparedLines, compared)
		e.WrongLines = append(e.WrongLines, wrong)
	}
	return e
}

// CountSteps returns the number of steps of all executions.
func (e *Evidence) CountSteps() (n int) {
	for _, p := range e.Executions {
		n += len(p.Steps)
	}
	return n
}

// wrongCosts is the number of bits that encode the position of a mispredicted bit among a million.
const wrongCosts = 20

// An Account counts sampled bits by whether a hypothesis predicts them.
type Account struct {
	DifferingBits   int // bits that a good chip mispredicts
	ExplainedBits   int // differing bits that the hypothesis predicts
	WrongBits       int // bits that the hypothesis mispredicts
	FalseErrors     int // wrong bits that a good chip predicts
	UnpredictedBits int // bits for which the hypothesis predicts no level
}

// Cost returns the number of bits that encode the samples, given the hypothesis.
func (a Account) Cost() int { return wrongCosts*a.WrongBits + a.UnpredictedBits }

// Describe returns a phrase with the numbers of wrong bits that the hypothesis explains and of false errors.
func (a Account) Describe() string {
	text := "no error that was"
	switch {
	case a.FalseErrors == 1:
		text = "1 error that was"
	case a.FalseErrors > 1:
		text = fmt.Sprintf("%d errors that were", a.FalseErrors)
	}
	return fmt.Sprintf("which explains %d of the %d bits that differ, and predicts %s not seen", a.ExplainedBits,
		a.DifferingBits, text)
}

// Compare adds a sample. shown is the prediction; wrong holds the compared bits that a good chip mispredicts.
func (a *Account) Compare(got, shown transport.Sample, compared, wrong transport.Outputs) {
	missed := got.Differ(shown) & compared
	unsaid := shown.Unknown() &^ got.Unknown() & compared
	if missed|unsaid|wrong == 0 {
		return
	}
	a.DifferingBits += wrong.Count()
	a.ExplainedBits += (wrong &^ missed &^ unsaid).Count()
	a.WrongBits += missed.Count()
	a.FalseErrors += (missed &^ wrong).Count()
	a.UnpredictedBits += unsaid.Count()
}

// A Fit is a hypothesis with its account of some evidence.
type Fit struct {
	Hypothesis
	Account
	Assumed bool    // assumed to explain as much as other hypotheses do: see AddClockFaults
	Bits    float64 // bits that encode the samples: the cost, and the steps at which a random fault acted

	spared int            // cost of executions beyond their limits
	pull   transport.Pull // the pull that fits best on floating lines
}

// Cost returns the number of bits that encode the samples, given the hypothesis.
func (f Fit) Cost() int { return f.Account.Cost() - f.spared }

// Exact reports whether the hypothesis explains every differing bit, at least one, without a false error.
func (a Account) Exact() bool {
	return a.ExplainedBits > 0 && a.ExplainedBits == a.DifferingBits && a.FalseErrors == 0
}

// mostNoise limits noise: one in mostNoise differing bits may be unexplained, and as many may be false errors.
const mostNoise = 50

// ExplainsAllButNoise reports whether the hypothesis can be accepted: only as many bits as noise may have changed are
// unexplained or false errors. A diagnosis also needs evidence of noise for a permanent fault that is not Exact.
func (a Account) ExplainsAllButNoise() bool {
	return a.ExplainedBits > 0 && max(a.DifferingBits-a.ExplainedBits, a.FalseErrors)*mostNoise <= a.DifferingBits
}

// Ties returns the leading fits with the same cost as the first.
func Ties(fits []Fit) []Fit {
	n := 0
	for n < len(fits) && fits[n].Cost() == fits[0].Cost() {
		n++
	}
	return fits[:n]
}

// SplitByRarity splits fits: rarer has the wire faults for which a less rare one has equal cost.
func SplitByRarity(fits []Fit) (all, rarer []Fit) {
	for _, f := range fits {
		if !f.Assumed && slices.ContainsFunc(fits, func(o Fit) bool {
			return o.Cost() == f.Cost() && o.Kind() == Wire && f.Kind() == Wire && o.Rarity() < f.Rarity()
		}) {
			rarer = append(rarer, f)
			continue
		}
		all = append(all, f)
	}
	return all, rarer
}

// Hypotheses returns the hypotheses of some fits.
func Hypotheses(fits []Fit) (hs []Hypothesis) {
	for _, f := range fits {
		hs = append(hs, f.Hypothesis)
	}
	return hs
}
