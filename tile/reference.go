package tile

import "strings"

// OfSources prefixes the revision of a tile with RTL gates as its reference; the digest of the sources follows.
const OfSources = "rtl-"

// OfGates prefixes the revision of a tile with gates as its reference; the digest of its netlist follows.
const OfGates = "gates-"

// Assuming precedes each macro that a revision assumes, and its place: rtl-0123456789+WIDTH=8(test/Makefile:3).
const Assuming = "+"

// Assumed returns the macros that a revision assumes, or "".
func Assumed(revision string) string {
	_, macros, _ := strings.Cut(revision, Assuming)
	return macros
}

// HasModel reports whether the reference of a revision is a model in this program, not its author's Verilog or gates.
func HasModel(revision string) bool {
	return !strings.HasPrefix(revision, OfSources) && !strings.HasPrefix(revision, OfGates)
}

// ReferenceOf describes the reference of a revision, which is "" for a tile with only one.
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

// Author returns the author's part from which the reference of this revision is made, or "" for a model.
func Author(revision string) string {
	switch {
	case strings.HasPrefix(revision, OfSources):
		return "the Verilog"
	case strings.HasPrefix(revision, OfGates):
		return "the netlist"
	}
	return ""
}
