package utf

import (
	"bytes"
	"fmt"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

// A passage is a code point's case, decoded from its steps.
type passage struct {
	wrote Form
	bytes []byte
	chk   bool
	cbe   bool
	read  [3][]byte // by form
	pages map[string]bool
	ends  [3]bool // by form: the EOF pin was high after the last byte
}

var strobeForms = map[string]Form{"UTF-32": UTF32, "UTF-16": UTF16, "UTF-8": UTF8}

// pass decodes a case by running it on a chip. It ignores the four additional steps of the mode beyond.
func pass(t testing.TB, space *points, block, i int) (p passage) {
	chip := model.New(model.TT09)
	steps := space.Append(nil, block, i)
	p.chk, p.cbe, p.pages = steps[1].In&model.CHK != 0, steps[1].In&model.CBE != 0, map[string]bool{}
	if v, m := space.at(block, i); m == beyond {
		if last := steps[len(steps)-1]; last.IO != 0 || last.In&(model.READ|model.CIO) != 0 {
			t.Fatalf("%X: no byte too many at the end", v)
		}
		steps = steps[:len(steps)-4]
	}
	for _, s := range steps {
		if (s.In&model.CHK != 0) != p.chk && !s.Reset || (s.In&model.CBE != 0) != p.cbe && !s.Reset {
			t.Fatalf("%s: CHK or CBE changes", space.Case(block, i))
		}
		got := chip.Step(s)
		form, write := strobeForms[StrobedForm(s.In)], s.In&model.READ == 0
		switch {
		case s.Reset:
		case write:
			p.wrote, p.bytes = form, append(p.bytes, s.IO)
		case s.Clocks > 0 && StrobedForm(s.In) != "":
			p.read[form] = append(p.read[form], got.IO)
			p.ends[UTF16], p.ends[UTF8] = got.Out&model.UEOF != 0, got.Out&model.BEOF != 0
		}
		if !s.Reset {
			p.pages[fmt.Sprintf("write %v, ERRS %v", write, s.In&model.ERRS != 0)] = true
		}
	}
	return p
}

// encode encodes a code point in a form with the standard library, and lone surrogates, which it rejects, likewise.
func encode(v rune, f Form, bigEndian bool) []byte {
	var units []uint16
	switch {
	case f == UTF8 && utf16.IsSurrogate(v):
		return []byte{0xE0 | byte(v>>12), 0x80 | byte(v>>6)&0x3F, 0x80 | byte(v)&0x3F}
	case f == UTF8:
		return utf8.AppendRune(nil, v)
	case f == UTF32:
		units = []uint16{uint16(v >> 16), uint16(v)}
		if !bigEndian {
			units[0], units[1] = units[1], units[0]
		}
	case utf16.IsSurrogate(v):
		units = []uint16{uint16(v)}
	default:
		units = utf16.AppendRune(nil, v)
	}
	var b []byte
	for _, u := range units {
		if bigEndian {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// Each code point is written in each form at each level of CHK and CBE and read back in all forms. The bytes are the
// standard library's, and the samples show both pages and both EOF pins.
func TestCodePointsAreCoveredInEveryPairing(t *testing.T) {
	space := newPoints()
	if n := (space.Blocks() - 1) * pointsBlock; n != utf8.MaxRune+1 {
		t.Fatalf("%d code points", n)
	}
	const every = 97 // besides all code points near changes of length
	for v := rune(0); v <= utf8.MaxRune; v++ {
		if v%every != 0 && v > 0x900 && (v < 0xD7F0 || v > 0xE010) && (v < 0xFFF0 || v > 0x10010) &&
			v < utf8.MaxRune-2 {
			continue
		}
		seen := map[string]bool{}
		for i := range 12 {
			block, number := int(v)/pointsBlock, int(v)%pointsBlock*12+i
			p := pass(t, space, block, number)
			seen[fmt.Sprint(p.wrote, p.chk, p.cbe)] = true
			if want := encode(v, p.wrote, p.cbe); !bytes.Equal(p.bytes, want) {
				t.Fatalf("%s: wrote % X, want % X", space.Case(block, number), p.bytes, want)
			}
			for _, f := range Forms {
				got, want := p.read[f], encode(v, f, p.cbe)
				if !bytes.Equal(got, want) {
					t.Fatalf("%s: read %s % X, want % X", space.Case(block, number), f, got, want)
				}
			}
			if !p.pages["write true, ERRS true"] || !p.pages["write false, ERRS true"] ||
				!p.pages["write false, ERRS false"] || !p.ends[1] || !p.ends[2] {
				t.Fatalf("%s: saw only %v, EOF pins %v", space.Case(block, number), p.pages, p.ends[1:])
			}
		}
		if len(seen) != 12 {
			t.Fatalf("U+%04X: only %v", v, seen)
		}
	}
}

// The cases of newOps(2) are all sequences of two operations.
func TestOpsAreAllSequences(t *testing.T) {
	o, err := newOps(2)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[2]transport.Step]bool{}
	for b := range o.Blocks() {
		for i := range o.Cases(b) {
			s := o.Append(nil, b, i)
			seen[[2]transport.Step{s[1], s[2]}] = true
		}
	}
	if want := len(alphabet) * len(alphabet); len(seen) != want {
		t.Errorf("%d sequences, want %d", len(seen), want)
	}
}

// TrimScope clears an unused depth, unless the user gave it; Tile.Space then rejects it.
func TestTrimScope(t *testing.T) {
	for _, c := range []struct {
		space   string
		given   bool
		depth   int
		refused bool
	}{
		{"codepoints", false, 0, false},
		{"codepoints", true, 2, true},
		{"bytes", true, 2, true},
		{"ops", false, 2, false},
	} {
		got := TrimScope(tile.Scope{Space: c.space, Depth: 2}, func(string) bool { return c.given })
		if got.Depth != c.depth {
			t.Errorf("%+v: depth %d", c, got.Depth)
		}
		if _, err := TT09.Space(got); (err != nil) != c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
