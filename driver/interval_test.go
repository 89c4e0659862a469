package driver

import (
	"math"
	"testing"
	"utfbench/tile"

	"pgregory.net/rapid"
)

// The values are from Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
// (1998), table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
		{20, 20, 0.8389, 1}, {0, 0, 0, 1},
	} {
		low, high := tile.Wilson(c.k, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f; want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

func TestWilsonHoldsTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1e6).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		low, high := tile.Wilson(k, n)
		if p := float64(k) / float64(n); !(0 <= low && low <= p && p <= high && high <= 1) {
			t.Fatalf("%d of %d: %g to %g", k, n, low, high)
		}
		if l, h := tile.Wilson(n-k, n); math.Abs(l-(1-high)) > 1e-9 || math.Abs(h-(1-low)) > 1e-9 {
			t.Fatalf("%d of %d is not the mirror of %d", n-k, n, k)
		}
	})
}
