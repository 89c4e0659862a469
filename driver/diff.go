package driver

import (
	"cmp"
	"fmt"
	"strings"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// A Trace holds a vector's steps on a chip and their samples.
type Trace struct {
	Tile   tile.Tile // of the reference
	Steps  []transport.Step
	Checks []golden.Check
	Want   []transport.Sample // of the reference
	Got    []transport.Sample // shorter than Steps if the transport failed

	shown transport.Outputs  // lines of uo that were X and not compared, since the last reset before Steps
	twin  []transport.Sample // samples of the Twin; nil if the steps were not applied to it
	// whether Got is from a four-state simulation
	fourState bool
}

// Differ returns the lines that differ at step i, whose sample must be in Got.
func (t *Trace) Differ(i int) transport.Outputs { return t.Got[i].Differ(t.Want[i]) }

// matches reports whether a good chip of tile t that starts in an unknown state could show the samples got.
func matches(t tile.Tile, steps []transport.Step, got []transport.Sample) bool {
	want := make([]transport.Sample, len(steps))
	return tile.Expect(t, steps, want) == nil && transport.Differ(got, want) == 0
}

// clash returns the first checkpoint that contradicts the reference, or nil.
func (t *Trace) clash() *Mismatch {
	for i := range t.Checks {
		c := &t.Checks[i]
		by := &t.Want[c.Step]
		if lines := c.FailedLines(by); lines != 0 {
			m := &Mismatch{Index: c.Step, Step: t.Steps[c.Step], Got: *by, Want: c.Sample(), Check: true,
				FileLine: c.Line}
			m.OutDiff, m.IODiff = lines.Bytes()
			return m
		}
	}
	return nil
}

// ReferenceName returns the name of the reference, as the subject of a sentence.
func (r *Result) ReferenceName() string {
	return cmp.Or(tile.ReferenceSource(r.Tile.Revision()), "the reference")
}

// contradiction describes the lines on which reference and vector disagree.
func (r *Result) contradiction() string {
	m, by := r.Contradiction, r.ReferenceName()
	why := "the vector is wrong, or " + by + " is; this says nothing about the chip"
	if m.OutDiff == 0 && m.IODiff&^m.Step.Drive == 0 {
		why = "the bench drives these lines of uio itself, so the vector is wrong; this says nothing about the chip"
	}
	var lines []string
	differ := func(first int, diff uint8, got, gotX, want, wantX uint8) {
		for i := range 8 {
			if diff>>i&1 != 0 {
				lines = append(lines, fmt.Sprintf("%s is %c by %s, %c by the vector",
					tile.OutputName(r.Tile, m.Step.In, first+i), bit(got, gotX, i), by, bit(want, wantX, i)))
			}
		}
	}
	differ(0, m.OutDiff, m.Got.Out, m.Got.OutX, m.Want.Out, m.Want.OutX)
	differ(8, m.IODiff, m.Got.IO, m.Got.IOX, m.Want.IO, m.Want.IOX)
	return fmt.Sprintf("%s contradicts the vector at line %d, step %d: %s; %s", by, m.FileLine, m.Index+1,
		strings.Join(lines, ", "), why)
}

func bit(levels, unknown uint8, i int) byte {
	return tile.Binary(levels, unknown)[7-i]
}

// deducedAt reports whether a step differs only in deduced bits.
func (t *Trace) deducedAt(i int) bool {
	to := Trace{Steps: t.Steps[:i+1]}
	return to.Expect(t.Tile) == nil && t.Got[i].Differ(to.Want[i]) == 0
}

// comparesAny reports whether any expected bit that the chip drives is known.
func (t *Trace) comparesAny() bool {
	for i, w := range t.Want {
		if w.OutX != 0xFF || ^w.IOX&^t.Steps[i].Drive != 0 {
			return true
		}
	}
	return false
}

// levels returns the outputs that are known in some expected sample, and those unknown in some sample of the chip.
func (t *Trace) levels() (known, vague transport.Outputs) {
	for i, got := range t.Got {
		driven := transport.Outputs(t.Steps[i].Drive) << 8
		known |= ^(t.Want[i].Unknown() | driven)
		vague |= got.Unknown() &^ driven
	}
	return known, vague
}

// Expect fills Want with the samples of a good chip that starts in an unknown state. Errors come from the reference.
func (t *Trace) Expect(of tile.Tile) error {
	t.Tile, t.Want = of, make([]transport.Sample, len(t.Steps))
	return tile.Expect(of, t.Steps, t.Want)
}

// Judge compares the chip's samples with the reference's. It sets the verdict of r to Pass or Fail, and counts the
// compared bits and differing lines in tally. If r has no vector, mismatches have no FileLine.
func (t *Trace) Judge(r *Result, tally *Tally) {
	r.Verdict = Pass
	tally.Evidence.Add(t.Steps, t.Want)
	for i := range t.Want {
		if t.Got[i] == t.Want[i] {
			continue
		}
		diff := t.Differ(i)
		if diff == 0 {
			continue
		}
		tally.count(diff, t.Got[i])
		out, io := diff.Bytes()
		switch {
		case r.FirstMismatch == nil:
			r.Verdict = Fail
			m := Mismatch{Index: i, Step: t.Steps[i], Got: t.Got[i], Want: t.Want[i], OutDiff: out, IODiff: io}
			r.FirstMismatch = &m
		case out&^r.FirstMismatch.OutDiff|io&^r.FirstMismatch.IODiff == 0:
			r.SameLines++
		default:
			r.OtherLines++
		}
	}
	r.Steps = len(t.Steps)
	if r.FirstMismatch != nil && r.Vector != nil {
		r.FirstMismatch.place(t.Checks, r.Vector.Line)
	}
}

func (m *Mismatch) place(checks []golden.Check, line int) {
	m.FileLine = line
	for i := range checks {
		if c := &checks[i]; c.Step == m.Index && c.Fails(&m.Got) {
			m.Check, m.FileLine = true, c.Line
			return
		}
	}
}

func (t *Tally) count(diff transport.Outputs, got transport.Sample) {
	level, unknown := got.Levels(), got.Unknown()
	for i := range t.Lines {
		switch bit := transport.Outputs(1) << i; {
		case diff&bit == 0:
		case unknown&bit != 0:
			t.Lines[i].Unknown++
		case level&bit != 0:
			t.Lines[i].High++
		default:
			t.Lines[i].Low++
		}
	}
}
