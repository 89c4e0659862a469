// Package space holds the cases of a sweep of the UTF chip: every code point in every pairing of forms, every UTF-8
// input of up to four bytes, all boundary values and random ones, and every short sequence of operations.
//
// points.go, bytes.go, values.go and ops.go are the spaces; case.go builds their steps, and counted.go the series for
// a far end that generates steps.
package space

import (
	"strings"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/tile"
)

// Names returns the names of the spaces, the default first.
func Names() []string { return []string{"codepoints", "bytes", "values", "ops"} }

// Settle clears fields of a scope that its space does not use, unless the user gave their flags, so that Open can
// report them. A space with random values gets the seed.
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

// Open opens a space for a revision; the error lists the allowed values.
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
