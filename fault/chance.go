package fault

import (
	"fmt"
	"slices"
	"strings"
)

// byChance reports whether the fault acts at random without a seed of its own.
func (f Fault) byChance() bool {
	switch f.Kind {
	case Setup, Hold, Slow:
		return true
	case Delay:
		return f.Jitter > 0
	case Flip:
		return !f.HasSeed
	case Cut:
		return f.Loose == Random && !f.HasSeed
	}
	return false
}

// ByChance reports whether any of the faults depends on the seed.
func ByChance(faults []Fault) bool { return slices.ContainsFunc(faults, Fault.byChance) }

// Describe formats faults on one line, with the seed if they depend on it: chips with equal text behave alike.
func Describe(faults []Fault, seed uint64) string {
	var words []string
	for _, f := range faults {
		words = append(words, f.String())
	}
	if ByChance(faults) {
		words = append(words, fmt.Sprintf("seed %d", seed))
	}
	return strings.Join(words, " ")
}
