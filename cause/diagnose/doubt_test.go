package diagnose

import (
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
)

// Wires are blamed only for faults that the chip cannot have: faults of a line that the bench drives, or of two lines.
func TestDoubt(t *testing.T) {
	jobs := suite(t, "guide")
	cases := []string{"uo3=stuck1", "uio3~uio4=and", "ui5=inverted", "uio3=stuck1", "uo0<>uo1", "uo3=open",
		"uo3=inverted"}
	for _, text := range cases[:testkit.Pick(2, len(cases))] {
		want := map[bool]Conclusion{true: Unclear, false: Wire}[strings.HasPrefix(text, "uo3")]
		f := diagnosed(t, run(t, text, jobs))
		if f.Conclusion != want || (f.Doubt.Outputs != nil) != (want == Unclear) {
			t.Errorf("%s: %s, %v", text, f.Conclusion, f.Doubt)
		}
		for _, candidate := range []string{"wire", "pin", "chip"} {
			if want == Unclear && !strings.Contains(f.Reason(), candidate) {
				t.Errorf("%s: %q names no %s", text, f.Reason(), candidate)
			}
		}
	}
}

// If an input and an output never change, two stuck lines are as likely as a swap, and the output may be the chip's.
func TestDoubtOfASwap(t *testing.T) {
	faults := parsed(t, "ui1=stuck0", "uo3=stuck0")
	f := diagnosed(t, runOf(t, faults))
	if f.Conclusion != Unclear || f.Causes[0].String() != "ui1<>uo3" || strings.Join(f.Doubt.Outputs, " ") != "uo3" ||
		!slices.ContainsFunc(f.SeparatePairs, func(h search.Hypothesis) bool { return hasFaults(h, faults) }) {
		t.Errorf("%s, %s, %v: %s", f.Conclusion, f.Causes[0], f.SeparatePairs, f.Reason())
	}
}

// An intermittent output may be the chip's or the wire's, and is a conclusion only if vectors were repeated.
func TestDoubtOfAnIntermittentOutput(t *testing.T) {
	once := suite(t, "guide")
	f := diagnosed(t, run(t, "uo2=flip:1e-2:1", slices.Concat(once, once)))
	if f.Conclusion != Intermittent || !strings.Contains(f.Reason(), "the chip's pad or the design") {
		t.Errorf("%s, %s", f.Conclusion, f.Reason())
	}
	if f = diagnosed(t, run(t, "uo2=flip:1e-2:1", once)); f.Conclusion != Unclear {
		t.Errorf("not repeated: %s, %s", f.Conclusion, f.Reason())
	}
}

// Reason names other possible causes: a cell, a broken pad or input, or an input line if samples of a step differ.
func TestOtherCausesInWords(t *testing.T) {
	of := func(kind Conclusion, text string, bits float64) Finding {
		return Finding{Conclusion: kind, MayBeBrokenInput: kind == Wire,
			Causes: []search.Fit{{Hypothesis: search.MustParse(utf.TT09, text), Bits: bits}}}
	}
	once := Finding{Conclusion: Unexplained}
	once.WaveringVectors = 1
	for _, c := range []struct {
		f    Finding
		want string
	}{{of(Unclear, "ui1=stuck1", 1), "a cell"}, {of(Wire, "ui0=stuck0", 0), BrokenInputWords},
		{of(Wire, "ui0=stuck0", 1), BrokenInputWords}, {Finding{Conclusion: Unstable}, "an input"},
		{once, "samples of the same steps change"}} {
		if !strings.Contains(c.f.Reason(), c.want) {
			t.Errorf("%q does not name %s", c.f.Reason(), c.want)
		}
	}
}

// Outputs are in doubt unless each hypothesis includes a certain wire fault. A uio line that the bench never drives is
// an output, and only levels that the chip drives can be late.
func TestNewDoubt(t *testing.T) {
	for _, c := range []struct {
		faults  string // hypotheses, of one or two faults each
		driven  uint8
		outputs string
		input   bool
	}{
		{"uo3=stuck1+ui0=stuck0", 0xFF, "", false},
		{"uo3=stuck1+ui0=stuck0 uo4=open ui1=open", 0xFF, "uo3 uo4", true},
		{"uio3=stuck1", 0, "uio3", false},
		{"uio3=stuck1", 0xFF, "", false},
		{"uio4=late", 0xFF, "uio4", false},
	} {
		var hs []search.Hypothesis
		for texts := range strings.FieldsSeq(c.faults) {
			hs = append(hs, search.Hypothesis{Tile: utf.TT09, Faults: parsed(t, strings.Split(texts, "+")...)})
		}
		if d := NewDoubt(hs, c.driven); strings.Join(d.Outputs, " ") != c.outputs || d.MayBeInput != c.input {
			t.Errorf("%s: %+v", c.faults, d)
		}
	}
}
