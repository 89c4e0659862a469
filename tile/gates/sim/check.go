package sim

import "fmt"

// Limits of a design, which bound a program's memory. The largest netlist of TT09 has 13,000 primitives.
const (
	MaxNets  = 1 << 18
	MaxCells = 1 << 18
)

// Check returns a circuit's first error: a missing net or part, an output that cannot be driven, or too many of them.
func (c *Circuit) Check() error {
	switch {
	case len(c.Nets) > MaxNets:
		return fmt.Errorf("%s: %d nets (at most %d are supported)", c.Name(), len(c.Nets), MaxNets)
	case len(c.Cells) > MaxCells:
		return fmt.Errorf("%s: %d primitive cells (at most %d are supported)", c.Name(), len(c.Cells), MaxCells)
	}
	for i := range c.Cells {
		if err := c.checkCell(&c.Cells[i]); err != nil {
			return err
		}
	}
	for _, p := range c.Ports {
		for _, n := range p.Nets {
			if n < Zero || int(n) >= len(c.Nets) {
				return fmt.Errorf("port %s: net %d does not exist", p.Name, n)
			}
		}
	}
	return nil
}

func (c *Circuit) checkCell(cell *Cell) error {
	if cell.Kind >= kinds || cell.Part < 0 || int(cell.Part) >= len(c.Parts) {
		return fmt.Errorf("a primitive of kind %d, part %d: there is no such kind or part", cell.Kind, cell.Part)
	}
	if cell.Out <= One || int(cell.Out) >= len(c.Nets) {
		return fmt.Errorf("%s drives net %d, which is no net that can be driven", c.Describe(cell.Part), cell.Out)
	}
	for _, n := range cell.In {
		if n < Open || int(n) >= len(c.Nets) {
			return fmt.Errorf("%s reads net %d, which does not exist", c.Describe(cell.Part), n)
		}
	}
	return nil
}

// Describe describes a part for messages.
func (c *Circuit) Describe(part int32) string {
	p := c.Parts[part]
	switch {
	case part == 0:
		return p.Name
	case p.File != "":
		return fmt.Sprintf("cell %s (%s, %s:%d)", p.Name, p.Type, p.File, p.Line)
	case p.Line > 0:
		return fmt.Sprintf("cell %s (%s, line %d)", p.Name, p.Type, p.Line)
	}
	return fmt.Sprintf("cell %s (%s)", p.Name, p.Type)
}

// tilePorts lists a tile's ports with their widths.
var tilePorts = []struct {
	name string
	bits int
	dir  Direction
}{{"ui_in", 8, Input}, {"uo_out", 8, Output}, {"uio_in", 8, Input}, {"uio_out", 8, Output}, {"uio_oe", 8, Output},
	{"ena", 1, Input}, {"clk", 1, Input}, {"rst_n", 1, Input}}

// CheckTile returns an error for the first port of a tile that a circuit lacks or has with another width or direction.
func (c *Circuit) CheckTile() error {
	for _, want := range tilePorts {
		nets := c.Port(want.name)
		switch {
		case nets == nil:
			return fmt.Errorf("module %s has no port %s, which every tile has", c.Name(), want.name)
		case len(nets) != want.bits:
			return fmt.Errorf("module %s: port %s has %d bits (a tile's has %d)", c.Name(), want.name, len(nets),
				want.bits)
		}
	}
	for _, p := range c.Ports {
		for _, want := range tilePorts {
			if p.Name == want.name && p.Dir != want.dir {
				return fmt.Errorf("module %s: port %s has the wrong direction", c.Name(), p.Name)
			}
		}
	}
	return nil
}
