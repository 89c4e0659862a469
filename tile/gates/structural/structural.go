// Package structural reads structural Verilog: modules of cells whose pins are connected by name, as synthesis and
// place and route write them. It knows no cells.
//
// A net is one bit, by name: "n1", "q[3]" of a bus, "\a.b[3]" of an escaped name that is no plain one. The constants
// are [Zero] and [One].
package structural

import (
	"utfbench/internal/failure"
)

// Zero and One are the nets of constants.
const (
	Zero = "1'b0"
	One  = "1'b1"
)

// A Module is the text between module and endmodule.
type Module struct {
	Name      string
	Ports     map[string]Direction // by net: a bus has each of its bits
	Instances []Instance
	Assigns   []Assign
	Line      int
}

// A Direction is which way a port goes.
type Direction string

// Directions.
const (
	Input  Direction = "input"
	Output Direction = "output"
	Inout  Direction = "inout"
)

// An Instance is a cell in a module. Nets are what its pins are connected to; a pin that is open is not in it. Wide has
// the pins with other than one bit, as macros have them, the lowest bit first; it is nil for a cell.
type Instance struct {
	Cell, Name string
	Nets       map[string]string // by pin
	Wide       map[string][]string
	Line       int
}

// An Assign joins two nets: To shows what From has.
type Assign struct {
	To, From string
	Line     int
}

// mostBits is far more than the bits of a bus of any tile.
const mostBits = 1 << 12

// Parse reads all modules of a text. The error says at which line it is not understood.
func Parse(text string) ([]*Module, error) {
	p := &parser{scanner: scanner{text: text, line: 1}}
	p.next()
	var all []*Module
	for p.err == nil && p.word != "" {
		if p.word != "module" {
			p.fail("%q: a module has to begin here", p.word)
			break
		}
		all = append(all, p.module())
	}
	if p.err != nil {
		return nil, failure.Usagef("line %d: %w", p.at.line, p.err)
	}
	return all, nil
}
