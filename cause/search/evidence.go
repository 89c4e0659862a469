package search

import (
	"fmt"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// An Execution holds steps and samples, beginning with a reset.
type Execution struct {
	Steps        []transport.Step
	Got          []transport.Sample
	Pull         transport.Pull    // on undriven lines
	Blind        bool              // uio lines driven by the bench were not read back and do not count
	IgnoredLines transport.Outputs // lines whose level at the bench is meaningless and does not count
	Speed        *transport.Timing // of a burst; nil for step by step

	RunIndex  int              // number of its run, of those that are explained together
	Preceding []transport.Step // steps of the preceding execution, if known
}

// Evidence compares executions with a good chip, bit by bit.
type Evidence struct {
	Executions    []Execution
	GoodSamples   [][]transport.Sample  // of a good chip
	ComparedLines [][]transport.Outputs // bits that a good chip knows
	WrongLines    [][]transport.Outputs // bits that it contradicts

	DifferingBits  int               // number of wrong bits
	DifferingLines transport.Outputs // with a wrong bit
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
			if p.Blind {
				compared[i] &^= transport.Outputs(p.Steps[i].Drive) << 8
			}
			if p.Got == nil {
				continue
			}
			wrong[i] = p.Got[i].Differ(want) & compared[i]
			e.DifferingBits, e.DifferingLines = e.DifferingBits+wrong[i].Count(), e.DifferingLines|wrong[i]
		}
		e.GoodSamples, e.ComparedLines = append(e.GoodSamples, good), append(e.ComparedLines, compared)
		e.WrongLines = append(e.WrongLines, wrong)
	}
	return e
}

// wrongCosts is the number of bits needed to encode the position of an unpredicted bit in a run: one of a million.
const wrongCosts = 20

// An Account counts the bits of samples by their prediction.
type Account struct {
	DifferingBits   int // bits that differ from a good chip's
	ExplainedBits   int // of these bits
	WrongBits       int // bits predicted wrongly
	FalseErrors     int // of these, predicted errors that did not occur
	UnpredictedBits int // bits sampled but not predicted
}

// Cost returns the number of bits needed to encode the samples, given the simulation.
func (a Account) Cost() int { return wrongCosts*a.WrongBits + a.UnpredictedBits }

// Describe returns the number of explained wrong bits, and of predicted errors that did not occur, in words.
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

// Compare adds a sample; wrong are the compared bits that a good chip contradicts.
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
	Assumed bool    // to explain as much as others do: see AddClockFaults
	Bits    float64 // needed to encode the samples, given the hypothesis; the cost, and when a fault by chance acted

	spared int            // cost beyond the limits of spoiled executions
	pull   transport.Pull // the best-fitting pull on floating lines
}

// Cost returns the number of bits needed to encode the samples, given the hypothesis.
func (f Fit) Cost() int { return f.Account.Cost() - f.spared }

// Exact reports whether the hypothesis predicts every sample.
func (a Account) Exact() bool {
	return a.ExplainedBits > 0 && a.ExplainedBits == a.DifferingBits && a.FalseErrors == 0
}

// A hypothesis may leave one in mostNoise of the differing bits to noise, and predict one in mostNoise of them wrongly.
const mostNoise = 50

// ExplainsAllButNoise reports whether the hypothesis is accepted: it explains all differing bits but possible noise,
// and predicts as few errors that did not occur. A permanent fault that is not Exact also needs evidence of the noise.
func (a Account) ExplainsAllButNoise() bool {
	return a.ExplainedBits > 0 && max(a.DifferingBits-a.ExplainedBits, a.FalseErrors)*mostNoise <= a.DifferingBits
}

// Ties returns the first fits, all with the lowest cost.
func Ties(fits []Fit) []Fit {
	n := 0
	for n < len(fits) && fits[n].Cost() == fits[0].Cost() {
		n++
	}
	return fits[:n]
}

// SplitByRarity divides fits into those to name, and the rarer ones: faults of wires for which another one of equal
// cost is commoner.
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

// Hypotheses returns the hypotheses of fits.
func Hypotheses(fits []Fit) (hs []Hypothesis) {
	for _, f := range fits {
		hs = append(hs, f.Hypothesis)
	}
	return hs
}
