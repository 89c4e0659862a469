package gates

import (
	"utfbench/internal/failure"
	"utfbench/tile/gates/sim"
)

// zero and one are the constant nets.
const (
	zero = "1'b0"
	one  = "1'b1"
)

// A module is a parsed module of structural Verilog: instances with pins connected by name, and assignments.
//
// A net is a single bit, identified by name: "n1", "q[3]" of a bus, or "\a.b[3]" for a name that must be escaped. The
// constants are zero and one.
type module struct {
	Name      string
	Ports     map[string]sim.Direction // by net, for each bit of a bus
	Instances []instance
	Assigns   []assignment
	Line      int
}

// directions maps keywords to port directions.
var directions = map[string]sim.Direction{"input": sim.Input, "output": sim.Output, "inout": sim.Inout}

// An instance is a cell in a module, with its connected pins.
type instance struct {
	Cell, Name string
	Pins       []pin
	Line       int
}

// A pin is a connection of an instance's pin to a net. A macro's pin has its bits in Nets, lowest first, and "" as Net.
type pin struct {
	Name, Net string
	Nets      []string
}

// An assignment joins two nets: To follows From.
type assignment struct {
	To, From string
}

// maxBits is the maximum width of a bus, far above any tile's.
const maxBits = 1 << 12

// parseModules parses all modules of a text. It ignores instances of cells for which skip returns true, such as
// fillers, which make up most of a netlist. The error names the line.
func parseModules(text string, skip func(cell string) bool) ([]*module, error) {
	p := &parser{scanner: scanner{text: text, line: 1}, skip: skip, skipped: map[string]bool{}}
	p.next()
	var all []*module
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
