package utf

import (
	"strings"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/tile"
)

// SpaceNames returns the names of the spaces, the default first.
func SpaceNames() []string { return []string{"codepoints", "bytes", "values", "ops"} }

// SettleScope clears fields of a scope that its space does not use, unless the user gave their flags, so that
// Tile.Space can report them. A space with random values gets the seed.
func SettleScope(s tile.Scope, seed uint64, given func(flag string) bool) tile.Scope {
	if s.Space != "ops" && !given("depth") {
		s.Depth = 0
	}
	if s.Space == "values" {
		s.Seed = seed
	} else if !given("values") {
		s.Values = 0
	}
	return s
}

// Space implements tile.Swept; the error lists the allowed values.
func (t Tile) Space(s tile.Scope) (tile.Space, error) {
	if s.Space != "ops" && s.Depth != 0 {
		return nil, failure.Usagef("a depth is for the space ops, not for %s", s.Space)
	}
	if s.Space != "values" && (s.Values != 0 || s.Seed != 0) {
		return nil, failure.Usagef("a number of values and a seed are for the space values, not for %s", s.Space)
	}
	switch s.Space {
	case "codepoints":
		return newPoints(), nil
	case "bytes":
		return newTree(model.Revision(t)), nil
	case "values":
		return newValues(s.Values, s.Seed)
	case "ops":
		return newOps(s.Depth)
	}
	return nil, failure.Usagef("space %q: allowed are %s", s.Space, strings.Join(SpaceNames(), ", "))
}
