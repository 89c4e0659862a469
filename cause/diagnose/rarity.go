package diagnose

import "utfbench/fault"

// Rare is the rarity of the rarest faults, and of several together.
const Rare = 2

// Rarity orders hypotheses with the same effect: first a chip, and a single line cut or stuck; then two neighbours that
// touch or are swapped, or two lines swapped in one port; then the rest.
func Rarity(h Hypothesis) int {
	faults := FaultsOf(h)
	switch len(faults) {
	case 0: // a chip
		return 0
	case 1:
	default:
		return Rare
	}
	switch f := faults[0]; f.Kind {
	case fault.Stuck, fault.Cut, fault.Register:
		return 0
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr:
		if max(f.A, f.B)-min(f.A, f.B) == 1 || f.Kind == fault.Swapped && f.A/8 == f.B/8 {
			return 1
		}
	}
	return Rare
}
