// Package shim connects a chip to a simulation, in place of its Verilog.
//
// A shim is a Verilog module with the tile's name and ports. An unmodified test, of cocotb or plain Verilog, drives
// its inputs, and each change of them is an exchange: the shim writes a line into one pipe, a [Bench] applies it to
// the chip and the tile's reference and writes the outputs into another pipe, and the shim shows them.
//
//	test ──ports──► shim ──a line each change──► Bench ──► chip, by a transport
//	     ◄────────       ◄──the chip's outputs──       └─► reference (gates.Follower), compared
//
// There are at most two exchanges per clock: one at its rising edge, in which the chip gets a whole pulse of clk, and
// one if other inputs change after it. A falling edge alone causes no exchange.
//
// A shim assigns its outputs with nonblocking assignments, as a register does, so a test that samples at the very
// moment of an edge gets the levels before it.
package shim

import (
	_ "embed"
	"io"
	"sync"
	"text/template"
)

//go:embed shim.v.tmpl
var source string

var module = sync.OnceValue(func() *template.Template { return template.Must(template.New("shim").Parse(source)) })

// The names of the two pipes in their folder.
const (
	toBench   = "to-bench"
	fromBench = "from-bench"
)

// write writes the module. The pipes' folder has no quotes and backslashes, since it becomes part of a Verilog string.
func (t *Test) write(w io.Writer) error {
	return module().Execute(w, map[string]any{"Top": t.Bench.Tile.About.Top, "To": t.Folder + "/" + toBench,
		"From": t.Folder + "/" + fromBench})
}
