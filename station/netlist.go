package station

import (
	"context"
	"fmt"

	"utfbench/internal/failure"
	"utfbench/runs/identity"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// Netlist returns the kind of a chip in memory by its gates.
func Netlist() Kind {
	return Kind{Name: identity.Netlist,
		Form:  "netlist[:FILE] gates in memory, of FILE or of a netlist as --tile",
		Board: "netlist", Several: true, Simulated: true, Files: true, Open: openNetlist,
		Options: []string{"insist", "samples"},
		Faults: func(t *Target, _ *Chip) error {
			_, err := gates.ParseCellFaults(t.Faults)
			return failure.Usage(err)
		}}
}

// openNetlist opens a chip by its gates; WHERE is its netlist, by default the tile's.
func openNetlist(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	name, p := where, gates.ProjectOf(t.Tile)
	if where == "" && p != nil && p.Netlist != "" {
		where, name = p.Netlist, p.Top
	}
	if where == "" {
		rtl := ""
		if p != nil {
			rtl = ": --tile " + t.TileName + " is RTL"
		}
		return nil, failure.Usagef("transport netlist needs a netlist, as in -t netlist:tt_um_example.v%s", rtl)
	}
	faults, err := gates.ParseCellFaults(t.Faults)
	if err != nil {
		return nil, failure.Usage(err)
	}
	tr, err := gates.OpenDevice(gates.DeviceConfig{File: where, Name: name, Faults: faults, Seed: c.Seed})
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("transport netlist: %w", err))
	}
	if err := t.CheckModule(tr.Top(), where); err != nil {
		return nil, err
	}
	c.Asked.Design, c.Asked.Faults = tile.OfGates+tr.Digest()[:10], gates.DescribeFaults(faults)
	c.Notes = append(c.Notes, fmt.Sprintf("seed %d: floating lines are %s", c.Seed, tr.Fate()))
	return tr, nil
}
