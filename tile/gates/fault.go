package gates

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/tile/gates/cells"
	"utfbench/tile/gates/circuit"
)

// A CellFault is a pin of a cell that keeps a level. An input keeps it inside of its cell only; an output drives it.
type CellFault struct {
	Cell, Pin string
	Level     bool
}

func (f *CellFault) String() string {
	return fmt.Sprintf("%s/%s=stuck%d", f.Cell, f.Pin, map[bool]int{true: 1}[f.Level])
}

// ParseCellFault reads NAME/PIN=stuck0 or NAME/PIN=stuck1, as it stands behind "cell:". A name may have slashes.
func ParseCellFault(text string) (*CellFault, error) {
	where, what, _ := strings.Cut(text, "=")
	slash := strings.LastIndexByte(where, '/')
	if slash <= 0 || slash == len(where)-1 || what != "stuck0" && what != "stuck1" {
		return nil, fmt.Errorf("cell:%s: want cell:NAME/PIN=stuck0 or =stuck1, as in cell:_042_/A=stuck1", text)
	}
	return &CellFault{strings.TrimPrefix(where[:slash], `\`), where[slash+1:], what == "stuck1"}, nil
}

// has reports whether a cell has the pin.
func (f *CellFault) has(c *cells.Cell) bool {
	return slices.Contains(c.Inputs, f.Pin) || slices.Contains(c.Outputs(), f.Pin)
}

// put puts the fault into a cell: its pin at another net, and for an output a driver of the constant in its place.
func (f *CellFault) put(to *circuit.Circuit, c *cells.Cell, at func(string) circuit.Net) func(string) circuit.Net {
	level := circuit.Zero
	if f.Level {
		level = circuit.One
	}
	if slices.Contains(c.Outputs(), f.Pin) {
		if out := at(f.Pin); out != circuit.Open {
			to.Add(circuit.Buf, out, level)
		}
		level = circuit.Open
	}
	return func(pin string) circuit.Net {
		if pin == f.Pin {
			return level
		}
		return at(pin)
	}
}
