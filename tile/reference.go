package tile

import "strings"

// OfSources begins the revision of a tile whose reference is the gates of its RTL; the digest of what they were made of
// follows.
const OfSources = "rtl-"

// OfGates begins the revision of a tile whose reference is its gates; the digest of its netlist follows.
const OfGates = "gates-"

// HasModel reports whether the reference of a revision is a model in this program, and not its author's Verilog or its
// gates.
func HasModel(revision string) bool {
	return !strings.HasPrefix(revision, OfSources) && !strings.HasPrefix(revision, OfGates)
}

// ReferenceOf is the reference of a revision in words, which may be "" for a tile that has one alone.
func ReferenceOf(revision string) string {
	switch {
	case revision == "":
		return "the model"
	case HasModel(revision):
		return "the " + revision + " model"
	case strings.HasPrefix(revision, OfGates):
		return "the netlist " + revision
	}
	return "the gates of the Verilog " + revision
}
