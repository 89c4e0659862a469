package cells

import (
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/netlist/stuckat"
	"utfbench/tile"
	"utfbench/tile/utf"
)

// What is found by chance is found by the vectors of the file that is written, and not without their last steps. A seed
// finds the same each time.
func TestExtension(t *testing.T) {
	n, some := own(t, "chip.v"), vectors(t, utf.TT09, "man7")[:testkit.Pick(30, 60)]
	findings, err := stuckat.Simulate(t.Context(), n, stuckat.Classes(n), some)
	if err != nil {
		t.Fatal(err)
	}
	x := &Extension{Tile: utf.TT09, Netlist: n, Vectors: some, Steps: 2000, Seed: 1}
	for i, c := range stuckat.Classes(n) {
		if i%40 == 0 && !findings[i].Anywhere() {
			x.Open = append(x.Open, c)
		}
	}
	found, err := x.Find(t.Context())
	if err != nil || len(found) < 5 {
		t.Fatalf("%d of %d classes, %v", len(found), len(x.Open), err)
	}
	again, err := x.Find(t.Context())
	if err != nil || len(again) != len(found) || !slices.Equal(again[0].Vector.Steps, found[0].Vector.Steps) {
		t.Error("another time the same seed finds something else", err)
	}
	var text strings.Builder
	if err := x.WriteVectors(&text, found); err != nil {
		t.Fatal(err)
	}
	suite, err := golden.Parse("extension", text.String(), tile.Dialect(utf.TT09))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range found {
		read, err := Vectors(t.Context(), utf.TT09, []driver.Job{{Vector: &suite.Vectors[i], File: "extension"}})
		if err != nil || !slices.Equal(read[0].Steps, f.Vector.Steps) {
			t.Fatalf("%+v, %v; want %+v", read, err, f.Vector.Steps)
		}
		end := f.Vector
		end.Steps, end.Want = end.Steps[:len(end.Steps)-1], end.Want[:len(end.Want)-1]
		shown, err := x.shown(t.Context(), f.Classes, []stuckat.Vector{read[0], end})
		if err != nil || slices.Contains(shown[0], false) || !slices.Contains(shown[1], false) {
			t.Errorf("%+v: %v, %v", f.Vector.Steps, shown, err)
		}
	}
}
