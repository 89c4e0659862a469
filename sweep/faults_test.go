package sweep

import (
	"context"
	"testing"
	"unicode/utf8"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// everyFault is how many faults one is tried of.
var everyFault = testkit.Apart(1, 23)

// pinFaults is each fault of a pin, by itself.
func pinFaults() []string {
	return testkit.LineFaults("stuck0", "stuck1", "open", "open:low", "open:high", "inverted")
}

// invisible are faults that no sweep can see, with the reason.
var invisible = map[string]string{
	"clk=inverted": "the chip's edge comes at the other end of the same pulse, while all levels still stand",
}

// windows are where a fault may show first: the beginning, the surrogates, where the length of a form changes, and the end, past which CHK matters.
// A sweep of all there is takes minutes for a faulty chip.
var windows = [][2]rune{{0, 0x200}, {0x7F8, 0x808}, {0xD7F8, 0xD808}, {0xFFF8, 0x10008}, {0x10FFF8, 0x110008}}

// firstWrong finds the first code point of a window that a faulty chip has wrong, by a plain loop: bytes by the standard
// library, a new chip for each case, every step compared.
func firstWrong(f mock.Fault, window [2]rune) (rune, bool) {
	var q driver.Sequence
	for v := window[0]; v < window[1]; v++ {
		for _, levels := range []uint8{0, model.CHK, model.CBE, model.CHK | model.CBE} {
			for _, form := range golden.Forms {
				if form == golden.UTF16 && v > utf8.MaxRune {
					continue
				}
				slowCase(&q, v, form, levels)
				chip, right := mock.Open(mock.Config{Faults: []mock.Fault{f}}), model.New(model.TT09)
				got := make([]transport.Sample, len(q.Steps))
				if _, err := chip.Apply(context.Background(), q.Steps, got); err != nil {
					panic(err)
				}
				for i, s := range q.Steps {
					if got[i] != right.Step(s) {
						return v, true
					}
				}
			}
		}
	}
	return 0, false
}

// slowCase writes v in a form and reads it back in all, with looks at everything there is between.
func slowCase(q *driver.Sequence, v rune, form golden.Form, levels uint8) {
	q.Clear()
	q.Levels(model.Idle&^(model.CHK|model.CBE) | levels)
	bigEndian := levels&model.CBE != 0
	q.Reset()
	q.Write(form, encode(v, form, bigEndian)...)
	q.Clock(1)
	for _, f := range golden.Forms {
		q.Status()
		q.Properties()
		q.Look()
		q.Read(f, 4)
	}
	q.Read(form, 1)
	q.Rewind()
	q.Read(form, 1)
	q.Write(form, 0)
}

// thin cuts the blocks of a space into smaller ones, so that a sweep that stops after the first bad one stops soon.
type thin struct {
	Space
	by int
}

func (s thin) Blocks() int         { return s.Space.Blocks() * s.by }
func (s thin) Cases(block int) int { return s.Space.Cases(block/s.by) / s.by }
func (s thin) real(block, i int) (b, c int) {
	return block / s.by, block%s.by*s.Cases(block) + i
}
func (s thin) Append(steps []transport.Step, block, i int) []transport.Step {
	b, c := s.real(block, i)
	return s.Space.Append(steps, b, c)
}
func (s thin) Case(block, i int) string {
	b, c := s.real(block, i)
	return s.Space.Case(b, c)
}

const thinPoints = 8 // in a block

// sweepFaulty gives the first code point that a sweep says is wrong.
func sweepFaulty(t *testing.T, space Space, f mock.Fault, window [2]rune) (rune, bool) {
	t.Helper()
	r := Runner{Space: space, Revision: model.TT09, Range: Range{int(window[0]) / thinPoints, int(window[1]) / thinPoints}, MaxFailures: 1,
		Chips: []transport.Transport{mock.Open(mock.Config{Faults: []mock.Fault{f}}), mock.Open(mock.Config{Faults: []mock.Fault{f}})}}
	blocks, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if b.First != nil {
			if failure, err := FirstFailure(space, model.TT09, blocks); err != nil || failure.Result.First == nil {
				t.Fatalf("%v: %v", failure, err)
			}
			real, i := space.(thin).real(b.Number, b.First.Case)
			v, _ := space.(thin).Space.(*points).at(real, i)
			return rune(v), true
		}
	}
	return 0, false
}

// A sweep ends in FAIL for each fault of a pin and of a register bit, at the first code point that a plain loop finds.
func TestEveryFaultIsFoundAtItsFirstCodePoint(t *testing.T) {
	points, _ := open(t, Scope{Space: "codepoints"})
	space := thin{points, pointsBlock / thinPoints}
	for i, text := range append(testkit.BitFaults(), pinFaults()...) {
		if i%everyFault != 0 {
			continue
		}
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			f, err := mock.ParseFault(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, window := range windows {
				want, found := firstWrong(f, window)
				got, ok := sweepFaulty(t, space, f, window)
				if found != ok || got != want {
					t.Fatalf("in U+%04X..U+%04X: a plain loop found a difference: %v, at U+%04X; the sweep: %v, at U+%04X", window[0], window[1]-1, found, want, ok, got)
				}
				if found {
					if invisible[text] != "" {
						t.Errorf("it is listed as invisible: %s", invisible[text])
					}
					return
				}
			}
			if invisible[text] == "" {
				t.Error("no sweep finds it")
			}
		})
	}
}
