package utf

import (
	"testing"

	"pgregory.net/rapid"

	"utfbench/model"
)

// After any input of up to three bytes, the model is in the state of an extended prefix that is not longer, so the tree
// covers the inputs that it omits.
func TestTreeDecidesEveryInput(t *testing.T) {
	for _, rev := range []model.Revision{model.TT09, model.TT08} {
		tree := newTree(rev)
		at := map[model.Registers]int{}
		for i, p := range tree.prefixes {
			at[p.regs] = i
		}
		if len(at) != len(tree.prefixes) {
			t.Errorf("%s: %d prefixes, but %d states", rev, len(tree.prefixes), len(at))
		}
		check := func(fatal func(string, ...any), input ...byte) {
			chip := model.New(rev)
			chip.ClockEdge(model.Idle, 0, true)
			for _, b := range input {
				chip.ClockEdge(model.Idle&^(model.READ|model.BIO), b, false)
			}
			i, ok := at[chip.Registers()]
			if !ok {
				fatal("%s: nothing follows the state after % X", rev, input)
			} else if n := int(tree.prefixes[i].n); n > len(input) {
				fatal("%s: the state after % X is followed up by a prefix of %d bytes only", rev, input, n)
			}
		}
		for n := range 1 << 16 {
			check(t.Fatalf, byte(n>>8))
			check(t.Fatalf, byte(n>>8), byte(n))
		}
		for _, a := range boundaryBytes {
			for _, b := range boundaryBytes {
				for _, c := range boundaryBytes {
					check(t.Fatalf, a, b, c)
				}
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			check(t.Fatalf, rapid.Byte().Draw(t, "1"), rapid.Byte().Draw(t, "2"), rapid.Byte().Draw(t, "3"))
		})
	}
}

// boundaryBytes lists the bytes at both ends of each range that UTF-8 distinguishes.
var boundaryBytes = []byte{
	0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
	0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xF9, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
}

// Each case of the tree writes its prefix and a byte, and reads back the value.
func TestTreeCases(t *testing.T) {
	tree := newTree(model.TT09)
	rapid.Check(t, func(t *rapid.T) {
		block := rapid.IntRange(0, tree.Blocks()-1).Draw(t, "block")
		i := rapid.IntRange(0, tree.Cases(block)-1).Draw(t, "case")
		p, b := tree.at(block, i)
		steps := tree.Append(nil, block, i)
		n := int(p.n) + 1
		for j, want := range append(p.bytes[:p.n:p.n], b) {
			if s := steps[1+j]; s.IO != want || s.In != model.Idle&^(model.READ|model.BIO) {
				t.Fatalf("byte %d of %s is %+v", j, tree.Case(block, i), s)
			}
		}
		reads := map[string]int{}
		for _, s := range steps[1+n:] {
			reads[StrobedForm(s.In)]++
		}
		regs := tree.after(p, b)
		full := regs.V != p.regs.V || p.n == 0
		if reads["UTF-32"] != 4 || full && (reads["UTF-8"] != int(model.UTF8Len(regs.V)) ||
			reads["UTF-16"] != int(model.UTF16Len(regs.V))) {
			t.Fatalf("%s is read back by %v", tree.Case(block, i), reads)
		}
	})
}
