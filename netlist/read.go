package netlist

import (
	"utfbench/internal/failure"
	"utfbench/netlist/structural"
)

// A File is a text with the name that people know it by.
type File struct{ Name, Text string }

// Read makes a netlist from files of Verilog. Package cells has the functions of their cells. The error names the file
// and the line, or the cell.
func Read(verilog ...File) (*Netlist, error) {
	var modules []*structural.Module
	for _, f := range verilog {
		m, err := structural.Parse(f.Text)
		if err != nil {
			return nil, failure.Usagef("%s: %w", f.Name, err)
		}
		modules = append(modules, m...)
	}
	n, err := Build(modules)
	if err != nil && len(verilog) == 1 {
		err = failure.Usagef("%s: %w", verilog[0].Name, err)
	}
	return n, err
}
