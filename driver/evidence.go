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

// Evidence counts the compared output bits: for each line of uo and uio and each level, the samples for which the
// reference expected that level of the chip. Lines of uio that the bench drives do not count. The zero value is empty.
type Evidence struct {
	// planes holds 32 counters bit-sliced: plane i has their bits i. Counting a step then takes two operations on
	// average, for any number of lines.
	planes [48]uint32
}

// levels is the number of counters of each level; those of 0 come first.
const levels = 16

// Add counts the bits that are known in want and that the bench does not drive in their step.
func (e *Evidence) Add(steps []transport.Step, want []transport.Sample) {
	for i, w := range want {
		known := ^(uint32(w.OutX) | uint32(w.IOX|steps[i].Drive)<<8) & (1<<levels - 1)
		high := (uint32(w.Out) | uint32(w.IO)<<8) & known
		e.count(high<<levels | known&^high)
	}
}

// count increments the counters of the set bits.
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
		all[i] = LineEvidence{transport.Lines[transport.UO+i], e.counter(i), e.counter(levels + i)}
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

// seen returns the lines compared at 0, and at 1.
func (e *Evidence) seen() (low, high transport.Outputs) {
	var any uint32
	for _, plane := range e.planes {
		any |= plane
	}
	return transport.Outputs(any), transport.Outputs(any >> levels)
}

// Toggled returns the lines compared at both levels.
func (e *Evidence) Toggled() transport.Outputs {
	low, high := e.seen()
	return low & high
}

// outputsOf returns the lines that a design may drive in some step: uo, and lines of uio.
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

// tiedOf returns the outputs that a design keeps at one level.
func tiedOf(t tile.Tile) transport.Outputs {
	if t, is := t.(tile.Tied); is {
		return t.Tied()
	}
	return 0
}

// A Gap is the part of a design's outputs that a run did not compare.
type Gap struct {
	Never     transport.Outputs // never compared
	NeverLow  transport.Outputs // compared only at 1
	NeverHigh transport.Outputs // compared only at 0
}

// Gap returns the lines that the design drives and that were not compared, or only at one of their levels.
func (t *Tally) Gap() Gap {
	low, high := t.Evidence.seen()
	moves := t.Outputs &^ t.Tied
	return Gap{Never: t.Outputs &^ (low | high), NeverLow: moves & high &^ low, NeverHigh: moves & low &^ high}
}

// OnlyDeduced returns the lines that were compared only at levels deduced from the chip's own samples.
func (t *Tally) OnlyDeduced() transport.Outputs {
	if t.Deduced == 0 {
		return 0
	}
	low, high := t.Evidence.seen()
	return t.Outputs & (low | high) &^ t.Known
}

// String lists the lines and levels, as in "uo0-uo6, level 1 of uio3". It is "" if every line was compared at both.
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
	return strings.Join(parts, ", ")
}

// Weakness returns why passing vectors do not make the run a PASS, or "". The chip was wrong before the first vector,
// lines that the design drives were never compared, or no line was compared at both levels, so that a chip of
// constants passes; or the vectors would have shown too few faults. Lines accepted by the user do not count.
func (t *Tally) Weakness() string {
	blind, feeble := t.blindness(), t.Feeble()
	if blind == "" || feeble == "" || t.Evidence.Bits() == 0 {
		return cmp.Or(blind, feeble)
	}
	return blind + "; " + feeble
}

func (t *Tally) blindness() string {
	if t.Doubt != "" {
		return t.Doubt
	}
	low, high := t.Evidence.seen()
	if low|high == 0 {
		return "no output was compared"
	}
	if never := t.Gap().Never &^ t.Accepted; never != 0 && never&^t.Vague == 0 {
		perhaps := ""
		if bus := never &^ 0xFF; bus != 0 { // a sample does not tell
			perhaps = " (perhaps the design does not drive " + bus.String() + ")"
		}
		return never.String() + " never compared: neither the reference nor the samples had a level there" + perhaps
	} else if never != 0 {
		return never.String() + " never compared"
	}
	if t.Constant() {
		return "every line was compared at one level only, so a chip with constant outputs passes too"
	}
	return ""
}

// Feeble returns why the strength of a run makes it WEAK, or "".
func (t *Tally) Feeble() string {
	if s := t.Strength; s != nil && s.Found == 0 && s.Faults > 0 {
		return "it would have shown none of " + printable.Count(s.Faults, "stuck-at fault")
	}
	if t.Strength == nil && t.Least > 0 {
		return fmt.Sprintf("its strength was not graded, and a PASS requires %g %%", t.Least)
	}
	if s := t.Strength; s != nil && s.Proved == 0 && s.Faults > 0 && s.Percent() < t.Least {
		return fmt.Sprintf("it would have shown %s, and a PASS requires %g %%", s.Share(), t.Least)
	}
	return ""
}

// Constant reports whether a chip of constants passes, since no line was compared at both levels. Lines accepted by the
// user do not count.
func (t *Tally) Constant() bool {
	low, high := t.Evidence.seen()
	return t.Outputs&(low^high)&^t.Accepted != 0 && low&high&t.Outputs == 0
}

// Tally returns a tally of these comparisons of a design, all without a difference, for its Weakness and Gap.
func (e *Evidence) Tally(of tile.Tile) *Tally {
	return &Tally{Outputs: outputsOf(of), Tied: tiedOf(of), Evidence: *e}
}

// ParseOutputs parses a list of output lines, such as "uo0-uo6,uio3".
func ParseOutputs(list string) (lines transport.Outputs, err error) {
	for _, item := range strings.Split(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(item), "-")
		from, known := transport.OutputNamed(first)
		to := from
		if isRange && known {
			to, known = transport.OutputNamed(last)
		}
		if !known || to < from {
			return 0, failure.Usagef("%q is not a list of output lines (want uo0 to uo7 and uio0 to uio7, as in "+
				"uo0-uo6,uio3)", list)
		}
		lines |= (to<<1 - 1) &^ (from - 1)
	}
	return lines, nil
}
