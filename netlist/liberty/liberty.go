// Package liberty reads of a Liberty file (.lib) what its cells compute, and passes over the rest: timing, power,
// sizes.
//
// Understood are functions of pins, and one flip-flop (ff) with its clock, clear and preset. Of anything else, such as
// a latch or a pin that can be released, [Cell.Odd] says what it is: a library has many cells, and a netlist needs few.
//
// The format is the Liberty User Guide's: groups NAME (ARGUMENTS) { ... }, attributes NAME : VALUE ; and, passed over,
// NAME (VALUES) ;.
package liberty

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
)

// A Cell is the logic of a cell.
type Cell struct {
	Name    string
	Pins    []string // inputs, the clock too
	Outputs []Output
	Flop    *Flop  // nil of a cell that holds nothing
	Odd     string // what keeps the cell from being simulated; "" if nothing does
}

// An Output is a pin that the cell drives. Function is nil where the file has none.
type Output struct {
	Pin      string
	Function *Expr
}

// A Flop is the one bit that a cell holds. Its expressions are over the cell's Pins and that bit.
type Flop struct {
	Next          *Expr // what is taken
	Clock         *Expr // when it rises
	Clear, Preset *Expr // while high the bit is 0, or 1; nil without
}

// Read gives the cells of a library by name. The error says at which line it is not understood.
func Read(text string) (map[string]*Cell, error) {
	s := &scanner{text: text, line: 1}
	root := s.group()
	if s.err != nil {
		return nil, failure.Usagef("line %d: %w", s.line, s.err)
	}
	cells := map[string]*Cell{}
	for _, library := range root.groups {
		for _, g := range library.groups {
			c, err := g.cell()
			if err != nil {
				return nil, failure.Usagef("line %d: cell %s: %w", g.line, g.arg, err)
			}
			cells[c.Name] = c
		}
	}
	if len(cells) == 0 {
		return nil, failure.Usagef("it has no cell: a library is a text of the form library (NAME) { cell (NAME) { " +
			"... } }")
	}
	return cells, nil
}

// cell makes a cell of its group.
func (g *group) cell() (*Cell, error) {
	c := &Cell{Name: g.arg}
	names := scope{}
	for _, sub := range g.groups {
		switch {
		case sub.name == "pin" && sub.attr["direction"] == "input":
			names[sub.arg] = &Expr{Op: Pin, Pin: len(c.Pins)}
			c.Pins = append(c.Pins, sub.arg)
		case sub.name == "ff":
			state, inverse, _ := strings.Cut(sub.arg, " ")
			names[state] = &Expr{Op: State}
			if inverse != "" {
				names[inverse] = &Expr{Op: Not, A: names[state]}
			}
		}
	}
	for _, sub := range g.groups {
		if err := c.add(sub, names); err != nil {
			return nil, err
		}
	}
	if len(c.Pins) > MostPins && c.Odd == "" {
		c.Odd = fmt.Sprintf("%d inputs, and at most %d are supported", len(c.Pins), MostPins)
	}
	return c, nil
}

// MostPins is how many inputs a cell may have: a function's values fit into 64 bits then.
const MostPins = 6

// add takes what a group within a cell's says.
func (c *Cell) add(g *group, names scope) (err error) {
	switch g.name {
	case "pin":
		return c.pin(g, names)
	case "ff":
		if c.Flop != nil {
			c.Odd = "two flip-flops"
			return nil
		}
		c.Flop = new(Flop)
		for name, e := range map[string]**Expr{"next_state": &c.Flop.Next, "clocked_on": &c.Flop.Clock,
			"clear": &c.Flop.Clear, "preset": &c.Flop.Preset} {
			if text := g.attr[name]; text != "" {
				if *e, err = parse(text, names); err != nil {
					return err
				}
			}
		}
		switch {
		case c.Flop.Next == nil || c.Flop.Clock == nil:
			c.Odd = "a flip-flop without next_state or clocked_on"
		case c.Flop.Clear != nil && c.Flop.Preset != nil:
			c.Odd = "a flip-flop with both clear and preset"
		}
	case "latch", "statetable", "ff_bank", "latch_bank", "bus", "bundle":
		c.Odd = "a " + g.name
	}
	return nil
}

// pin takes an output; inputs are known by now.
func (c *Cell) pin(g *group, names scope) (err error) {
	if slices.Contains(c.Pins, g.arg) || g.attr["direction"] == "internal" {
		return nil
	}
	if g.attr["direction"] != "output" {
		c.Odd = fmt.Sprintf("the pin %s of direction %q", g.arg, g.attr["direction"])
		return nil
	}
	o := Output{Pin: g.arg}
	if g.attr["three_state"] != "" {
		c.Odd = fmt.Sprintf("the pin %s, which can be released (three_state)", g.arg)
	}
	if text := g.attr["function"]; text != "" {
		if o.Function, err = parse(text, names); err != nil {
			if g.attr["three_state"] != "" || c.Odd != "" || isInternal(text) {
				c.Odd, err = fmt.Sprintf("the function %q", text), nil
			}
		}
	}
	c.Outputs = append(c.Outputs, o)
	return err
}

// isInternal says of a function whether it is a name alone: one of a state that is described in a way not understood.
func isInternal(function string) bool { return !strings.ContainsAny(function, "()&|+*^! ") }
