package compare

import (
	"math"
	"slices"
)

// leastForOutliers is the minimum number of values for finding outliers; with fewer the median is too uncertain.
const leastForOutliers = 5

// farOut is the modified z-score above which a value is an outlier: Iglewicz and Hoaglin, "How to Detect and Handle
// Outliers" (ASQC 1993), section 3.3; also in the NIST Engineering Statistics Handbook, 1.3.5.17.
const farOut = 3.5

// These factors turn the median, or the mean, of the absolute deviations from the median into a standard deviation of
// normally distributed values. The second applies if more than half of the values are equal, as in the documentation of
// IBM's Cognos Analytics under "Modified z score".
const (
	ofMedian = 1 / 0.6745
	ofMean   = 1.253314
)

// A deviant is a value far from the median.
type deviant struct {
	Index int     // among the values
	Score float64 // modified z-score: the distance from the median in standard deviations, negative below it
}

// deviants returns the values far from the median, in their order, and the median. With fewer than [leastForOutliers]
// values it returns none. All values must be finite.
func deviants(values []float64) (far []deviant, median float64) {
	if len(values) == 0 {
		return nil, 0
	}
	median = middle(values)
	if len(values) < leastForOutliers {
		return nil, median
	}
	deviations := make([]float64, len(values))
	sum := 0.0
	for i, v := range values {
		deviations[i] = math.Abs(v - median)
		sum += deviations[i]
	}
	deviation := ofMedian * middle(deviations)
	if deviation == 0 {
		deviation = ofMean * sum / float64(len(values))
	}
	for i, v := range values {
		if score := (v - median) / deviation; math.Abs(score) > farOut { // NaN if all are equal
			far = append(far, deviant{i, score})
		}
	}
	return far, median
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return sorted[(n-1)/2] + (sorted[n/2]-sorted[(n-1)/2])/2
}
