package tile

import (
	"math/rand/v2"

	"utfbench/transport"
)

// Cabled is a tile with steps that tell wires from the chip: they send each line both levels, in each direction that it
// has.
type Cabled interface {
	Cable() []transport.Step
}

// Cable are the tile's steps that tell wires from the chip, or legal ones by chance.
func Cable(t Tile) []transport.Step {
	if c, ok := t.(Cabled); ok {
		return c.Cable()
	}
	return Chance(t, 600)
}

// Chance are n legal steps by chance after a reset, the same each time. The bench drives all of uio that the chip does
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
