package tile

import (
	"strings"

	"utfbench/transport"
)

// RTLPrefix begins the revision of a tile whose reference is synthesised from RTL; a digest of the sources follows.
const RTLPrefix = "rtl-"

// GatesPrefix begins the revision of a tile whose reference is a netlist; a digest of the netlist follows.
const GatesPrefix = "gates-"

// HasModel reports whether the reference of a revision is a model in this program, not the author's Verilog or gates.
func HasModel(revision string) bool {
	return !strings.HasPrefix(revision, RTLPrefix) && !strings.HasPrefix(revision, GatesPrefix)
}

// DescribeReference describes the reference of a revision; revision is "" for a tile with only one.
func DescribeReference(revision string) string {
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

// ReferenceSource names the author's input from which this revision's reference is made; it is "" for a model.
func ReferenceSource(revision string) string {
	switch {
	case strings.HasPrefix(revision, RTLPrefix):
		return "the Verilog"
	case strings.HasPrefix(revision, GatesPrefix):
		return "the netlist"
	}
	return ""
}

// unreferenced is a tile without its reference. It keeps the tile's names, words and uio directions.
type unreferenced struct{ Tile }

// WithoutReference returns the tile without its reference, so that only the vectors' own expectations are compared.
func WithoutReference(t Tile) Tile { return unreferenced{t} }

// WithReference undoes WithoutReference. It returns any other tile unchanged.
func WithReference(t Tile) Tile {
	if u, is := t.(unreferenced); is {
		return u.Tile
	}
	return t
}

// NetlistTile is a tile with a model as its reference, and with an equivalent netlist in which faults are simulated.
type NetlistTile interface {
	// Netlist returns the text of the netlist, or "".
	Netlist() string
}

func (u unreferenced) Inputs() []string { return InputNames(u.Tile) }

func (u unreferenced) Outputs(ui uint8) []string { return OutputNames(u.Tile, ui) }

func (u unreferenced) BusNames() []string { return BusNames(u.Tile) }

func (u unreferenced) Operation(s transport.Step) string { return Operation(u.Tile, s) }

func (u unreferenced) Describe(s transport.Step) string { return Describe(u.Tile, s) }

func (u unreferenced) ResetStep() transport.Step { return ResetStep(u.Tile) }

// Others implements Tile: other revisions are not compared.
func (unreferenced) Others() []Tile { return nil }

func (unreferenced) New() Reference { return SilentReference{} }
