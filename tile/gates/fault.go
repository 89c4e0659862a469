package gates

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/tile/gates/sim"
)

// A CellFault is a stuck pin of a cell. A stuck input affects only its cell; a stuck output affects its whole net.
type CellFault struct {
	Cell, Pin string
	Level     bool
}

func (f *CellFault) String() string {
	return fmt.Sprintf("%s/%s=stuck%d", f.Cell, f.Pin, map[bool]int{true: 1}[f.Level])
}

// ParseCellFault parses NAME/PIN=stuck0 or NAME/PIN=stuck1, the part after "cell:". A name may contain slashes.
func ParseCellFault(text string) (*CellFault, error) {
	where, what, _ := strings.Cut(text, "=")
	slash := strings.LastIndexByte(where, '/')
	if slash <= 0 || slash == len(where)-1 || what != "stuck0" && what != "stuck1" {
		return nil, fmt.Errorf("cell:%s: want cell:NAME/PIN=stuck0 or =stuck1, as in cell:_042_/A=stuck1", text)
	}
	return &CellFault{strings.TrimPrefix(where[:slash], `\`), where[slash+1:], what == "stuck1"}, nil
}

func (f *CellFault) has(c *Cell) bool {
	return slices.Contains(c.Inputs, f.Pin) || slices.Contains(c.Outputs(), f.Pin)
}

// hint names the pins of the fault's cell, or the cell with such a pin and the most similar name.
func (f *CellFault) hint(c *sim.Circuit) string {
	var pins, cells []string
	for _, p := range c.Pins {
		if name := c.Parts[p.Part].Name; name == f.Cell {
			pins = append(pins, p.Name)
		} else if p.Name == f.Pin {
			cells = append(cells, name)
		}
	}
	if len(pins) > 0 {
		return fmt.Sprintf(": %s has the pins %s", f.Cell, strings.Join(pins, ", "))
	}
	return failure.DidYouMean(f.Cell, cells)
}

// put adds the fault to a cell by moving the pin to another net and, for an output, adding a constant driver.
func (f *CellFault) put(to *sim.Circuit, c *Cell, at func(string) sim.Net) func(string) sim.Net {
	level := sim.Zero
	if f.Level {
		level = sim.One
	}
	if slices.Contains(c.Outputs(), f.Pin) {
		if out := at(f.Pin); out != sim.Open {
			to.Add(sim.Buf, out, level)
		}
		level = sim.Open
	}
	return func(pin string) sim.Net {
		if pin == f.Pin {
			return level
		}
		return at(pin)
	}
}
