package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
)

// netlistFlag adds the flag that names a fabricated netlist.
func netlistFlag(f *pflag.FlagSet, path *string) {
	f.StringVar(path, "netlist", "", "gate-level Verilog of the tile, as place and route wrote it; docs/coverage.md "+
		"says where it is")
}

// readNetlist compiles the netlist of --netlist.
func readNetlist(path string) (*gates.Design, error) {
	d, _, err := gates.OpenFile(path, "", nil)
	if err == nil {
		err = d.Judgeable(path)
	}
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--netlist: %w", err))
	}
	return d, nil
}
