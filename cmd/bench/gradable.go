package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// gradable are vectors and the gates to grade them by, as flags name them.
type gradable struct {
	runs     runFinder
	selected selection
	revision string
	netlist  string
}

func (o *gradable) flags(cmd *cobra.Command, d *design) {
	o.runs.flags(cmd, d)
	o.selected.flags(cmd, d)
	netlistFlag(cmd.Flags(), &o.netlist)
	cmd.Flags().StringVar(&o.revision, "revision", "", "revision of the chip that the netlist is of (default: the "+
		"newest; of a RUN, its own)")
}

// gates returns the gates of --netlist, or of the tile.
func (o *gradable) gates(t tile.Tile) (*gates.Design, error) {
	own := station.GatesOf(t)
	switch {
	case o.netlist != "":
		return readNetlist(o.netlist)
	case own == nil:
		return nil, failure.Usagef("the reference of %s is no gates, so its faults are unknown: give its netlist with "+
			"--netlist FILE; docs/coverage.md says where it is", t.Name())
	}
	return own.Design, nil
}

// asked returns the vectors and their tile.
func (o *gradable) asked(cmd *cobra.Command, args []string) (tile.Tile, []grade.Vector, error) {
	if len(args) > 0 {
		return o.recorded(cmd, args[0])
	}
	t := o.selected.design.tile
	if o.revision != "" {
		var known bool
		if t, known = tile.ByRevision(t, o.revision); !known {
			return nil, nil, failure.Usagef("--revision: unknown revision %q: allowed are %s", o.revision,
				strings.Join(tile.Revisions(o.selected.design.tile), ", "))
		}
	}
	jobs, err := o.selected.Jobs()
	if err != nil {
		return nil, nil, err
	}
	vectors, err := cells.Vectors(cmd.Context(), t, jobs)
	if err != nil {
		return nil, nil, simulated(cmd.Context(), err)
	}
	return t, vectors, nil
}

// recorded returns the selected vectors of a run.
func (o *gradable) recorded(cmd *cobra.Command, run string) (tile.Tile, []grade.Vector, error) {
	for _, name := range []string{"file", "random", "seed", "revision"} {
		if cmd.Flags().Changed(name) {
			return nil, nil, failure.Usagef("--%s does not go with a RUN: the recording has its own vectors", name)
		}
	}
	c, err := o.runs.recording(run)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	p, err := o.selected.replayed(c)
	if err != nil {
		return nil, nil, err
	}
	vectors, err := cells.Vectors(cmd.Context(), c.Tile, p.Distinct())
	if err != nil {
		return nil, nil, simulated(cmd.Context(), err)
	}
	return c.Tile, vectors, nil
}

// simulated marks the error of a simulation as the bench's.
func simulated(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped: nothing is known")
	}
	return benchFault(err)
}
