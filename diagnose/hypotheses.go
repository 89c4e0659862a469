package diagnose

import (
	"strings"

	"utfbench/model"
	"utfbench/transport/mock"
)

// All kinds that a hypothesis can be of.
var onALine = []string{"stuck0", "stuck1", "open", "open:low", "open:high", "open:keep", "inverted", "late"}

// Wires are the hypotheses of one fault in the wires: each line stuck, open, inverted or late, each two swapped or bridged.
func Wires(rev model.Revision) (hs []Hypothesis) {
	for _, line := range mock.Lines {
		for _, what := range onALine {
			if what != "late" || strings.HasPrefix(line, "uo") || strings.HasPrefix(line, "uio") {
				hs = append(hs, one(rev, line+"="+what))
			}
		}
	}
	for i, a := range mock.Lines {
		for _, b := range mock.Lines[i+1:] {
			hs = append(hs, one(rev, a+"<>"+b), one(rev, a+"~"+b+"=and"), one(rev, a+"~"+b+"=or"))
		}
	}
	return hs
}

// Chips are the hypotheses of a chip that is wrong, or of the other revision: each register bit stuck.
func Chips(rev model.Revision) []Hypothesis {
	hs := []Hypothesis{{Revision: rev.Other()}}
	for _, bit := range mock.RegisterBits {
		hs = append(hs, one(rev, bit+"=stuck0"), one(rev, bit+"=stuck1"))
	}
	return hs
}

func one(rev model.Revision, text string) Hypothesis {
	f, err := mock.ParseFault(text)
	if err != nil {
		panic(err) // a mistake in this file
	}
	return Hypothesis{[]mock.Fault{f}, rev}
}
