package fault

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// missed is false from the limit on, and true below nine tenths of it. TestChanceNearALimit tests the range in between.
func TestMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := time.Duration(rapid.IntRange(0, 1_000_000).Draw(t, "limit"))
		d := time.Duration(rapid.IntRange(0, 1_500_000).Draw(t, "time"))
		w := New(nil, nil, rapid.Uint64().Draw(t, "seed"))
		if d < limit && d >= limit-limit/bandPart { // random
			return
		}
		if got := w.missed(d, limit); got != (d < limit) {
			t.Fatalf("missed(%s, %s) = %v", d, limit, got)
		}
	})
}

func TestChanceNearALimit(t *testing.T) {
	const n, limit = 100_000, 1000
	w := New(nil, []Fault{{Kind: Slow}}, 1)
	for short, p := range map[time.Duration]float64{25: 1e-3, 50: 1e-2, 75: 1e-1, 100: 1} {
		missed := 0
		for range n {
			if w.missed(limit-short, limit) {
				missed++
			}
		}
		if sigma := math.Sqrt(n * p * (1 - p)); math.Abs(float64(missed)-n*p) > 6*sigma {
			t.Errorf("%d of %d were missed %d ns below the limit; want about %v", missed, n, short, n*p)
		}
	}
}
