package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// stepsOfAll is the number of steps in a vector of all inputs.
const stepsOfAll = 1024

// allInputs returns all possible steps of a tile without state, if there are few enough.
func allInputs(t tile.Tile) []transport.Step {
	e, is := t.(tile.Enumerable)
	if !is {
		return nil
	}
	return e.AllInputs()
}

// exhaustive returns a suite of all inputs of a tile.
func exhaustive(t tile.Tile, steps []transport.Step) (*golden.Suite, error) {
	return suite(t, "exhaustive", "all inputs", slices.Collect(slices.Chunk(steps, stepsOfAll)))
}

// wired returns a suite of the wiring check's steps for a tile without gates; nil for others.
func wired(ctx context.Context, t tile.Tile) (*golden.Suite, error) {
	if gates.TileOf(t) != nil {
		return nil, nil
	}
	steps, err := tile.WiringSteps(ctx, t)
	if err != nil {
		return nil, err
	}
	return suite(t, "wiring", "the wiring check's steps", [][]transport.Step{steps[1:]})
}

func suite(t tile.Tile, name, title string, vectors [][]transport.Step) (*golden.Suite, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "suite %s\n\ndocument all\nsection %q\n", name, title)
	for i, steps := range vectors {
		golden.WriteVector(&b, i, title, steps)
	}
	return golden.Parse(name, b.String(), tile.Dialect(t))
}
