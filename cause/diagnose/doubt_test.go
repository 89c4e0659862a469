package diagnose

import (
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
)

// A wire is blamed only for faults that the chip cannot have: of a line that the bench drives, or of two lines.
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
			if want == Unclear && !strings.Contains(f.Why(), candidate) {
				t.Errorf("%s: %q names no %s", text, f.Why(), candidate)
			}
		}
	}
}

// A swap of an input and an output that both stand still is no more likely than two stuck lines, of which the output
// may be the chip's.
func TestDoubtOfASwap(t *testing.T) {
	faults := parsed(t, "ui1=stuck0", "uo3=stuck0")
	f := diagnosed(t, runOf(t, faults))
	if f.Conclusion != Unclear || f.Causes[0].String() != "ui1<>uo3" || strings.Join(f.Doubt.Outputs, " ") != "uo3" ||
		!slices.ContainsFunc(f.SeparatePairs, func(h search.Hypothesis) bool { return hasFaults(h, faults) }) {
		t.Errorf("%s, %s, %v: %s", f.Conclusion, f.Causes[0], f.SeparatePairs, f.Why())
	}
}

// An intermittent output has the same candidates, and a chip that loses its state, as by its supply, looks like an
// intermittent input.
func TestDoubtOfAnIntermittentOutput(t *testing.T) {
	jobs := suite(t, "guide")
	for text, doubted := range map[string]bool{"uo2=flip:1e-2:1": true, "ui7=flip:1e-2:1": false} {
		f := diagnosed(t, run(t, text, jobs))
		if f.Conclusion != Intermittent || strings.Contains(f.Why(), "the chip's pad or the design") != doubted ||
			strings.Contains(f.Why(), "the supply of the chip") == doubted {
			t.Errorf("%s: %s, %s", text, f.Conclusion, f.Why())
		}
	}
}

// Noise does not make a wire certain.
func TestDoubtOfAnInputBesideNoise(t *testing.T) {
	for _, noise := range []float64{0, 1} {
		f := Finding{Conclusion: Wire, MayBeBrokenInput: true,
			Causes: []Cause{{Fit: search.Fit{Hypothesis: search.MustParse(utf.TT09, "ui0=stuck0")}, Bits: noise}}}
		if !strings.HasSuffix(f.Why(), BrokenInputWords) {
			t.Error(f.Why())
		}
	}
}

// Only the chip's levels are late by a step, also on a line that the bench drives at other times.
func TestDoubtOfALateLine(t *testing.T) {
	if d := NewDoubt([]search.Hypothesis{search.MustParse(utf.TT09, "uio4=late")}, 0xFF); d.Outputs == nil {
		t.Error("the wires alone are blamed")
	}
}

// What was not searched may be the cause, and where samples of a step differ, an input.
func TestDoubtWithoutACause(t *testing.T) {
	none := Finding{Conclusion: Unclear, Causes: causes([]search.Fit{{Hypothesis: search.MustParse(utf.TT09,
		"ui1=stuck1"),
		Account: search.Account{Unpredicted: 1}}})}
	for what, f := range map[string]Finding{"a cell": none, "an input": {Conclusion: Unstable}} {
		if !strings.Contains(f.Why(), what) {
			t.Errorf("%q does not name %s", f.Why(), what)
		}
	}
}

// A hypothesis with a certain wire fault leaves no doubt, whatever its other faults.
func TestDoubtOfSeveralFaults(t *testing.T) {
	both, ok := search.MustParse(utf.TT09, "uo3=stuck1").And(search.MustParse(utf.TT09, "ui0=stuck0").Faults[0])
	if !ok {
		t.Fatal("two lines, and they conflict")
	}
	if d := NewDoubt([]search.Hypothesis{both}, 0xFF); d.Outputs != nil {
		t.Error(d)
	}
	d := NewDoubt([]search.Hypothesis{both, search.MustParse(utf.TT09, "uo4=open"), search.MustParse(utf.TT09,
		"ui1=open")}, 0xFF)
	if !d.Input || strings.Join(d.Outputs, " ") != "uo3 uo4" {
		t.Errorf("%+v", d)
	}
	if d := NewDoubt([]search.Hypothesis{search.MustParse(utf.TT09, "uio3=stuck1")}, 0); d.Outputs == nil {
		t.Error("a line of uio that the bench never drives is an output")
	}
}
