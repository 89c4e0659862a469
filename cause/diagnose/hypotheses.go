package diagnose

import (
	"strings"

	"utfbench/fault"
	"utfbench/tile"
)

// faultsOfLine lists the faults tried on each line.
var faultsOfLine = []string{"stuck0", "stuck1", "open", "open:low", "open:high", "open:keep", "inverted", "late"}

// Wires returns the hypotheses of one wire fault: each line stuck, open, inverted or late, each pair swapped or
// bridged.
func Wires(t tile.Tile) (hs []Hypothesis) {
	for _, line := range fault.Lines {
		for _, what := range faultsOfLine {
			if what != "late" || strings.HasPrefix(line, "uo") || strings.HasPrefix(line, "uio") {
				hs = append(hs, MustFault(t, line+"="+what))
			}
		}
	}
	for i, a := range fault.Lines {
		for _, b := range fault.Lines[i+1:] {
			hs = append(hs, MustFault(t, a+"<>"+b), MustFault(t, a+"~"+b+"=and"), MustFault(t, a+"~"+b+"=or"))
		}
	}
	return hs
}

// Chips returns the hypotheses of a faulty chip: each register bit stuck, and the other revisions.
func Chips(t tile.Tile) (hs []Hypothesis) {
	for _, other := range t.Others() {
		hs = append(hs, RightChip{other})
	}
	for _, bit := range tile.Bits(t) {
		hs = append(hs, MustFault(t, bit+"=stuck0"), MustFault(t, bit+"=stuck1"))
	}
	return hs
}
