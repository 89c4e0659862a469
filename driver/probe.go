package driver

import (
	"context"
	"fmt"

	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// A Probe is a first question to a chip, before any vector: does it live, does the clock arrive, does the bus turn?
type Probe struct {
	Name  string
	steps func(q *Sequence)
	guess func(got, want []transport.Sample) string // what a difference looks like; may be empty
}

// Probes are the questions in the order in which they make sense.
func Probes() []Probe {
	return []Probe{
		{"chip answers", answers, guessAnswers},
		{"clock and reset", clockAndReset, guessClock},
		{"bus turn-around", turnAround, guessBus},
	}
}

// A Finding is what came of a probe.
type Finding struct {
	OK    bool
	Text  string // one line for people
	Trace        // what was put, wanted and seen
}

// Ask puts the question. The error is the transport's.
func (p *Probe) Ask(ctx context.Context, tr transport.Transport, rev model.Revision) (Finding, error) {
	t, err := put(ctx, tr, p.steps)
	if err != nil {
		return Finding{}, err
	}
	t.Expect(rev)
	i, differs := t.first()
	if !differs {
		return Finding{true, fmt.Sprintf("%d steps as expected", len(t.Steps)), t}, nil
	}
	text := t.difference(i)
	if guess := p.guess(t.Got, t.Want); guess != "" {
		text += ": " + guess
	}
	return Finding{false, text, t}, nil
}

// put sends the steps of a question, and wants nothing yet.
func put(ctx context.Context, tr transport.Transport, steps func(q *Sequence)) (Trace, error) {
	var q Sequence
	q.Clear()
	steps(&q)
	t := Trace{Steps: q.Steps, Got: make([]transport.Sample, len(q.Steps))}
	_, err := transport.Apply(ctx, tr, t.Steps, t.Got)
	return t, err
}

// first finds the first step that differs.
func (t *Trace) first() (i int, differs bool) {
	for i := range t.Got {
		if t.Differ(i) != 0 {
			return i, true
		}
	}
	return 0, false
}

func (t *Trace) difference(i int) string {
	got, want := t.Got[i], t.Want[i]
	return fmt.Sprintf("at step %d, %s, uo is %s and uio %s, not %s and %s", i+1, Describe(t.Steps[i]),
		Binary(got.Out, got.OutX), Binary(got.IO, got.IOX), Binary(want.Out, want.OutX), Binary(want.IO, want.IOX))
}

// answers looks at both pages in both directions, after a reset, and at CHK: all but the reset acts without a clock.
func answers(q *Sequence) {
	q.Reset()
	for _, levels := range []uint8{model.Idle, model.Idle &^ model.ERRS, model.Idle &^ model.READ, model.Idle &^ model.CHK} {
		q.step(levels, 0)
	}
}

func guessAnswers(got, _ []transport.Sample) string {
	for _, s := range got[1:] {
		if s.Out != got[0].Out || s.OutX != 0 {
			return ""
		}
	}
	return fmt.Sprintf("uo is %s whatever is asked, so no chip answers: is it powered, is the design selected, does rst_n reach it?", Binary(got[0].Out, 0))
}

// clockAndReset: a byte changes the status at a clock edge and not before, and so does a reset.
func clockAndReset(q *Sequence) {
	q.Reset()
	q.step(model.Idle&^(model.READ|model.BIO), 0, 'A')
	q.Look()
	q.Write(golden.UTF8, 'A')
	q.Look()
	held := q.reset
	q.reset = true
	q.Look()
	q.reset = held
	q.Look()
	q.Reset()
	q.Look()
}

// Steps of clockAndReset.
const (
	beforeClock = 2
	afterClock  = 4
	afterReset  = 8
)

func guessClock(got, want []transport.Sample) string {
	switch {
	case got[afterClock].Out == got[beforeClock].Out:
		return "a byte at a clock edge changes nothing: does clk reach the chip?"
	case got[afterClock].Out == want[afterClock].Out && got[afterReset].Out == got[afterClock].Out:
		return "a reset changes nothing: does rst_n reach the chip?"
	case got[beforeClock].Out == want[afterClock].Out:
		return "a byte was taken without a clock edge: is something else clocking the chip?"
	}
	return ""
}

// turnAround writes a value by UTF-32 and reads it back: each uio line carries both levels both ways.
func turnAround(q *Sequence) {
	q.Reset()
	q.Write(golden.UTF32, 0x00, 0x0F, 0x55, 0xAA)
	q.Look()
	q.Read(golden.UTF32, 4)
	q.Look()
}

func guessBus(got, want []transport.Sample) string {
	_, lines := linesOf(got, want).Bytes()
	if lines == 0 {
		return ""
	}
	return fmt.Sprintf("uio differs on the lines %s", Binary(lines, 0))
}
