package station

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// Mock returns the kind of a chip in memory: the reference of its tile, behind simulated wires, with faults.
func Mock() Kind {
	return Kind{Name: report.Mock, DefaultBoard: "mock", Reopenable: true, Open: openMock, CheckFaults: wireFaults,
		Options: []string{"at", "sample", "lead", "insist"}, IsModel: true}
}

// openMock opens a chip in memory. WHERE is its revision, which may differ from the reference's.
func openMock(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	own := c.Tile
	if where != "" {
		var ok bool
		if own, ok = tile.FindRevision(own, where); !ok {
			return nil, failure.Usagef("transport mock:%s: unknown revision: allowed is %s", where,
				strings.Join(tile.Revisions(t.Tile), " or "))
		}
	}
	if _, silent := own.New().(tile.SilentReference); silent {
		return nil, failure.Usagef("transport mock: the mock is the tile's own reference, which is "+
			"missing here: %w", cmp.Or(gates.MissingReference(own), errors.New("-t verilog simulates the sources")))
	}
	c.Info.Design = own.Revision()
	if c.acted == nil {
		c.acted = make([]atomic.Bool, len(c.Faults)) // all mocks of a run share it
	}
	return mock.Open(mock.Config{Tile: own, Faults: c.Faults, Seed: c.Seed, Activity: c.acted}), nil
}

// wireFaults parses the user's faults of wires and registers.
func wireFaults(t *Target, c *Chip) error {
	names := slices.Concat(tile.InputNames(t.Tile), tile.OutputNames(t.Tile, 0xFF), tile.BusNames(t.Tile))
	for _, s := range t.Faults {
		f, err := tile.RegisterBits(t.Tile).Parse(s)
		name, what, _ := strings.Cut(s, "=")
		if i := slices.Index(names, name); err != nil && i >= 0 && fault.Lines[i] != name {
			err = failure.Usagef("fault %q: %s is the design's name of %s: write %[3]s=%[4]s", s, name, fault.Lines[i],
				what)
		}
		if err != nil {
			return failure.Usagef("--%w", err)
		}
		c.Faults = append(c.Faults, f)
	}
	if err := fault.CheckConflict(c.Faults); err != nil {
		return failure.Usagef("--%w", err)
	}
	return nil
}
