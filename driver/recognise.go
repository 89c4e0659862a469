package driver

import (
	"context"
	"fmt"
	"strings"

	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// A Recognition is a finding about which design answers: OK when it is this one.
type Recognition struct {
	Finding

	// Alike says that what is not OK is this design with a bad wire or two rather than another one: all lines but those show
	// what they should at each step, and of uo6 and uo7, the two that follow READ, at least one does.
	Alike bool
}

// Recognise asks whether what answers is this chip, of whichever revision, before anything is risked: it drives ui, clk and
// rst_n alone and leaves uio released, so that another design's outputs meet nothing. Where the finding is not OK it is another
// design, or none, or this one too broken to tell. The error is the transport's.
func Recognise(ctx context.Context, tr transport.Transport) (Recognition, error) {
	p := Probe{"this design", nothingWritten, guessDesign}
	f, err := p.Ask(ctx, tr, model.TT09) // the revisions do not differ here
	return Recognition{f, err == nil && !f.OK && alike(linesOf(f.Got, f.Want))}, err
}

// nothingWritten goes through all levels of ui: without a clock, with a clock in reset, and with one out of it, but for those
// that would take a byte. As long as nothing was written, uo is UEOF and BEOF while READ is high and 00 while it is low, and
// uio is 00 while READ is high, whatever else is asked.
func nothingWritten(q *Sequence) {
	q.Reset()
	q.Look()
	q.Set(model.READ, 0)
	q.Set(model.READ, model.READ)
	q.everyLevel(0)
	q.reset = true
	q.everyLevel(1)
	q.reset = false
	q.everyLevel(1)
	q.Levels(model.Idle)
	q.Reset()
	q.Look()
}

// everyLevel adds a step for each level of ui that does not take a byte which nobody drives.
func (q *Sequence) everyLevel(clocks uint8) {
	for ui := range 256 {
		if s := (transport.Step{In: uint8(ui), Clocks: clocks, Reset: q.reset}); !model.TakesFloating(s) {
			q.Steps = append(q.Steps, s)
		}
	}
}

// alike says whether no more than two lines differ, and those leave something that only this design does.
func alike(lines transport.Outputs) bool {
	const followREAD = model.UEOF | model.BEOF
	return lines.Count() <= 2 && uint8(lines)&followREAD != followREAD
}

// linesOf gives the lines that differ at any step.
func linesOf(got, want []transport.Sample) (lines transport.Outputs) {
	for i := range got {
		lines |= got[i].Differ(want[i])
	}
	return lines
}

func guessDesign(got, want []transport.Sample) string {
	lines := linesOf(got, want)
	if !alike(lines) {
		return guessAnswers(got, want)
	}
	return "nothing but " + strings.Join(lines.Names(), " and ") + " differs, as with a bad wire"
}

// TellRevision asks a chip that was recognised which revision it is. Each way in which the two differ is asked for, on lines
// of its own, so that a single bad wire does not make one look like the other. Where the finding is not OK, the chip answers as
// neither. The error is the transport's.
func TellRevision(ctx context.Context, tr transport.Transport) (model.Revision, Finding, error) {
	t, err := put(ctx, tr, whereRevisionsDiffer)
	if err != nil {
		return 0, Finding{}, err
	}
	var why []string
	for _, rev := range []model.Revision{model.TT09, model.TT08} {
		t.Expect(rev)
		i, differs := t.first()
		if !differs {
			return rev, Finding{true, fmt.Sprintf("%d steps as %s", len(t.Steps), rev), t}, nil
		}
		why = append(why, fmt.Sprintf("not as %s: %s", rev, t.difference(i)))
	}
	return 0, Finding{false, strings.Join(why, "; "), t}, nil
}

// whereRevisionsDiffer asks for the three differences (docs/chip.md, "Revisions").
func whereRevisionsDiffer(q *Sequence) {
	q.Reset()
	q.Read(golden.UTF16, 3) // past the end: does the position move on?
	q.Write(golden.UTF32, 0x41)
	q.Look()
	q.Read(golden.UTF16, 2)

	q.Reset()
	q.Write(golden.UTF32, 0, 0, 0, 0x41, 0x42) // a byte too many: does it set RETRY?
	q.Look()

	q.Reset()
	q.Write(golden.UTF8, 0xE2, 0x82, 0x41) // the last is dropped, with RETRY
	q.Write(golden.UTF16, 0x00, 0x41)      // both are taken: do they clear it?
	q.Look()
	q.Reset()
}
