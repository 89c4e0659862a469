// Package shim puts a chip into a simulation, in place of its Verilog.
//
// A shim is a Verilog module with the tile's name and ports. A test that knows nothing of it, of cocotb or plain
// Verilog, drives its inputs; each change of them is an exchange: the shim writes a line into one pipe, a [Bench] does
// the same on the chip and on the tile's reference, and the shim shows what the bench writes into another pipe.
//
//	test ──ports──► shim ──a line each change──► Bench ──► chip, by a transport
//	     ◄────────       ◄──what the chip shows──       └─► reference (rtl.Follower), compared
//
// There are two exchanges a clock at most: one at its rising edge, in which the chip gets a whole pulse of clk, and one
// if other inputs change after it. A falling edge alone asks nothing of the chip.
//
// What a shim shows comes with a nonblocking assignment, as what a register shows does, so that a test that looks in
// the very moment of an edge sees what was before it.
package shim

import (
	_ "embed"
	"io"
	"text/template"
)

//go:embed shim.v.tmpl
var source string

var module = template.Must(template.New("shim").Parse(source))

// Names of the two pipes in their folder.
const (
	toBench   = "to-bench"
	fromBench = "from-bench"
)

// Write writes the shim of a tile, by the name of its top module. Folder is where its pipes are: no quotes and no
// backslashes, since it stands in a text of Verilog.
func Write(w io.Writer, top, folder string) error {
	return module.Execute(w, map[string]string{"Top": top, "To": folder + "/" + toBench, "From": folder +
		"/" + fromBench})
}
