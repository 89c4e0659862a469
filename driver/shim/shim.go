// Package shim puts a chip into a simulation, in place of its Verilog.
//
// A shim is a Verilog module with the tile's name and ports. A test that knows nothing of it, of cocotb or plain
// Verilog, drives its inputs; each change of them is an exchange: the shim writes a line into one pipe, a [Bench] does
// the same on the chip and on the tile's reference, and the shim shows what the bench writes into another pipe.
//
//	test ──ports──► shim ──a line each change──► Bench ──► chip, by a transport
//	     ◄────────       ◄──what the chip shows──       └─► reference (gates.Follower), compared
//
// There are two exchanges a clock at most: one at its rising edge, in which the chip gets a whole pulse of clk, and one
// if other inputs change after it. A falling edge alone asks nothing of the chip.
//
// What a shim shows comes with a nonblocking assignment, as what a register shows does, so that a test that looks in
// the very moment of an edge sees what was before it.
//
// # Ahead
//
// An exchange is a way there and back, which a board takes a millisecond for. So a shim may have a copy of the tile's
// Verilog in it, which answers the test while the chip follows behind, many exchanges at a time and compared one by
// one. After the first difference the chip itself answers.
package shim

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"text/template"

	"utfbench/tile/gates"
)

//go:embed shim.v.tmpl
var source string

var module = template.Must(template.New("shim").Parse(source))

// Names of the two pipes in their folder.
const (
	toBench   = "to-bench"
	fromBench = "from-bench"
)

// copyTop is the module of a copy.
const copyTop = "utfbench_copy"

// A Shim is what one is written of.
type Shim struct {
	Top    string // the tile's top module
	Folder string // of the pipes: no quotes and no backslashes, since it stands in a text of Verilog
	// the number of exchanges after which the bench checks the chip against the copy, with the simulation at most twice
	// as far ahead; 0 means that the chip itself responds, without a copy
	Ahead int

	copy string // the text of copyTop
}

// Ahead is the default of Shim.Ahead: a board takes some 20 ms for it.
const Ahead = 500

// Make returns a shim of a tile. If there can be no copy of its Verilog the error says why, and the shim has none.
func Make(ctx context.Context, t *gates.Tile, folder string, ahead int) (s Shim, err error) {
	s = Shim{Top: t.About.Top, Folder: folder}
	switch {
	case ahead == 0:
		return s, nil
	case t.RTL == nil:
		return s, errors.New("the tile is given by its netlist")
	}
	if s.copy, err = t.RTL.Copy(ctx, copyTop); err == nil {
		s.Ahead = ahead
	}
	return s, err
}

// Write writes the module.
func (s *Shim) Write(w io.Writer) error {
	return module.Execute(w, map[string]any{"Top": s.Top, "Ahead": s.Ahead, "Copy": s.copy, "CopyTop": copyTop,
		"To": s.Folder + "/" + toBench, "From": s.Folder + "/" + fromBench})
}
