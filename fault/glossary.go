package fault

import (
	_ "embed"
	"strings"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explains the kinds of faults.
func Words() glossary.Group { return glossary.Parse("Faults, for --fault", "a kind of fault", words) }

// Word returns the name of the fault's kind, as in Words.
func (f Fault) Word() string {
	switch f.Kind {
	case Stuck, Register:
		return "stuck-at"
	case Swapped:
		return "swapped"
	case BridgeAnd, BridgeOr:
		return "shorted"
	case Slow:
		return "fmax"
	}
	word, _, _ := strings.Cut(f.what(""), ":")
	return word
}

// Places returns the fault's lines, or its register bit.
func (f Fault) Places() (all []string) {
	if f.Kind == Register {
		return []string{f.Bit}
	}
	for i, line := range Lines {
		if f.lines()>>i&1 != 0 {
			all = append(all, line)
		}
	}
	return all
}
