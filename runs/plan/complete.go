package plan

import (
	"strings"

	"utfbench/golden"
	"utfbench/internal/printable"
)

// CompleteSuite proposes suites for the part after the last comma, each with a description.
func CompleteSuite(suites []*golden.Suite, typed string) (all [][2]string) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	for _, s := range suites {
		all = append(all, [2]string{before + s.Name, printable.Count(len(s.Vectors), "vector") + ", " + s.File})
	}
	return all
}

// CompleteVector proposes the next part of vector names, up to the next slash, since there are thousands; more reports
// that the proposals are incomplete names.
func CompleteVector(suites []*golden.Suite, typed string) (all [][2]string, more bool) {
	last := ""
	for _, s := range suites {
		for i := range s.Vectors {
			rest, ok := strings.CutPrefix(s.Vectors[i].Name, typed)
			if !ok {
				continue
			}
			if part, _, cut := strings.Cut(rest, "/"); cut {
				rest, more = part+"/", true
			}
			if name := typed + rest; name != last {
				last, all = name, append(all, [2]string{name})
			}
		}
	}
	return all, more
}
