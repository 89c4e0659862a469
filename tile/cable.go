package tile

import (
	"math/rand/v2"

	"utfbench/transport"
)

// Cabled is a tile with steps that separate faults of wires from those of the chip: they send each line both levels, in
// each direction that it has.
type Cabled interface {
	Cable() []transport.Step
}

// Cable gives the tile's steps for the wiring check, or random legal steps if it has none.
func Cable(t Tile) []transport.Step {
	if c, ok := t.(Cabled); ok {
		return c.Cable()
	}
	return Chance(t, 600)
}

// Chance gives n random legal steps after a reset, the same each time. The bench drives all of uio that the chip does
// not.
func Chance(t Tile, n int) []transport.Step {
	rng := rand.New(rand.NewPCG(1, 1))
	steps := []transport.Step{Reset(t)}
	for len(steps) < n {
		s := transport.Step{In: uint8(rng.Uint32()), Clocks: uint8(rng.IntN(2)), Reset: rng.IntN(20) == 0}
		if s.Drive = ^t.Drives(s); s.Drive != 0 {
			s.IO = uint8(rng.Uint32()) & s.Drive
		}
		steps = append(steps, s)
	}
	return steps
}
