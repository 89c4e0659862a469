package layout

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// inside says whether a square of 1 nm is in one of the rectangles, and refuses that it is in two.
func inside(t *testing.T, rects []rect, x, y int) bool {
	t.Helper()
	n := 0
	for _, r := range rects {
		if r.low.x <= x && x < r.high.x && r.low.y <= y && y < r.high.y {
			n++
		}
	}
	if n > 1 {
		t.Fatalf("%d, %d is in %d of %v", x, y, n, rects)
	}
	return n == 1
}

// Polygons with right angles become rectangles that cover them, once.
func TestRectangles(t *testing.T) {
	for name, c := range map[string]struct {
		polygon string // corners, as digits xy
		area    int
	}{
		"a rectangle":                    {"00 50 53 03 00", 15},
		"an L":                           {"00 50 52 22 25 05 00", 16},
		"a U":                            {"00 60 65 45 42 22 25 05 00", 24},
		"without the first corner again": {"00 50 53 03", 15},
		"a slope":                        {"00 55 50", 0},
		"a line":                         {"00 50 00", 0},
	} {
		var polygon []point
		for i := 0; i < len(c.polygon); i += 3 {
			polygon = append(polygon, point{int(c.polygon[i] - '0'), int(c.polygon[i+1] - '0')})
		}
		rects, area := rectangles(polygon), 0
		for x := range 10 {
			for y := range 10 {
				if inside(t, rects, x, y) {
					area++
				}
			}
		}
		if area != c.area {
			t.Errorf("%s: %d of %d", name, area, c.area)
		}
	}
}

// A path is as wide as it says, and as long as its ends say.
func TestWires(t *testing.T) {
	bent := []point{{0, 0}, {100, 0}, {100, 50}}
	got := wires(bent, 20, 0)
	if want := []rect{{point{0, -10}, point{110, 10}}, {point{90, -10}, point{110, 50}}}; !slices.Equal(got, want) {
		t.Error(got)
	}
	got = wires(bent, 20, 2)
	if want := []rect{{point{-10, -10}, point{110, 10}}, {point{90, -10}, point{110, 60}}}; !slices.Equal(got, want) {
		t.Error(got)
	}
	if wires([]point{{0, 0}, {5, 5}}, 4, 0) != nil || wires(bent, 0, 0) != nil {
		t.Error("a slope, or a line, is a wire")
	}
}

// A transform within another one moves a point as both do, one after the other.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	any := func() transform {
		return transform{mirrored: r.IntN(2) == 1, degrees: float64(90 * r.IntN(4)), mag: 1,
			to: point{r.IntN(99), r.IntN(99)}}
	}
	for range 200 {
		inner, outer, p := any(), any(), point{r.IntN(99), r.IntN(99)}
		both := inner.within(&outer)
		if got, want := both.point(p), outer.point(inner.point(p)); got != want {
			t.Fatalf("%v within %v: %v, not %v", inner, outer, got, want)
		}
	}
}

// Numbers of GDSII, by its manual: 1 is 4110..., -1 is C110..., 0.001 is 3E41...
func TestReal8(t *testing.T) {
	for want, b := range map[float64][]byte{
		1: {0x41, 0x10, 0, 0, 0, 0, 0, 0}, -1: {0xC1, 0x10, 0, 0, 0, 0, 0, 0}, 0: make([]byte, 8),
		90: {0x42, 0x5A, 0, 0, 0, 0, 0, 0}, 0.001: {0x3E, 0x41, 0x89, 0x37, 0x4B, 0xC6, 0xA7, 0xF0},
	} {
		if got := real8(b); got-want > 1e-15 || want-got > 1e-15 {
			t.Errorf("%x is %g, not %g", b, got, want)
		}
	}
}
