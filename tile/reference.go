package tile

import (
	"strings"

	"utfbench/transport"
)

// RTLPrefix prefixes the revision of a tile with RTL gates as its reference; the digest of the sources follows.
const RTLPrefix = "rtl-"

// GatesPrefix prefixes the revision of a tile with gates as its reference; the digest of its netlist follows.
const GatesPrefix = "gates-"

// HasModel reports whether the reference of a revision is a model in this program, not its author's Verilog or gates.
func HasModel(revision string) bool {
	return !strings.HasPrefix(revision, RTLPrefix) && !strings.HasPrefix(revision, GatesPrefix)
}

// ReferenceOf describes the reference of a revision, which is "" for a tile with only one.
func ReferenceOf(revision string) string {
	switch {
	case revision == "":
		return "the model"
	case HasModel(revision):
		return "the " + revision + " model"
	case strings.HasPrefix(revision, GatesPrefix):
		return "the netlist " + revision
	}
	return "the gates of the Verilog " + revision
}

// ReferenceSource returns the author's part from which the reference of this revision is made, or "" for a model.
func ReferenceSource(revision string) string {
	switch {
	case strings.HasPrefix(revision, RTLPrefix):
		return "the Verilog"
	case strings.HasPrefix(revision, GatesPrefix):
		return "the netlist"
	}
	return ""
}

// lent is a tile with another reference: a good chip's recording, or none. It forwards the original
// tile's names and words, and its uio directions at each step.
type lent struct{ Tile }

// Own returns the tile itself.
func (l lent) Own() Tile { return l.Tile }

// Original returns the original tile of one with a replaced reference, or t itself.
func Original(t Tile) Tile {
	if l, lent := t.(interface{ Own() Tile }); lent {
		return l.Own()
	}
	return t
}

// Netlisted is a tile that a model judges, and that has a netlist of the same logic, in which faults are simulated.
type Netlisted interface {
	// Netlist returns the text of the netlist, or "".
	Netlist() string
}

func (l lent) Inputs() []string { return InputNames(l.Tile) }

func (l lent) Outputs(ui uint8) []string { return OutputNames(l.Tile, ui) }

func (l lent) Bus() []string { return BusNames(l.Tile) }

func (l lent) Operation(s transport.Step) string { return Operation(l.Tile, s) }

func (l lent) Describe(s transport.Step) string { return Describe(l.Tile, s) }

func (l lent) ResetStep() transport.Step { return ResetStep(l.Tile) }

// Others implements Tile: other revisions are not compared.
func (lent) Others() []Tile { return nil }

// unreferenced is a tile without a reference.
type unreferenced struct{ lent }

// WithoutReference returns the tile without its reference, so that only the vectors have expectations.
func WithoutReference(t Tile) Tile { return unreferenced{lent{t}} }

func (unreferenced) New() Reference { return SilentReference{} }
