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

// stepsOfAll is the number of steps in each vector of ExhaustiveSuite.
const stepsOfAll = 1024

// ExhaustiveSuite returns a suite of all inputs of a tile without state, or nil if it has state or too many inputs.
func ExhaustiveSuite(t tile.Tile) (*golden.Suite, error) {
	e, is := t.(tile.Enumerable)
	if !is {
		return nil, nil
	}
	steps := e.AllInputs()
	if len(steps) == 0 {
		return nil, nil
	}
	return suite(t, "exhaustive", "all inputs", slices.Collect(slices.Chunk(steps, stepsOfAll)))
}

// wired returns a suite of the wiring check's steps for a tile without gates, or nil for a tile with gates.
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
	fmt.Fprintf(&b, "suite %s\n\ndocument %s\nsection %q\n", name, title, name)
	for i, steps := range vectors {
		golden.WriteVector(&b, i, fmt.Sprint("vector ", i+1), steps)
	}
	return golden.Parse(tile.GeneratedFile, b.String(), tile.Dialect(t))
}
