// Package structural parses structural Verilog: modules of cells with pins connected by name, the output of synthesis
// and of place and route. It has no knowledge of cells.
//
// A net is a single bit, identified by name: "n1", "q[3]" of a bus, "\a.b[3]" for an escaped name that is no plain
// one. The constants are [Zero] and [One].
package structural

import (
	"utfbench/internal/failure"
)

// Zero and One are the constant nets.
const (
	Zero = "1'b0"
	One  = "1'b1"
)

// A Module is the text between module and endmodule.
type Module struct {
	Name      string
	Ports     map[string]Direction // by net: each bit of a bus
	Instances []Instance
	Assigns   []Assign
	Line      int
}

// A Direction is the direction of a port.
type Direction string

// Directions.
const (
	Input  Direction = "input"
	Output Direction = "output"
	Inout  Direction = "inout"
)

// An Instance is a cell in a module, with its connected pins.
type Instance struct {
	Cell, Name string
	Pins       []Pin
	Line       int
}

// A Pin connects a pin to a net, or, as of macros, to other than one bit in Wide, lowest bit first; Net is then "".
type Pin struct {
	Name, Net string
	Wide      []string
}

// An Assign joins two nets: To follows From.
type Assign struct {
	To, From string
	Line     int
}

// mostBits limits the bits of a bus, far above any tile.
const mostBits = 1 << 12

// Parse parses all modules of a text, without the instances of cells that skip reports, such as fillers, which are most
// of a netlist. The error names the line.
func Parse(text string, skip func(cell string) bool) ([]*Module, error) {
	p := &parser{scanner: scanner{text: text, line: 1}, skip: skip, skipped: map[string]bool{}}
	p.next()
	var all []*Module
	for p.err == nil && p.word != "" {
		if p.word != "module" {
			p.fail("%q: want a module here", p.word)
			break
		}
		all = append(all, p.module())
	}
	if p.err != nil {
		return nil, failure.Usagef("line %d: %w", p.at.line, p.err)
	}
	return all, nil
}
