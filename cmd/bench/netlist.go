package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/netlist"
	"utfbench/netlist/layout"
)

// netlistFiles are the files of a tile's netlist and of its layout, as flags name them.
type netlistFiles struct {
	netlist, lef []string
	gds          string
}

func (n *netlistFiles) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&n.netlist, "netlist", nil, "gate-level Verilog of the tile, as place and route wrote "+
		"it; can be given more than once")
}

// layoutFlags adds the flags of commands that locate cells.
func (n *netlistFiles) layoutFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&n.gds, "gds", "", "GDSII file of the tile's layout, for where on the die it is; with --lef")
	f.StringArrayVar(&n.lef, "lef", nil, "LEF file of its cells; can be given more than once")
}

// given reports whether the user gave any.
func (n *netlistFiles) given() bool { return len(n.netlist)+len(n.lef) > 0 || n.gds != "" }

// read makes the netlist.
func (n *netlistFiles) read() (*netlist.Netlist, error) {
	if len(n.netlist) == 0 {
		return nil, failure.Usagef("give the tile's netlist with --netlist FILE: docs/coverage.md says where it is")
	}
	verilog, err := netlistTexts("--netlist", files.Verilog, n.netlist)
	if err != nil {
		return nil, err
	}
	return netlist.Read(verilog...)
}

// errNoLayout reports a picture of a die without a layout.
var errNoLayout = failure.Usagef("--svg draws the die: give its layout with --gds FILE, and the sizes of its cells " +
	"with " +
	"--lef FILE")

// layout reads where the cells of a netlist are; nil if nobody has said.
func (n *netlistFiles) layout(of *netlist.Netlist) (*layout.Layout, error) {
	if n.gds == "" && len(n.lef) == 0 {
		return nil, nil
	}
	if n.gds == "" || len(n.lef) == 0 {
		return nil, failure.Usagef("where a cell is takes both: give the tile's layout with --gds FILE, and the " +
			"sizes of " +
			"its cells with --lef FILE")
	}
	drawing, err := files.GDS.Read(n.gds)
	if err != nil {
		return nil, fmt.Errorf("--gds: %w", err)
	}
	macros, err := netlistTexts("--lef", files.LEF, n.lef)
	if err != nil {
		return nil, err
	}
	return layout.Read(layout.Drawing{Name: n.gds, Data: drawing}, macros, of)
}

func netlistTexts(flag string, kind files.Kind, paths []string) (all []netlist.File, err error) {
	for _, path := range paths {
		text, err := kind.Read(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		all = append(all, netlist.File{Name: path, Text: string(text)})
	}
	return all, nil
}
