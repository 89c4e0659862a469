package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/driver/shim"
	"utfbench/internal/failure"
	"utfbench/internal/help"
	"utfbench/tile/gates"
)

// byGates returns the design, which must have gates: a shim needs the reference during a test.
func (d *design) byGates() (*gates.Tile, error) {
	own, is := d.tile.(*gates.Tile)
	if !is {
		return nil, failure.Usagef("a test is run with a tile by its gates, and %s has none here: give the folder "+
			"of a project with --tile", d.tile.Name())
	}
	return own, nil
}

// pipeFolder returns the absolute path of a folder of pipes, quoted for Verilog.
func pipeFolder(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err == nil && strings.ContainsAny(abs, "\"\\\n%") {
		err = failure.Usagef("a folder of pipes must have no quotes, backslashes or %% in its path")
	}
	if err != nil {
		return "", failure.Usagef("--pipes %s: %w", path, err)
	}
	return abs, nil
}

// aheadFlag adds the flag that limits how far a simulation may run ahead of its chip.
func aheadFlag(f *pflag.FlagSet, ahead *int) {
	f.Var(help.AtLeast(ahead, shim.Ahead, 0), "ahead", "check every N exchanges whether the chip did as the "+
		"Verilog in the "+
		"simulation did; 0: the chip itself responds to each exchange, which is slow")
}
