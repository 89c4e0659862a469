package compare

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDeviants(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []int
		median float64
	}{
		{nil, nil, 0},
		{[]float64{1, 2, 3, 1000}, nil, 2.5}, // too few
		{[]float64{1, 2, 3, 4, 1000}, []int{4}, 3},
		{[]float64{41, 40, 42, 40.5, 20, 41.5, 90}, []int{4, 6}, 41},
		{[]float64{7, 7, 7, 7, 7}, nil, 7},
		{[]float64{10, 10, 10, 10, 10, 10, 11, 100}, []int{7}, 10}, // the median deviation is 0
		{[]float64{2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3}, []int{8, 9}, 2.45},
	} {
		far, median := deviants(c.values)
		var got []int
		for _, o := range far {
			got = append(got, o.Index)
		}
		if !slices.Equal(got, c.want) || math.Abs(median-c.median) > 1e-9 {
			t.Errorf("%v: %v, median %g; want %v and %g", c.values, far, median, c.want, c.median)
		}
	}
}

// The score is the book's: 0.6745 (x - median) / MAD.
func TestScore(t *testing.T) {
	far, _ := deviants([]float64{1, 2, 3, 4, 13}) // the deviations are 2, 1, 0, 1, 10
	if len(far) != 1 || math.Abs(far[0].Score-6.745) > 1e-9 {
		t.Errorf("%v", far)
	}
}

// Deviants are independent of scale and order. The half of the values nearest to the median has no outlier.
func TestOutliersOfAnyScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) }), 0,
			30).Draw(t, "values")
		far, median := deviants(values)
		if len(far) > len(values)/2 {
			t.Fatalf("%d of %d are outliers", len(far), len(values))
		}
		moved := make([]float64, len(values))
		for i, v := range values { // exactly, without rounding
			moved[len(values)-1-i] = 4*v - 512
		}
		again, middle := deviants(moved)
		if len(again) != len(far) || len(values) > 0 && middle != 4*median-512 {
			t.Fatalf("%v and %v, %g and %g", far, again, median, middle)
		}
		for i, o := range far {
			other := again[len(far)-1-i]
			if other.Index != len(values)-1-o.Index || math.Abs(other.Score-o.Score) > 1e-9*math.Abs(o.Score) ||
				math.Abs(o.Score) <= farOut || (o.Score > 0) != (values[o.Index] > median) {
				t.Fatalf("%v and %v", o, other)
			}
		}
	})
}

// A single distant value is found among enough values that are close together.
func TestOneIsFar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(99, 101), leastForOutliers-1, 30).Draw(t, "values")
		at := rapid.IntRange(0, len(values)).Draw(t, "at")
		values = slices.Insert(values, at, rapid.SampledFrom([]float64{-1e6, 1e6}).Draw(t, "far"))
		far, _ := deviants(values)
		if len(far) == 0 || !slices.ContainsFunc(far, func(o deviant) bool { return o.Index == at }) {
			t.Fatalf("%v: %v", values, far)
		}
	})
}
