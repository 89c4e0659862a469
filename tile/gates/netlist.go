package gates

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"utfbench/tile/gates/sim"
)

// A CellCount holds the number of cells of a type.
type CellCount struct {
	Type  string
	Cells int
}

func (c CellCount) String() string { return fmt.Sprintf("%s (%d)", c.Type, c.Cells) }

// A Source is the text of a netlist: structural Verilog, the output of place and route.
type Source struct {
	File string // as named by the user
	Text string
	Top  string // the top module; "" selects the one with a tile's ports
}

// ReadNetlist builds the circuit of a netlist, with faults in its cells. macros counts the instances of modules that
// are neither in a kit nor in the text; their outputs are unknown. The error names the file.
func ReadNetlist(s Source, faults []CellFault) (c *sim.Circuit, macros []CellCount, err error) {
	modules, err := parseModules(s.Text, filler)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	top, err := topModule(modules, s.Top)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	l := &lowering{c: sim.NewCircuit(top.Name), modules: modules, kinds: map[string]*cellKind{}, faults: faults,
		found: make([]bool, len(faults))}
	if err := l.module(top, l.ports(top), ""); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	if i := slices.Index(l.found, false); i >= 0 {
		return nil, nil, fmt.Errorf("%s: %w", s.File, &NoCellError{faults[i], faults[i].hint(l.c)})
	}
	return l.c, l.macros(), l.unknown(s.File)
}

// A NoCellError reports a fault in a cell that the netlist lacks.
type NoCellError struct {
	CellFault
	hint string
}

func (e *NoCellError) Error() string {
	return fmt.Sprintf("--fault cell:%s: no instance in the netlist has that name and pin%s", &e.CellFault, e.hint)
}

// filler reports whether a kit's cell has no logic.
func filler(cell string) bool {
	c, found := FindCell(cell)
	return found && c.IsFiller()
}

// topModule returns the module with this name or, for "", the one with a tile's ports.
func topModule(modules []*module, name string) (top *module, err error) {
	for _, m := range modules {
		_, tile := m.Ports["uo_out[0]"]
		switch {
		case name != "" && m.Name != name, name == "" && !tile:
		case top != nil:
			return nil, fmt.Errorf("modules %s (line %d) and %s (line %d) both could be the tile", top.Name, top.Line,
				m.Name, m.Line)
		default:
			top = m
		}
	}
	switch {
	case top != nil:
		return top, nil
	case name != "":
		return nil, fmt.Errorf("no module %s, which info.yaml names as top_module", name)
	}
	return nil, fmt.Errorf("no module has the ports of a tile (ui_in, uo_out, uio_in, uio_out, uio_oe, clk, rst_n)")
}

// A lowering converts modules to a circuit.
type lowering struct {
	c       *sim.Circuit
	modules []*module
	kinds   map[string]*cellKind
	faults  []CellFault
	found   []bool // by fault: whether it was added
	depth   int
	total   int
}

// maxInstances and deepest are limits of a netlist's size and nesting, far above any tile's.
const (
	maxInstances = 1 << 18
	deepest      = 32
)

func (l *lowering) ports(top *module) map[string]sim.Net {
	width := map[string]int{}
	for bit := range top.Ports {
		name, index := splitBit(bit)
		width[name] = max(width[name], index+1)
	}
	nets := map[string]sim.Net{}
	for _, name := range slices.Sorted(maps.Keys(width)) {
		if _, power := supply(name); power {
			continue
		}
		dir, whole := top.Ports[name]
		if !whole {
			dir = top.Ports[name+"[0]"]
		}
		for i, n := range l.c.AddPort(name, dir, max(width[name], 1)) {
			nets[bitName(name, i, width[name])] = n
		}
	}
	return nets
}

func splitBit(bit string) (name string, index int) {
	name, rest, is := strings.Cut(bit, "[")
	if !is || strings.HasPrefix(bit, `\`) {
		return bit, -1
	}
	index, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if err != nil {
		return bit, -1
	}
	return name, index
}

func bitName(name string, i, width int) string {
	if width == 0 {
		return name
	}
	return name + "[" + strconv.Itoa(i) + "]"
}

// macros counts the instances of cells that are neither in a kit nor in the file.
func (l *lowering) macros() (all []CellCount) { return l.counts(false) }

func (l *lowering) counts(kit bool) (all []CellCount) {
	for _, name := range slices.Sorted(maps.Keys(l.kinds)) {
		if k := l.kinds[name]; k.cell == nil && k.module == nil && k.kit == kit {
			all = append(all, CellCount{name, k.count})
		}
	}
	return all
}

// unknown returns an error that names the kits' cells that the table lacks, or nil.
func (l *lowering) unknown(file string) error {
	all := l.counts(true)
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%s: cells of a kit that utfbench does not know: %s. Their functions have to be added to "+
		"tile/gates/cells.txt; please report it", file, strings.Trim(fmt.Sprint(all), "[]"))
}
