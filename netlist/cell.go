package netlist

import (
	"errors"
	"slices"
	"strings"

	"utfbench/tile/gates/cells"
	"utfbench/tile/gates/circuit"
)

// An op is the operation of an expression.
type op byte

const (
	constant0 op = iota
	constant1    //
	pinLevel     // the level of an input
	heldBit      // the bit that the cell holds
	not          // of A
	and          // of A and B
	or           //
	xor          //
)

// An expr is a boolean function of the numbered pins of a cell or gate, and of the bit that it holds.
type expr struct {
	op   op
	pin  int
	a, b *expr
}

// eval returns the value for levels of the pins, bit i of pin i.
func (e *expr) eval(pins uint, held bool) bool {
	switch e.op {
	case constant1:
		return true
	case pinLevel:
		return pins>>e.pin&1 != 0
	case heldBit:
		return held
	case not:
		return !e.a.eval(pins, held)
	case and:
		return e.a.eval(pins, held) && e.b.eval(pins, held)
	case or:
		return e.a.eval(pins, held) || e.b.eval(pins, held)
	case xor:
		return e.a.eval(pins, held) != e.b.eval(pins, held)
	}
	return false
}

// reads returns the inputs that the function reads, bit i of pin i. A nil function reads none.
func (e *expr) reads() (mask uint) {
	if e == nil {
		return 0
	}
	if e.op == pinLevel {
		return 1 << e.pin
	}
	return e.a.reads() | e.b.reads()
}

// A cell is the logic of a kit's cell.
type cell struct {
	name    string
	pins    []string // inputs, the clock too
	outputs []output
	flop    *holder // nil of a cell that holds nothing
}

// An output is a pin that a cell drives.
type output struct {
	pin      string
	function *expr
}

// A holder is the bit that a cell holds: it takes next when clock rises. It is 1 while preset is 1, and 0 while clear
// is 1, which wins; they are nil without.
type holder struct{ next, clock, preset, clear *expr }

// cellOf returns a cell of the table. The error says what this package does not support of it.
func cellOf(name string, c *cells.Cell) (*cell, error) {
	switch {
	case c.Holds == circuit.Latch:
		return nil, errors.New("a latch")
	case c.Function(cells.Drive) != nil:
		return nil, errors.New("a tristate output")
	}
	made := &cell{name: name, pins: c.Inputs}
	for _, pin := range c.Outputs() {
		made.outputs = append(made.outputs, output{pin, made.expr(c.Function(pin))})
	}
	if c.Holds == circuit.Flop {
		made.flop = &holder{next: made.expr(c.Function(cells.Data)), clock: made.expr(c.Function(cells.Clock)),
			preset: made.expr(c.Function(cells.Set)), clear: made.expr(c.Function(cells.Reset))}
	}
	return made, nil
}

var binary = map[byte]op{'&': and, '|': or, '^': xor}

// expr returns a function of the table over the cell's numbered pins.
func (c *cell) expr(x *cells.Expr) *expr {
	if x == nil {
		return nil
	}
	var args []*expr
	for _, a := range x.Args {
		args = append(args, c.expr(a))
	}
	switch x.Op {
	case 'p':
		return &expr{op: pinLevel, pin: slices.Index(c.pins, x.Pin)}
	case 'q':
		return &expr{op: heldBit}
	case '1':
		return &expr{op: constant1}
	case '!':
		return &expr{op: not, a: args[0]}
	case '?':
		return &expr{op: or, a: &expr{op: and, a: args[2], b: &expr{op: not, a: args[0]}},
			b: &expr{op: and, a: args[1], b: args[0]}}
	case '0':
		return &expr{op: constant0}
	}
	return &expr{op: binary[x.Op], a: args[0], b: args[1]}
}

// kits returns the prefixes of the cells that the table has, for messages.
func kits() string {
	var all []string
	for _, prefix := range cells.Libraries() {
		all = append(all, prefix+"*")
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
