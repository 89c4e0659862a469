package fault

import (
	_ "embed"
	"strings"
)

// forms lists the spellings of a fault of one line; pairs lists the spellings of a fault of two lines.
var (
	forms = []string{"=stuck0", "=stuck1", "=inverted", "=late", "=open", "=open:low", "=open:high", "=open:keep",
		"=open:random", "=flip:0.001", "=setup:40ns", "=hold:30ns", "=delay:25ns", "=delay:25ns:2ns"}
	pairs = [][2]string{{"<>", ""}, {"~", "=and"}, {"~", "=or"}}
)

func (b BitNames) examples() (all []string) {
	try := func(s string) {
		if _, err := b.parse(s); err == nil {
			all = append(all, s)
		}
	}
	for _, line := range Lines {
		for _, form := range forms {
			try(line + form)
		}
	}
	for _, bit := range b {
		try(bit + forms[0])
		try(bit + forms[1])
	}
	for _, one := range Lines {
		for _, other := range Lines {
			for _, p := range pairs {
				try(one + p[0] + other + p[1])
			}
		}
	}
	return append(all, "fmax=10MHz")
}

// Glossary explains the kinds of faults; see cli.Book.
//
//go:embed words.txt
var Glossary string

// GlossaryTerm returns the name of the fault's kind, as in Glossary.
func (f Fault) GlossaryTerm() string {
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
