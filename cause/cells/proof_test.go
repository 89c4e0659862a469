package cells

import (
	"slices"
	"testing"

	"utfbench/netlist/stuckat"
	"utfbench/tile/utf"
)

// Faults that act in states alone that the chip never gets into are proved, others not, and nothing is if vectors do
// not begin with a reset.
func TestProofAfterReset(t *testing.T) {
	n, some := own(t, "chip.v"), vectors(t, utf.TT09, "man7", "structural")
	classes := stuckat.Classes(n)
	want := map[string]bool{"_1713_/A stuck at 1": true, classes[0][0].String(): false}
	p := proof{ctx: t.Context(), tile: utf.TT09, n: n, steps: 50_000}
	var at []int
	for _, c := range classes {
		if _, asked := want[c[0].String()]; asked {
			at = append(at, len(p.classes))
			p.classes = append(p.classes, c)
		}
	}
	p.never = make([]bool, len(at))
	headless := append([]stuckat.Vector(nil), some...)
	headless[3].Steps, headless[3].Want = headless[3].Steps[1:], headless[3].Want[1:]
	if err := p.after(at, headless); err != nil || slices.Contains(p.never, true) {
		t.Error(p.never, err)
	}
	if err := p.after(at, some); err != nil || len(at) != len(want) {
		t.Fatalf("%d classes, %v", len(at), err)
	}
	for i, c := range p.classes {
		if p.never[i] != want[c[0].String()] {
			t.Errorf("%v: proved %v", &c[0], p.never[i])
		}
	}
}
