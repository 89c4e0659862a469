package fault

import (
	"fmt"
	"slices"
	"strings"
)

// byChance says whether a seed has a part in how the fault acts, and the fault has none of its own.
func (f Fault) byChance() bool {
	switch f.Kind {
	case Setup, Slow:
		return true
	case Flip:
		return !f.HasSeed
	case Cut:
		return f.Loose == Random && !f.HasSeed
	}
	return false
}

// ByChance says whether a seed has a part in how faults act.
func ByChance(faults []Fault) bool { return slices.ContainsFunc(faults, Fault.byChance) }

// Describe writes faults on one line, with the seed where it has a part in how they act: chips with equal faults answer
// alike.
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
