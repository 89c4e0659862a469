// Package against replaces a tile's reference: by a good chip's recording, by a simulation, or by none, so that only
// the vectors' expectations are compared.
package against

import (
	"utfbench/tile"
	"utfbench/transport"
)

// lent forwards the original tile's names and words, and its uio directions at each step.
type lent struct{ tile.Tile }

// Own returns the tile itself.
func (l lent) Own() tile.Tile { return l.Tile }

// Own returns the original tile of one with a replaced reference, or t itself.
func Own(t tile.Tile) tile.Tile {
	if l, lent := t.(interface{ Own() tile.Tile }); lent {
		return l.Own()
	}
	return t
}

// Inputs implements tile.Namer.
func (l lent) Inputs() []string { return tile.InNames(l.Tile) }

// Outputs implements tile.Namer.
func (l lent) Outputs(ui uint8) []string { return tile.OutNames(l.Tile, ui) }

// Act implements tile.Speaker.
func (l lent) Act(s transport.Step) string { return tile.Act(l.Tile, s) }

// Describe implements tile.Speaker.
func (l lent) Describe(s transport.Step) string { return tile.Describe(l.Tile, s) }

// ResetStep implements tile.Resetter.
func (l lent) ResetStep() transport.Step { return tile.Reset(l.Tile) }

// Others implements tile.Tile: other revisions are not compared.
func (lent) Others() []tile.Tile { return nil }

// Vectors is a tile without a reference: only the vectors have expectations.
type Vectors struct{ lent }

// NewVectors returns the tile without its reference.
func NewVectors(t tile.Tile) Vectors { return Vectors{lent{t}} }

// New implements tile.Tile.
func (Vectors) New() tile.Reference { return tile.Silent{} }
