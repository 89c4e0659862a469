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
// one if other inputs change after it. A falling edge by itself causes no exchange.
//
// A shim assigns its outputs with nonblocking assignments, as a register does, so a test that samples at the very
// moment of an edge gets the levels before it.
//
// # Ahead
//
// An exchange is a round trip, which takes a board a millisecond. So a shim may include a copy of the tile's Verilog,
// which responds to the test while the chip follows, many exchanges at a time and compared one by one. After the first
// difference the chip itself responds.
package shim

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"sync"
	"text/template"

	"utfbench/tile/gates"
)

//go:embed shim.v.tmpl
var source string

var module = sync.OnceValue(func() *template.Template { return template.Must(template.New("shim").Parse(source)) })

// The names of the two pipes in their folder.
const (
	toBench   = "to-bench"
	fromBench = "from-bench"
)

// copyTop is the module of a copy.
const copyTop = "utfbench_copy"

// A Shim holds the parameters of a shim's module.
type Shim struct {
	Top    string // the tile's top module
	Folder string // of the pipes; without quotes and backslashes, since it is part of a Verilog string
	// the number of exchanges after which the bench compares the chip with the copy, while the simulation is at most
	// twice as far ahead; 0 means that the chip itself responds, without a copy
	Ahead int

	copy string // Verilog of copyTop
}

// Ahead is the default of Shim.Ahead; a board takes some 20 ms for that many exchanges.
const Ahead = 500

// Make returns a shim of a tile. If its Verilog cannot be copied, the error gives the reason, and the shim has no
// copy.
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
	return module().Execute(w, map[string]any{"Top": s.Top, "Ahead": s.Ahead, "Copy": s.copy, "CopyTop": copyTop,
		"To": s.Folder + "/" + toBench, "From": s.Folder + "/" + fromBench})
}
