package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// Evidence describes the output bits that a run compared, on which its verdict is based.
type Evidence struct {
	Bits            int                   `json:"bits"`
	Lines           []driver.LineEvidence `json:"lines"`           // the lines that the design drives
	UncomparedLines string                `json:"never,omitempty"` // lines and levels never compared
	TiedLines       string                `json:"tied,omitempty"`  // lines proved to stay at one level
	Weakness        string                `json:"weak,omitempty"`  // why it does not suffice for a PASS, or ""
	// For a tile with gates: the number of bits deduced from the chip's earlier samples, the number of vectors in which
	// a deduction was cut short, and the fault coverage.
	DeducedBits      int                 `json:"deduced,omitempty"`
	OnlyDeducedLines string              `json:"only_deduced,omitempty"` // lines compared only at deduced bits
	CutDeductions    int                 `json:"given_up,omitempty"`
	Coverage         *tile.FaultCoverage `json:"coverage,omitempty"`

	IdleFaults []string `json:"idle_faults,omitempty"` // injected faults that never acted

	// ResampledSteps counts the steps that were sampled several times. Samples of UnstableLines differed.
	ResampledSteps int            `json:"sampled_again,omitempty"`
	UnstableLines  []UnstableLine `json:"unstable,omitempty"`
	// Pulses are the pulses of clk with which the first FAIL was repeated.
	Pulses *transport.Pulses `json:"pulses,omitempty"`

	// MaxFailureRate is the upper bound, from 0 to 1, of the failure rate of a vector that always passed: at a higher
	// rate, fewer than 5 % of such runs pass. It is nil unless all vectors passed and ran several times.
	MaxFailureRate *float64 `json:"failure_rate_below,omitempty"`
}

// An UnstableLine is an output whose samples differed within a step, with the number of such steps.
type UnstableLine struct {
	Line  string `json:"line"`
	Steps int    `json:"steps"`
}

// NewEvidence returns the evidence of a run that has ended.
func NewEvidence(r *Run, o Outcome) *Evidence {
	t := o.Tally
	e := &Evidence{Bits: t.Evidence.Bits(), UncomparedLines: t.Gap().String(), TiedLines: t.TiedLines().String(),
		Lines: []driver.LineEvidence{}, DeducedBits: t.DeducedBits, OnlyDeducedLines: t.OnlyDeducedLines().String(),
		CutDeductions: t.CutDeductions, Coverage: t.Coverage, IdleFaults: o.IdleFaults, Pulses: t.Pulses}
	for i, l := range t.Evidence.Lines() {
		if t.Outputs>>i&1 != 0 {
			e.Lines = append(e.Lines, l)
		}
	}
	for i, n := range t.Instability.Lines {
		e.ResampledSteps = t.Instability.Steps
		if n > 0 {
			e.UnstableLines = append(e.UnstableLines, UnstableLine{transport.Lines[transport.UO+i], n})
		}
	}
	v := o.Verdict()
	if v == driver.Weak {
		e.Weakness = t.Weakness()
	}
	if r.Iterations > 1 && (v == driver.Pass || v == driver.Weak) {
		e.MaxFailureRate = new(1 - math.Pow(0.05, 1/float64(r.Iterations)))
	}
	return e
}

// reexamined returns the results of repeating the first FAIL; see driver.Runner.Reexamine.
func (e *Evidence) reexamined() (u driver.Instability, p *transport.Pulses) {
	u.Steps = e.ResampledSteps
	for _, l := range e.UnstableLines {
		if i := slices.Index(transport.Lines[transport.UO:], l.Line); i >= 0 && i < len(u.Lines) {
			u.Lines[i] = l.Steps
		}
	}
	return u, e.Pulses
}

// DescribeIdleFaults returns a sentence on injected faults that never acted, or "". at is the speed; nil is none.
func DescribeIdleFaults(faults []string, at *transport.Timing) string {
	if len(faults) == 0 {
		return ""
	}
	text := "Injected faults that changed no sample of these steps: " + strings.Join(faults, ", ") + "."
	switch {
	case !slices.ContainsFunc(faults, ofTime().MatchString):
		return text
	case at == nil || at.Period >= slowest:
		return text + " A fault of time acts only at a high clock, as in bench run --at 20MHz and bench timing."
	}
	return fmt.Sprintf("%s A fault of time may act only at a higher clock: see bench shmoo with the same --fault and "+
		"-x period=%s..%s.", text, at.Period/4, at.Period)
}

// ofTime matches faults that act only at speed.
var ofTime = printable.LazyRegexp(`setup:|hold:|delay:|fmax=`)

// String describes the compared outputs, and the levels that were never compared.
func (e *Evidence) String() string { return e.compared() + e.gaps() }

func (e *Evidence) compared() string {
	text := printable.Count(e.Bits, "output bit")
	if e.DeducedBits > 0 {
		text += fmt.Sprintf(" (%d deduced from earlier samples)", e.DeducedBits)
	}
	if e.UncomparedLines == "" && e.Bits > 0 {
		text += ", every line at both levels"
		if e.TiedLines != "" {
			text += " but " + e.TiedLines + ", which never change while clk is low"
		}
	}
	return text
}

// gaps lists uncompared lines and levels, lines that were only deduced, and vectors with uncompared bits.
func (e *Evidence) gaps() (text string) {
	if e.UncomparedLines != "" {
		text = "; never compared: " + e.UncomparedLines
	}
	if e.OnlyDeducedLines != "" {
		text += "; only deduced, since they depend on the state at power-up: " + e.OnlyDeducedLines
	}
	if e.CutDeductions > 0 {
		text += "; not compared: bits of " + printable.Count(e.CutDeductions, "vector") +
			" that depend on the state at power-up, which has too many possibilities to try"
	}
	return text
}

// reservations returns the reservations that the verdict line adds to a PASS: the gaps, a coverage that may be below
// the minimum for a PASS, and the possible failure rate.
func (e *Evidence) reservations(t *driver.Tally) string {
	text := e.gaps()
	if doubt := t.CoverageDoubt(); doubt != "" {
		text += "; " + doubt
	}
	if e.MaxFailureRate != nil {
		text += "; a vector may still fail in up to " + FormatPercent(*e.MaxFailureRate) +
			" of its executions (95 % bound)"
	}
	return text
}

// mostUnstable is the maximum number of lines named by instability.
const mostUnstable = 4

// UnstableFacts describes each line whose samples differed within a step.
func (e *Evidence) UnstableFacts() (facts []string) {
	for _, l := range e.UnstableLines {
		facts = append(facts, fmt.Sprintf("samples of %s differ within %d of %s of the first failure", l.Line, l.Steps,
			printable.Count(e.ResampledSteps, "step")))
	}
	return facts
}

// instability describes the lines whose samples differed within a step, or returns "" if there are none.
func (e *Evidence) instability() string {
	var lines []string
	for _, l := range e.UnstableLines {
		lines = append(lines, fmt.Sprintf("%s in %d", l.Line, l.Steps))
	}
	if lines == nil {
		return ""
	}
	return fmt.Sprintf("Unstable: %s sampled several times, with different samples of %s. Neither a stuck line nor "+
		"logic does that: look for a loose contact, contention, an oscillation, a floating line, a late output, or "+
		"light on a bare die.", printable.Plural(e.ResampledSteps, "step was", "steps were"),
		printable.ListAtMost(lines, mostUnstable))
}

// evidence writes any instability or slowness, and the evidence of a PASS or WEAK, line by line if verbose.
func (t *Text) evidence(w io.Writer, o Outcome) {
	e := NewEvidence(&t.run, o)
	if text := e.instability(); text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
	if p := e.Pulses; p != nil && p.LongPasses {
		fmt.Fprintf(w, "\nToo slow: the first failure passes with pulses of clk that are high for %s, and fails with "+
			"%s.\n", p.Long, p.Usual)
	}
	switch o.Verdict() {
	case driver.Pass: // the verdict line lists the gaps
		fmt.Fprintf(w, "\ncompared: %s\n", e.compared())
	case driver.Weak:
		fmt.Fprintf(w, "\ncompared: %s\n", e)
	default:
		return
	}
	if s := e.Coverage; s != nil {
		fmt.Fprintln(w, strings.Join(s.Lines(), "\n"))
	}
	if !t.Verbose {
		return
	}
	_ = e.Table().Write(w, "\n")
}
