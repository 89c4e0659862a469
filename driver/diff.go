package driver

import (
	"fmt"

	"utfbench/model"
	"utfbench/transport"
)

// A Trace is what a vector did to the chip and what came back, step by step.
type Trace struct {
	Steps  []transport.Step
	Checks []Check
	Want   []transport.Sample // what the model shows
	Got    []transport.Sample // shorter than Steps when the transport failed
}

// Differ gives the lines that differ at a step that was answered.
func (t *Trace) Differ(i int) transport.Outputs { return t.Got[i].Differ(t.Want[i]) }

// Missed says whether a sample does not show what a checkpoint expects.
func (c *Check) Missed(s *transport.Sample) bool {
	return s.Differ(transport.Sample{Out: c.Out.Level, OutX: ^c.Out.Mask, IO: c.IO.Level, IOX: ^c.IO.Mask}) != 0
}

// expect fills want with what a chip of this revision shows at each step, from an unknown state.
func expect(rev model.Revision, steps []transport.Step, want []transport.Sample) {
	model.New(rev).Run(steps, want)
}

// same says whether got is what a chip of this revision shows.
func same(rev model.Revision, steps []transport.Step, got []transport.Sample) bool {
	chip := model.New(rev)
	for i := range steps {
		if got[i].Differ(chip.Step(steps[i])) != 0 {
			return false
		}
	}
	return true
}

// contradiction is where the model does not say what the vector says: a fault of the bench.
func (t *Trace) contradiction() string {
	want := t.Want
	for i := range t.Checks {
		c := &t.Checks[i]
		if c.Missed(&want[c.Step]) {
			return fmt.Sprintf("the model contradicts the vector at line %d, step %d (%s): model uo=%s uio=%s, vector uo=%s uio=%s; the bench is at fault, not the chip",
				c.Line, c.Step+1, Describe(t.Steps[c.Step]),
				Binary(want[c.Step].Out, want[c.Step].OutX), Hex(want[c.Step].IO, want[c.Step].IOX),
				Binary(c.Out.Level, ^c.Out.Mask), Hex(c.IO.Level, ^c.IO.Mask))
		}
	}
	return ""
}

// Hex writes a byte as two digits, with x for a digit that has an unknown bit.
func Hex(b, unknown uint8) string {
	const digits = "0123456789ABCDEF"
	s := []byte{digits[b>>4], digits[b&15]}
	if unknown&0xF0 != 0 {
		s[0] = 'x'
	}
	if unknown&0x0F != 0 {
		s[1] = 'x'
	}
	return string(s)
}

// Binary writes a byte bit by bit, 7 first; an unknown bit is x.
func Binary(b, unknown uint8) string {
	s := []byte(fmt.Sprintf("%08b", b))
	for i := range s {
		if unknown>>(7-i)&1 != 0 {
			s[i] = 'x'
		}
	}
	return string(s)
}

// Expect fills Want with what a chip of this revision shows at each step.
func (t *Trace) Expect(rev model.Revision) {
	t.Want = make([]transport.Sample, len(t.Steps))
	expect(rev, t.Steps, t.Want)
}

// Judge compares what the chip answered with what the model shows, and fills r and the tally's lines. Without a vector it
// finds no line of a file.
func (t *Trace) Judge(r *Result, tally *Tally) {
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
		case r.First == nil:
			r.Verdict = Fail
			r.First = &Mismatch{Index: i, Step: t.Steps[i], Got: t.Got[i], Want: t.Want[i], OutDiff: out, IODiff: io}
		case out&^r.First.OutDiff|io&^r.First.IODiff == 0:
			r.Same++
		default:
			r.Others++
		}
	}
	r.Steps = len(t.Steps)
	if r.First != nil && r.Vector != nil {
		r.First.place(t.Checks, r.Vector.Line)
	}
}

// place finds the line of the vector's file that a mismatch belongs to.
func (m *Mismatch) place(checks []Check, line int) {
	m.FileLine = line
	for i := range checks {
		if c := &checks[i]; c.Step == m.Index && c.Missed(&m.Got) {
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
