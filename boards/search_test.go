package boards

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// match finds exactly the designs whose name or repository contains the text.
func TestMatchParts(t *testing.T) {
	designs := Shuttles().Designs()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(designs).Draw(t, "design").Name
		from := rapid.IntRange(0, len(name)-1).Draw(t, "from")
		part := name[from:rapid.IntRange(from+1, len(name)).Draw(t, "to")]
		found := match(designs, strings.ToUpper(part))
		fits := map[Design]bool{}
		for _, d := range found {
			fits[d] = true
		}
		for _, d := range designs {
			if has := strings.Contains(strings.ToLower(d.Name+"\n"+d.Repo), strings.ToLower(part)); has != fits[d] {
				t.Fatalf("%q: %+v found %v; want %v", part, d, fits[d], has)
			}
		}
	})
}
