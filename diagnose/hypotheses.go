package diagnose

import (
	"strings"

	"utfbench/fault"
	"utfbench/model"
	"utfbench/model/wired"
)

// All kinds that a hypothesis can be of.
var onALine = []string{"stuck0", "stuck1", "open", "open:low", "open:high", "open:keep", "inverted", "late"}

// Wires are the hypotheses of one fault in the wires: each line stuck, open, inverted or late, each two swapped or bridged.
func Wires(rev model.Revision) (hs []Hypothesis) {
	for _, line := range fault.Lines {
		for _, what := range onALine {
			if what != "late" || strings.HasPrefix(line, "uo") || strings.HasPrefix(line, "uio") {
				hs = append(hs, MustFault(rev, line+"="+what))
			}
		}
	}
	for i, a := range fault.Lines {
		for _, b := range fault.Lines[i+1:] {
			hs = append(hs, MustFault(rev, a+"<>"+b), MustFault(rev, a+"~"+b+"=and"), MustFault(rev, a+"~"+b+"=or"))
		}
	}
	return hs
}

// Chips are the hypotheses of a chip that is wrong, or of the other revision: each register bit stuck.
func Chips(rev model.Revision) []Hypothesis {
	hs := []Hypothesis{Right{rev.Other()}}
	for _, bit := range wired.Bits {
		hs = append(hs, MustFault(rev, bit+"=stuck0"), MustFault(rev, bit+"=stuck1"))
	}
	return hs
}
