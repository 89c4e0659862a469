package sweep

import (
	"context"
	"encoding/binary"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// stride is the distance between tested faults in the list.
var stride = testkit.Pick(23, 1)

func pinFaults() []string {
	return testkit.LineFaults("stuck0", "stuck1", "open", "open:low", "open:high", "inverted")
}

// invisible maps faults that no sweep can detect to the reasons.
var invisible = map[string]string{
	"clk=inverted": "the chip's edge comes at the other end of the same pulse, while all levels still stand",
}

// windows lists ranges in which a fault may first be visible: the beginning, the surrogates, the boundaries of the
// forms' lengths, and the end, after which CHK matters. A complete sweep of a faulty chip would take minutes.
var windows = [][2]rune{{0, 0x200}, {0x7F8, 0x808}, {0xD7F8, 0xD808}, {0xFFF8, 0x10008}, {0x10FFF8, 0x110008}}

// firstWrong returns the first code point of a window that a faulty chip converts wrongly. It uses a plain loop, with
// bytes from the standard library and a new chip for each case, and compares every step.
func firstWrong(f fault.Fault, window [2]rune) (rune, bool) {
	q := utf.NewSequence()
	for v := window[0]; v < window[1]; v++ {
		for _, levels := range []uint8{0, model.CHK, model.CBE, model.CHK | model.CBE} {
			for _, form := range utf.Forms {
				if form == utf.UTF16 && v > utf8.MaxRune {
					continue
				}
				slowCase(q, v, form, levels)
				chip, right := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}), model.New(model.TT09)
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

// encode encodes a code point with the standard library, and lone surrogates by the same rule.
func encode(v rune, f utf.Form, bigEndian bool) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if bigEndian {
		order = binary.BigEndian
	}
	switch {
	case f == utf.UTF8 && utf16.IsSurrogate(v):
		return []byte{0xE0 | byte(v>>12), 0x80 | byte(v>>6)&0x3F, 0x80 | byte(v)&0x3F}
	case f == utf.UTF8:
		return utf8.AppendRune(nil, v)
	case f == utf.UTF32:
		return order.AppendUint32(nil, uint32(v))
	case utf16.IsSurrogate(v):
		return order.AppendUint16(nil, uint16(v))
	}
	var b []byte
	for _, u := range utf16.AppendRune(nil, v) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// slowCase fills q with steps that write v in a form and read it back in all forms, showing both pages before each.
func slowCase(q *utf.Sequence, v rune, form utf.Form, levels uint8) {
	q.Clear()
	q.SetLevels(model.Idle&^(model.CHK|model.CBE) | levels)
	bigEndian := levels&model.CBE != 0
	q.Reset()
	q.Write(form, encode(v, form, bigEndian)...)
	q.Clock(1)
	for _, f := range utf.Forms {
		q.ShowStatus()
		q.ShowProperties()
		q.ShowData()
		q.Read(f, 4)
	}
	q.Read(form, 1)
	q.Rewind()
	q.Read(form, 1)
	q.Write(form, 0)
}

// thinned divides a space's blocks into smaller ones and keeps some, so that a sweep stops soon after a failure.
type thinned struct {
	tile.Space
	by, first, blocks int
}

func (s thinned) Blocks() int         { return s.blocks }
func (s thinned) Cases(block int) int { return s.Space.Cases((s.first+block)/s.by) / s.by }
func (s thinned) real(block, i int) (b, c int) {
	return (s.first + block) / s.by, (s.first+block)%s.by*s.Cases(block) + i
}
func (s thinned) Append(steps []transport.Step, block, i int) []transport.Step {
	b, c := s.real(block, i)
	return s.Space.Append(steps, b, c)
}
func (s thinned) Case(block, i int) string {
	b, c := s.real(block, i)
	return s.Space.Case(b, c)
}

const thinPoints = 8 // code points per block

// sweepFaulty returns the first code point that a sweep reports as wrong.
func sweepFaulty(t *testing.T, space thinned, f fault.Fault, window [2]rune) (rune, bool) {
	t.Helper()
	space.first = int(window[0]) / thinPoints
	space.blocks = int(window[1])/thinPoints - space.first
	r := Runner{Space: space, Tile: utf.TT09, MaxFailures: 1,
		Chips: []transport.Transport{mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}),
			mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})}}
	blocks := testkit.Must(r.Run(context.Background()))(t)
	for _, b := range blocks {
		if b.First != nil {
			if f, err := FirstFailure(space, utf.TT09, blocks); err != nil || f.Result.FirstMismatch == nil {
				t.Fatalf("%v: %v", f, err)
			}
			return codePoint(t, space.Case(b.Number, b.First.Case)), true
		}
	}
	return 0, false
}

func codePoint(t *testing.T, words string) rune {
	t.Helper()
	first, _, _ := strings.Cut(words, " ")
	v, err := strconv.ParseInt(strings.TrimPrefix(first, "U+"), 16, 32)
	if err != nil {
		t.Fatalf("%q says no code point: %v", words, err)
	}
	return rune(v)
}

// For each fault of a pin or register bit, a sweep ends in FAIL at the first code point that a plain loop finds.
func TestEveryFaultIsFoundAtItsFirstCodePoint(t *testing.T) {
	points, _ := open(t, tile.Scope{Space: "codepoints"})
	// the last block contains values that are not code points
	space := thinned{Space: points, by: (utf8.MaxRune + 1) / (points.Blocks() - 1) / thinPoints}
	for i, text := range append(testkit.BitFaults(), pinFaults()...) {
		if i%stride != 0 {
			continue
		}
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			f := testkit.Must(model.Bits.Parse(text))(t)
			for _, window := range windows {
				want, found := firstWrong(f, window)
				got, ok := sweepFaulty(t, space, f, window)
				if found != ok || got != want {
					t.Fatalf("in U+%04X..U+%04X: a plain loop found a difference: %v, at U+%04X; the "+
						"sweep: %v, at U+%04X", window[0], window[1]-1, found, want, ok, got)
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
