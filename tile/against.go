package tile

import "utfbench/transport"

// lent is a tile with another reference: a good chip's recording, a simulation, or none. It forwards the original
// tile's names and words, and its uio directions at each step.
type lent struct{ Tile }

// Own returns the tile itself.
func (l lent) Own() Tile { return l.Tile }

// Own returns the original tile of one with a replaced reference, or t itself.
func Own(t Tile) Tile {
	if l, lent := t.(interface{ Own() Tile }); lent {
		return l.Own()
	}
	return t
}

func (l lent) Inputs() []string { return InNames(l.Tile) }

func (l lent) Outputs(ui uint8) []string { return OutNames(l.Tile, ui) }

func (l lent) Act(s transport.Step) string { return Act(l.Tile, s) }

func (l lent) Describe(s transport.Step) string { return Describe(l.Tile, s) }

func (l lent) ResetStep() transport.Step { return Reset(l.Tile) }

// Others implements Tile: other revisions are not compared.
func (lent) Others() []Tile { return nil }

// unreferenced is a tile without a reference.
type unreferenced struct{ lent }

// WithoutReference returns the tile without its reference, so that only the vectors have expectations.
func WithoutReference(t Tile) Tile { return unreferenced{lent{t}} }

func (unreferenced) New() Reference { return Silent{} }
