package plan

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
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
	var b strings.Builder
	fmt.Fprintf(&b, "suite exhaustive\n\ndocument all\nsection \"%d inputs\"\n", len(steps))
	i := 0
	for part := range slices.Chunk(steps, stepsOfAll) {
		golden.WriteVector(&b, i, "all inputs", part)
		i++
	}
	return golden.Parse("exhaustive", b.String(), tile.Dialect(t))
}

// machine returns a suite of all inputs in each state of a tile that is a small state machine; nil for others.
func machine(t tile.Tile) (*golden.Suite, error) {
	g, is := tile.Own(t).(*gates.Tile)
	if !is {
		return nil, nil
	}
	tour := grade.Tour(g)
	if len(tour) == 0 {
		return nil, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "suite states\n\ndocument all\nsection \"all inputs in each state\"\n")
	for i := range tour {
		golden.WriteVector(&b, i, "all inputs in each state", tour[i].Steps[1:])
	}
	return golden.Parse("states", b.String(), tile.Dialect(t))
}
