package driver

import (
	"cmp"
	"fmt"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// Evidence counts the compared output bits: for each line of uo and uio and each level, the samples in which the
// reference expected that level. Lines of uio that the bench drives are not counted. The zero value is empty.
type Evidence struct {
	// planes holds 32 bit-sliced counters: plane i holds bit i of each, so counting a step takes two operations.
	planes [48]uint32
}

// lines is the number of counters for each level, one per line; the counters for 0 come first.
const lines = 16

// Add counts the bits that are known in want and that the bench does not drive in their step.
func (e *Evidence) Add(steps []transport.Step, want []transport.Sample) {
	for i, w := range want {
		known := ^(uint32(w.OutX) | uint32(w.IOX|steps[i].Drive)<<8) & (1<<lines - 1)
		high := (uint32(w.Out) | uint32(w.IO)<<8) & known
		e.count(high<<lines | known&^high)
	}
}

func (e *Evidence) count(bits uint32) {
	for i := 0; bits != 0; i++ {
		e.planes[i], bits = e.planes[i]^bits, e.planes[i]&bits
	}
}

func (e *Evidence) counter(n int) (value int) {
	for i, plane := range e.planes {
		value |= int(plane>>n&1) << i
	}
	return value
}

// A LineEvidence holds the number of compared samples of one line, by expected level.
type LineEvidence struct {
	Line string `json:"line"`
	Low  int    `json:"low"`
	High int    `json:"high"`
}

// Lines returns the evidence of uo0 to uo7, then uio0 to uio7.
func (e *Evidence) Lines() (all [16]LineEvidence) {
	for i := range all {
		all[i] = LineEvidence{transport.Lines[transport.UO+i], e.counter(i), e.counter(lines + i)}
	}
	return all
}

// Bits returns the number of compared output bits.
func (e *Evidence) Bits() (n int) {
	for _, l := range e.Lines() {
		n += l.Low + l.High
	}
	return n
}

func (e *Evidence) levels() tile.Levels {
	var seen uint32
	for _, plane := range e.planes {
		seen |= plane
	}
	return tile.Levels{Low: transport.Outputs(seen), High: transport.Outputs(seen >> lines)}
}

// outputsOf returns the lines that a design may drive in some step: all of uo, and some lines of uio.
func outputsOf(t tile.Tile) transport.Outputs {
	var io uint8
	for ui := range 256 {
		for _, reset := range []bool{false, true} {
			io |= t.Drives(transport.Step{In: uint8(ui), Reset: reset, Clocks: 1}) |
				t.Drives(transport.Step{In: uint8(ui), Reset: reset})
		}
	}
	return transport.Outputs(io)<<8 | 0xFF
}

// newTally returns an empty tally for a run with this tile as its reference.
func newTally(of tile.Tile) Tally {
	return Tally{Outputs: outputsOf(of), Skips: map[string]int{}, tile: of}
}

// proveImpossible lets the tile prove which of the uncompared levels the design cannot drive.
func (t *Tally) proveImpossible() {
	if p, can := t.tile.(tile.Prover); can {
		t.ImpossibleLevels = p.ImpossibleLevels(t.missing())
	}
}

// missing returns the output levels that were not compared.
func (t *Tally) missing() tile.Levels {
	seen := t.Evidence.levels()
	return tile.Levels{Low: t.Outputs &^ seen.Low, High: t.Outputs &^ seen.High}
}

// exhaustive reports whether the run compared everything that the design can do, so that no level is missing.
func (t *Tally) exhaustive() bool {
	return t.Coverage != nil && t.Coverage.ProvedInputs > 0
}

// TiedLines returns the outputs that provably stay at one level while clk is low.
func (t *Tally) TiedLines() transport.Outputs {
	tied := t.ImpossibleLevels.Low | t.ImpossibleLevels.High
	if t.exhaustive() {
		missing := t.missing()
		tied |= missing.Low ^ missing.High
	}
	return tied
}

// A Gap is the part of a design's outputs that a run did not compare.
type Gap struct {
	Never     transport.Outputs // never compared
	NeverLow  transport.Outputs // compared only at 1
	NeverHigh transport.Outputs // compared only at 0
}

// Gap returns the lines that the design drives but the run never compared, or compared at one of two levels only.
func (t *Tally) Gap() Gap {
	missing, moves := t.missing(), ^t.TiedLines()
	never := missing.Low & missing.High
	return Gap{Never: never, NeverLow: missing.Low & moves &^ never, NeverHigh: missing.High & moves &^ never}
}

// Lines returns the lines of the gap.
func (g Gap) Lines() transport.Outputs { return g.Never | g.NeverLow | g.NeverHigh }

func (g Gap) without(lines transport.Outputs) Gap {
	return Gap{g.Never &^ lines, g.NeverLow &^ lines, g.NeverHigh &^ lines}
}

// OnlyDeducedLines returns the lines that were compared only at levels deduced from the chip's own samples.
func (t *Tally) OnlyDeducedLines() transport.Outputs {
	if t.DeducedBits == 0 {
		return 0
	}
	seen := t.Evidence.levels()
	return t.Outputs & (seen.Low | seen.High) &^ t.KnownLines
}

// String lists the lines and levels, as in "uo0-uo6 and level 1 of uio3". It is "" for an empty gap.
func (g Gap) String() string {
	var parts []string
	for _, part := range []struct {
		of    string
		lines transport.Outputs
	}{{"", g.Never}, {"level 1 of ", g.NeverHigh}, {"level 0 of ", g.NeverLow}} {
		if part.lines != 0 {
			parts = append(parts, part.of+part.lines.String())
		}
	}
	return strings.Join(parts, " and ")
}

// Weakness returns why passing vectors do not make the run a PASS, or "". The reasons are a doubt about the wires, low
// fault coverage, or levels that the design may drive but that were never compared, so that a chip with an output stuck
// at the other level passes. Lines accepted by the user do not count.
func (t *Tally) Weakness() string {
	blind, feeble := t.blindness(), t.LowCoverage()
	if blind == "" || feeble == "" || t.Evidence.Bits() == 0 {
		return cmp.Or(blind, feeble)
	}
	return blind + "; " + feeble
}

func (t *Tally) blindness() string {
	if t.DoubtReason != "" {
		return t.DoubtReason
	}
	if t.Evidence.Bits() == 0 {
		return "no output was compared"
	}
	gap := t.Gap().without(t.AcceptedLines)
	text := ""
	if gap.Lines() != 0 {
		text = gap.String() + " never compared"
	}
	switch {
	case gap.Never == 0 || gap.Never&^t.UnknownLines != 0:
		if gap.NeverLow|gap.NeverHigh != 0 {
			text += ": a chip with stuck outputs there passes too"
		}
	default: // a sample does not show whether the design drives a line of uio
		text += ": neither the reference nor the samples had a level of " + gap.Never.String()
		if bus := gap.Never &^ 0xFF; bus != 0 {
			text += " (perhaps the design does not drive " + bus.String() + ")"
		}
	}
	return text
}

// LowCoverage returns why the run's coverage makes it WEAK, or "".
func (t *Tally) LowCoverage() string {
	if s := t.Coverage; s != nil && s.BesideModel && t.MinCoverage == 0 {
		return "" // no threshold applies; a level that is not compared makes the run WEAK anyway
	} else if s != nil && s.Found == 0 && s.Faults > 0 {
		text := "it would have shown none of " + printable.Count(s.Faults, "stuck-at fault")
		if t.DeducedBits > 0 {
			text += ", as levels deduced from the chip's own samples do not count"
		}
		if s.IsMostlyUnknown() {
			text += fmt.Sprintf("; %d of them act in unknown ways, by the state at power-up or where chip and "+
				"bench drive one line; --coverage 0 accepts that", s.Unknown)
		}
		return text
	}
	if t.Coverage == nil && t.MinCoverage > 0 {
		return fmt.Sprintf("its coverage was not graded, and a PASS requires %g %%", t.MinCoverage)
	}
	if s := t.Coverage; s != nil && s.ProvedInputs == 0 && s.Faults > 0 {
		if _, high := s.Interval(); high < t.MinCoverage {
			return fmt.Sprintf("its coverage is %s, and a PASS requires %g %%", s.DetectedShare(), t.MinCoverage)
		}
	}
	return ""
}

// CoverageDoubt says that the coverage of a PASS may be below the minimum, or returns "".
func (t *Tally) CoverageDoubt() string {
	if c := t.Coverage; c == nil || c.ProvedInputs > 0 || c.Percent() >= t.MinCoverage {
		return ""
	}
	return CoverageDoubt(t.MinCoverage)
}

// CoverageDoubt returns the reservation about a PASS with a coverage that may be below a minimum, in percent.
func CoverageDoubt(least float64) string {
	return fmt.Sprintf("its coverage may still be below %g %%, which would be WEAK", least)
}

// ToggledLines returns the lines compared at both levels.
func (t *Tally) ToggledLines() transport.Outputs {
	missing := t.missing()
	return t.Outputs &^ (missing.Low | missing.High)
}

// Tally returns the tally of a passing run with this evidence, to determine its Weakness and Gap.
func (e *Evidence) Tally(of tile.Tile) *Tally {
	t := newTally(of)
	t.Evidence = *e
	t.proveImpossible()
	return &t
}

// ParseOutputs parses a list of output lines, such as "uo0-uo6,uio3".
func ParseOutputs(list string) (all transport.Outputs, err error) {
	for _, item := range strings.Split(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(item), "-")
		from, known := transport.ParseOutput(first)
		to := from
		if isRange && known {
			to, known = transport.ParseOutput(last)
		}
		if !known || to < from {
			return 0, failure.Usagef("%q is not a list of output lines (want uo0 to uo7 and uio0 to uio7, as in "+
				"uo0-uo6,uio3)", list)
		}
		all |= (to<<1 - 1) &^ (from - 1)
	}
	return all, nil
}
