package cells

import "math/bits"

// without clears the bits of another set.
func without(set, other []uint64) {
	for k := range set {
		set[k] &^= other[k]
	}
}

// common counts the bits of both.
func common(a, b []uint64) (n int) {
	for k := range a {
		n += bits.OnesCount64(a[k] & b[k])
	}
	return n
}

// bitsOf calls do for each bit of a set, and reports whether all calls returned true.
func bitsOf(set []uint64, do func(bit int) bool) bool {
	all := true
	for k, x := range set {
		for ; x != 0; x &= x - 1 {
			all = do(64*k+bits.TrailingZeros64(x)) && all
		}
	}
	return all
}
