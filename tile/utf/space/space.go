// Package space holds what a sweep of the UTF chip goes through: every code point in every pairing of forms, every
// UTF-8 input of up to four bytes, values by chance with all boundaries, and every short sequence of operations.
//
// points.go, bytes.go, values.go and ops.go are the spaces; case.go builds the steps that they share, and counted.go
// the series that a far end can make itself.
package space

import (
	"strings"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/tile"
)

// Names names them, the default first.
func Names() []string { return []string{"codepoints", "bytes", "values", "ops"} }

// Settle leaves out of a scope what its space has no use for, unless a user gave it, by the flag's name, so that Open
// can say so. A space that draws values has the seed.
func Settle(s tile.Scope, seed uint64, given func(flag string) bool) tile.Scope {
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

// Open opens a space for a revision; the error lists what is allowed.
func Open(s tile.Scope, rev model.Revision) (tile.Space, error) {
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
		return newTree(rev), nil
	case "values":
		return newValues(s.Values, s.Seed)
	case "ops":
		return newOps(s.Depth)
	}
	return nil, failure.Usagef("space %q: allowed are %s", s.Space, strings.Join(Names(), ", "))
}
