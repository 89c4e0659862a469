// Package shim connects a chip to a simulation, in place of its Verilog.
//
// A shim is a Verilog module with the name and the ports of the tile. An unmodified test, in cocotb or plain Verilog,
// drives its inputs. Each change of the inputs is an exchange: the shim writes a line into one pipe; a [Bench] applies
// it to the chip and to the tile's reference, and writes the outputs into another pipe; the shim shows them.
//
//	test ──ports──► shim ──a line each change──► Bench ──► chip, by a transport
//	     ◄────────       ◄──the chip's outputs──       └─► reference (gates.Follower), compared
//
// There are at most two exchanges per clock: one at the rising edge of clk, in which the chip gets a whole pulse, and
// one if other inputs change afterwards. A falling edge alone causes no exchange.
//
// A shim uses nonblocking assignments for its outputs, like a register, so a test that samples at the very moment of an
// edge gets the levels from before the edge.
//
// # Ahead
//
// An exchange is a round trip, which takes a board about a millisecond. So a shim may include a copy of the tile's
// Verilog, which responds to the test. The chip follows many exchanges at a time, which are compared one by one. After
// the first difference, the chip itself responds.
package shim

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"sync"
	"text/template"
)

//go:embed shim.v.tmpl
var source string

var module = sync.OnceValue(func() *template.Template { return template.Must(template.New("shim").Parse(source)) })

// names of the two pipes in their folder
const (
	toBench   = "to-bench"
	fromBench = "from-bench"
)

// copyTop is the name of the copy's module.
const copyTop = "utfbench_copy"

// DefaultAhead is the default of Test.AheadExchanges. A board takes some 20 ms for this many exchanges.
const DefaultAhead = 500

// write writes the module, with a copy of the tile's Verilog unless AheadExchanges is 0. If the copy fails, it sets
// NoCopyReason. The pipes' folder must contain no quotes or backslashes, since a Verilog string has its path.
func (t *Test) write(ctx context.Context, w io.Writer) error {
	of, text, ahead := t.Bench.Tile, "", t.AheadExchanges
	switch {
	case ahead == 0:
	case of.RTL == nil:
		t.NoCopyReason = errors.New("the tile is given by its netlist")
	default:
		text, t.NoCopyReason = of.RTL.Copy(ctx, copyTop)
	}
	if t.NoCopyReason != nil {
		ahead = 0
	}
	return module().Execute(w, map[string]any{"Top": of.About.Top, "Ahead": ahead, "Copy": text, "CopyTop": copyTop,
		"To": t.Folder + "/" + toBench, "From": t.Folder + "/" + fromBench})
}
