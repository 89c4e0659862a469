package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/netlist"
)

// netlistFiles are the files of a tile's netlist and of its cells, as flags name them.
type netlistFiles struct{ netlist, liberty []string }

func (n *netlistFiles) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&n.netlist, "netlist", nil, "gate-level Verilog of the tile, as place and route wrote it; may "+
		"come again")
	f.StringArrayVar(&n.liberty, "liberty", nil, "Liberty file (.lib) of its cells; may come again")
}

// given says whether the user gave any.
func (n *netlistFiles) given() bool { return len(n.netlist)+len(n.liberty) > 0 }

// read makes the netlist.
func (n *netlistFiles) read() (*netlist.Netlist, error) {
	if len(n.netlist) == 0 || len(n.liberty) == 0 {
		return nil, errors.New("give the tile's netlist with --netlist FILE, and its cells with --liberty FILE: " +
			"docs/coverage.md says where they are")
	}
	verilog, err := netlistTexts("--netlist", files.Verilog, n.netlist)
	if err != nil {
		return nil, err
	}
	library, err := netlistTexts("--liberty", files.Liberty, n.liberty)
	if err != nil {
		return nil, err
	}
	return netlist.Read(verilog, library)
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
