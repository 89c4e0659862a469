package utf

import (
	"fmt"
	"strings"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

func (t Tile) Signature() tile.Probe {
	return tile.Probe{Steps: steps(nothingWritten), Guess: guessDesign}
}

func steps(of func(q *Sequence)) []transport.Step {
	q := NewSequence()
	of(q)
	return q.Steps
}

// nothingWritten drives all levels of ui: without a clock, with a clock in reset, and with a clock out of reset unless
// that would take a byte. While nothing has been written, READ alone determines the outputs: uo is UEOF and BEOF and
// uio is 00 while it is high, and uo is 00 while it is low.
func nothingWritten(q *Sequence) {
	q.Reset()
	q.ShowData()
	q.Set(model.READ, 0)
	q.Set(model.READ, model.READ)
	q.AddEveryLevel(0)
	q.HoldReset(true)
	q.AddEveryLevel(1)
	q.HoldReset(false)
	q.AddEveryLevel(1)
	q.SetLevels(model.Idle)
	q.Reset()
	q.ShowData()
}

// IsSimilar implements tile.Recogniser. At most two lines may differ, and UEOF or BEOF must follow READ.
func (t Tile) IsSimilar(lines transport.Outputs) bool { return fewDiffer(lines) }

func fewDiffer(lines transport.Outputs) bool {
	const followREAD = model.UEOF | model.BEOF
	return lines.Count() <= 2 && uint8(lines)&followREAD != followREAD
}

func guessDesign(got, want []transport.Sample) string {
	lines := transport.Differ(got, want)
	if !fewDiffer(lines) {
		return constant(got)
	}
	return "nothing but " + strings.Join(lines.Names(), " and ") + " differs, as with a bad wire"
}

// constant describes outputs that never change, or returns "".
func constant(got []transport.Sample) string {
	for _, s := range got[1:] {
		if s.Out != got[0].Out || s.OutX != 0 {
			return ""
		}
	}
	return fmt.Sprintf("uo is always %s", tile.Binary(got[0].Out, 0))
}

func (t Tile) CombinationalInputs() uint8 { return model.ERRS | model.CHK | model.READ }

// RevisionSteps implements tile.Recogniser. It covers the three differences (docs/chip.md, "Revisions").
func (t Tile) RevisionSteps() []transport.Step { return steps(whereRevisionsDiffer) }

func whereRevisionsDiffer(q *Sequence) {
	q.Reset()
	q.Read(UTF16, 3) // a read past the end: does the position advance?
	q.Write(UTF32, 0x41)
	q.ShowData()
	q.Read(UTF16, 2)

	q.Reset()
	q.Write(UTF32, 0, 0, 0, 0x41, 0x42) // a byte too many: does it set RETRY?
	q.ShowData()

	q.Reset()
	q.Write(UTF8, 0xE2, 0x82, 0x41) // the last byte is dropped, with RETRY
	q.Write(UTF16, 0x00, 0x41)      // both bytes are taken: do they clear it?
	q.ShowData()
	q.Reset()
}
