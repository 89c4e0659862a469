// Package netlist knows a tile by its cells: the gates and flip-flops that were fabricated, as the structural Verilog
// of place and route has them, with the functions in package cells. It knows what the tile's pins are and
// what a step does to them, and no design.
//
// # Words
//
//   - A cell is an instance of the library's cells, a pin one of its connections, a net what pins are connected to.
//   - A gate computes nets from nets. A flip-flop is two of them: one shows the bit that it holds, and one computes
//     what it takes at the next clock.
//   - A pad is the tile's end of a line of uio: it shows the bench's level where the bench drives, else the chip's
//     where the chip does (uio_oe), else that of the floating line. The chip reads what the pad shows.
//
// # What is known of levels
//
// A net is 0 or 1: there is no X. clk is low whenever levels are looked at, ena is high. All flip-flops take the rising
// edge of clk, which reaches them through buffers and inverters alone; a netlist where that is not so, or with latches,
// is refused with the cell's name.
package netlist

import (
	"fmt"

	"utfbench/netlist/structural"
)

// A Netlist is the logic of a tile. It never changes.
type Netlist struct {
	Top   string
	Nets  []string // names; net 0 is the constant 0
	Gates []Gate   // each after those that it reads
	Flops []Flop
	Clock []ClockCell
	Cells int // instances that were read, those without logic too

	// Instances are the same as the Verilog has them, with the nets at all of their pins.
	Instances []structural.Instance

	In  Inputs
	Out [16]int // nets that show uo, then uio as at the pads
	OE  [8]int  // nets that say whether the chip drives a line of uio

	// The gates as operations: Lits says which literal a net is, Ops are in the order of Gates.
	Lits  []Lit
	Ops   []Op
	Nodes int
}

// Inputs are the nets that a step sets. Wire is the level of a line of uio that the chip does not drive, and Drive is
// whether the bench drives it.
type Inputs struct {
	UI, Drive, Wire [8]int
	RstN, Ena, Clk  int
}

// A Gate computes nets. Cell and Type are empty for a pad.
type Gate struct {
	Cell, Type string // instance, and cell of the library
	Pins       []string
	In         []int // nets at Pins
	OutPins    []string
	Out        []int // nets; one that stands for no pin has "" in OutPins
	Ops        Range // of Netlist.Ops

	functions []*expr  // over Pins, the held bit as the last of them
	nodes     []uint32 // for what is in between
}

// A Range is a part of a list.
type Range struct{ From, To int }

// A Flop holds a bit.
type Flop struct {
	Cell, Type string
	ClockPin   string
	State      int // net of the bit that it holds
	Next       int // net that it takes at a clock
	Held       int // net of what it holds once levels have settled: State, unless it has clear or preset
}

// A ClockCell carries the clock to flip-flops, and does nothing else.
type ClockCell struct {
	Cell, Type, In, Out string // instance, cell of the library, its pins
	Flops               []int  // that get their clock through it
}

// A Lit is a node of the operations and whether it is inverted, as 2*node+1. Node 0 is always 0. Each net has the node
// of its own number; the others are in between.
type Lit uint32

// Node returns the literal's node, and Inverted whether it is the opposite.
func (l Lit) Node() uint32   { return uint32(l >> 1) }
func (l Lit) Inverted() bool { return l&1 != 0 }

// The constants.
const (
	False Lit = 0
	True  Lit = 1
)

// An Op computes node To as A AND B.
type Op struct {
	A, B Lit
	To   uint32
}

// An Error is a netlist that the package does not understand, or a cell of it.
type Error struct{ What string }

func (e *Error) Error() string { return e.What }

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }
