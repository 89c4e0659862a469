package utf_test

import (
	"testing"

	"pgregory.net/rapid"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// scopes lists one scope of each space, with a small depth.
var scopes = []tile.Scope{{Space: "codepoints"}, {Space: "bytes"}, {Space: "ops", Depth: 4}}

// Every case begins with a reset, is legal and not too long, and leaves earlier steps unchanged.
func TestCasesAreSound(t *testing.T) {
	for _, scope := range scopes {
		space, err := utf.TT09.Space(scope)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			block := rapid.IntRange(0, space.Blocks()-1).Draw(t, "block")
			i := rapid.IntRange(0, space.Cases(block)-1).Draw(t, "case")
			before := []transport.Step{{In: 0x5A}}
			steps := space.Append(before, block, i)
			if steps[0] != before[0] || len(steps) > 1+transport.MaxSeriesSteps || !steps[1].Reset ||
				steps[1].Clocks != 1 {
				t.Fatalf("%s: %s has %d steps and begins with %+v", scope.Space, space.Case(block, i),
					len(steps)-1, steps[:2])
			}
			if err := utf.TT09.Lint(steps[1:]); err != nil {
				t.Fatalf("%s: %s: %v", scope.Space, space.Case(block, i), err)
			}
		})
	}
}
