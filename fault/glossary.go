package fault

import (
	_ "embed"
	"strings"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explain the kinds of faults.
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

// Places returns the lines, or the register bit, of the fault.
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
