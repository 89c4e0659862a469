package main

import (
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile"
)

// grading is how a run's strength is graded, as flags say.
type grading struct{ station.Grading }

func (g *grading) flags(f *pflag.FlagSet) {
	f.BoolVar(&g.Off, "no-strength", false, "do not grade which faults of the tile's gates the run would have shown")
	f.Float64Var(&g.Least, "strength", 0, "percent of the faults of the tile's gates that a PASS has to show; below "+
		"it the run is WEAK")
}

// check reports flags that contradict each other, or a threshold for a tile that has none of its own gates.
func (g *grading) check(t tile.Tile) error {
	switch {
	case g.Least < 0 || g.Least > 100:
		return failure.Usagef("--strength %g: has to be from 0 to 100 (percent)", g.Least)
	case g.Least > 0 && g.Off:
		return failure.Usagef("--strength needs what --no-strength leaves out: drop one of them")
	case g.Least > 0 && station.GatesOf(t) == nil:
		return failure.Usagef("--strength: the reference of %s is no gates, so its faults are unknown (bench faults "+
			"grades vectors by a netlist)", t.Name())
	}
	return nil
}
