package plan

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/golden"
	"utfbench/tile"
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
		i++
		fmt.Fprintf(&b, "\nvector %05d \"all inputs\"\n  expects reference\n", i)
		for _, s := range part {
			fmt.Fprintf(&b, "  %s\n", golden.StepText(s, golden.Bits{}, golden.Bits{}))
		}
	}
	return golden.Parse("exhaustive", b.String(), tile.Dialect(t))
}
