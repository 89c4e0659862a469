package station

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// Netlist returns the kind of a chip in memory with simulated gates.
func Netlist() Kind {
	return Kind{Name: report.Netlist, DefaultBoard: "netlist", Reopenable: true, Simulated: true, Open: openNetlist,
		Options: []string{"insist"},
		CheckFaults: func(t *Target, _ *Chip) error {
			_, err := gates.ParseCellFaults(t.Faults)
			return failure.Usage(err)
		}}
}

// openNetlist simulates a netlist. WHERE is its file, by default the tile's.
func openNetlist(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	name, p := where, gates.ProjectOf(t.Tile)
	if where == "" && p != nil && p.Netlist != "" {
		where, name = p.Netlist, p.Top
	}
	if where == "" {
		return nil, failure.Usagef("-t netlist: neither RTL nor a model has a netlist: name one, as in -t " +
			"netlist:tt_um_mine.v")
	}
	faults, err := gates.ParseCellFaults(t.Faults)
	if err != nil {
		return nil, failure.Usage(err)
	}
	tr, err := gates.OpenDevice(gates.DeviceConfig{File: where, Name: name, Faults: faults, Seed: c.Seed})
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("transport netlist: %w", err))
	}
	if err := t.CheckModule(tr.Top, where); err != nil {
		return nil, err
	}
	c.Info.Design, c.Info.Faults = tile.GatesPrefix+tr.Digest[:10], gates.DescribeFaults(faults)
	c.Notes = append(c.Notes, fmt.Sprintf("seed %d: %s", c.Seed, tr.FloatingNote()))
	return tr, nil
}

// CheckModule refuses a top module that is not the tile's, since differences from the reference would be meaningless.
// t.Insist overrides that. files are the sources of the design.
func (t *Target) CheckModule(top string, files ...string) error {
	own, is := t.Tile.(tile.FabricatedTile)
	if !is || top == own.Project() || t.Insist {
		return nil
	}
	if gates.ProjectOf(t.Tile) != nil {
		return failure.Usagef("the design is %s, not %s, which --tile names (--insist compares them all the same)", top,
			own.Project())
	}
	return failure.Usagef("the design is %s, not %s, whose model the bench has: %s tests it against its own gates "+
		"(--insist compares it with the model of %s)", top, own.Project(), t.tileOf(files), t.Tile.Name())
}

// tileOf returns the flags that name the project of source files, or a netlist that has no project.
func (t *Target) tileOf(files []string) string {
	dir := "."
	if len(files) > 0 {
		dir = filepath.Dir(files[0])
	}
	for _, folder := range []string{".", dir, filepath.Join(dir, "..")} {
		if _, err := os.Stat(filepath.Join(folder, "info.yaml")); err == nil {
			return "--tile " + filepath.ToSlash(folder)
		}
	}
	if kind, _, _ := strings.Cut(t.Transport, ":"); kind == report.Netlist && len(files) > 0 {
		return "--tile " + filepath.ToSlash(files[0]) + " -t netlist"
	}
	return "--tile FOLDER (with its info.yaml)"
}
