package driver

import "math"

// Quantiles of the normal distribution, by the probability between them.
const (
	z95  = 1.959963984540054
	z999 = 3.290526731491926
)

// Wilson returns the 95 % score interval of a rate, from k of n trials. It stays within 0 and 1, and has a width even
// if k is 0 or n. Without trials it is 0 to 1.
func Wilson(k, n int) (low, high float64) { return wilson(k, n, z95) }

// exceeds reports whether the rate exceeds another beyond doubt: their 99.9 % intervals are disjoint. The test is
// strict since a run compares dozens of pairs.
func (r Rate) exceeds(o Rate) bool {
	low, _ := wilson(r.Wrong, r.Steps, z999)
	_, high := wilson(o.Wrong, o.Steps, z999)
	return low > high
}

func wilson(k, n int, z float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	low, high = max(0, middle-half), min(1, middle+half)
	if k == 0 {
		low = 0 // without rounding errors
	}
	if k == n {
		high = 1
	}
	return low, high
}
