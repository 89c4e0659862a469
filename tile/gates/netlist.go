package gates

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"utfbench/tile/gates/cells"
	"utfbench/tile/gates/circuit"
	"utfbench/tile/gates/structural"
)

// A Count is how many cells of a type there are.
type Count struct {
	Type  string
	Cells int
}

func (c Count) String() string { return fmt.Sprintf("%s (%d)", c.Type, c.Cells) }

// A Source is a netlist as a text: structural Verilog, as place and route writes it.
type Source struct {
	File string // as the user knows it
	Text string
	Top  string // the top module; "" is the one with a tile's ports
}

// ReadNetlist builds the circuit of a netlist, with faults in its cells. Macros are the instances of
// modules that are in no kit; their outputs are unknown. The error names the file.
func ReadNetlist(s Source, faults []CellFault) (c *circuit.Circuit, macros []Count, err error) {
	modules, err := structural.Parse(s.Text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	top, err := topModule(modules, s.Top)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	l := &lowering{c: circuit.New(top.Name), modules: modules, kinds: map[string]*cellKind{}, faults: faults,
		found: make([]bool, len(faults))}
	if err := l.module(top, l.ports(top), ""); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	if i := slices.Index(l.found, false); i >= 0 {
		return nil, nil, fmt.Errorf("%s: --fault cell:%s: no cell of that name has such a pin", s.File, &faults[i])
	}
	return l.c, l.macros(), l.unknown(s.File)
}

// topModule returns the module of this name, or else the one that has a tile's ports.
func topModule(modules []*structural.Module, name string) (top *structural.Module, err error) {
	for _, m := range modules {
		switch {
		case name != "" && m.Name != name, name == "" && m.Ports["uo_out[0]"] == "":
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

// A lowering makes a circuit of modules.
type lowering struct {
	c       *circuit.Circuit
	modules []*structural.Module
	kinds   map[string]*cellKind
	faults  []CellFault
	found   []bool // which faults were put in
	depth   int
	total   int
}

// A cellKind is the kind of an instance: a kit's cell, a module of the file, or neither.
type cellKind struct {
	cell   *cells.Cell
	module *structural.Module
	kit    bool // it has the name of a kit's cell
	count  int
}

// mostInstances and deepest bound a netlist: far more than any tile has.
const (
	mostInstances = 1 << 18
	deepest       = 32
)

// ports adds the ports of the top module, and returns their nets by name.
func (l *lowering) ports(top *structural.Module) map[string]circuit.Net {
	width := map[string]int{}
	for bit := range top.Ports {
		name, index := splitBit(bit)
		width[name] = max(width[name], index+1)
	}
	dirs := map[structural.Direction]circuit.Direction{structural.Input: circuit.Input,
		structural.Output: circuit.Output, structural.Inout: circuit.Inout}
	nets := map[string]circuit.Net{}
	for _, name := range slices.Sorted(maps.Keys(width)) {
		if _, power := cells.Supply(name); power {
			continue
		}
		bits, dir := max(width[name], 1), top.Ports[name]
		if dir == "" {
			dir = top.Ports[name+"[0]"]
		}
		for i, n := range l.c.AddPort(name, dirs[dir], bits) {
			nets[bitName(name, i, width[name])] = n
		}
	}
	return nets
}

// splitBit splits NAME[3]; the index may be -1.
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

// A scope is the nets of one instance of a module, by their names in it.
type scope struct {
	l      *lowering
	nets   map[string]circuit.Net
	prefix string
}

// net returns the net of a name.
func (s *scope) net(name string) circuit.Net {
	switch name {
	case structural.Zero:
		return circuit.Zero
	case structural.One:
		return circuit.One
	}
	if n, known := s.nets[name]; known {
		return n
	}
	n, power := cells.Supply(name)
	if !power {
		n = s.l.c.Net(s.prefix + strings.TrimPrefix(name, `\`))
	}
	s.nets[name] = n
	return n
}

// module adds an instance of a module, with these nets at its ports.
func (l *lowering) module(m *structural.Module, nets map[string]circuit.Net, prefix string) error {
	if l.depth++; l.depth > deepest {
		return fmt.Errorf("module %s: modules stand in modules more than %d deep", m.Name, deepest)
	}
	s := &scope{l, nets, prefix}
	l.c.Begin(prefix+"assign", "", m.Line)
	for _, a := range m.Assigns {
		if to := s.net(a.To); to > circuit.One {
			l.c.Add(circuit.Buf, to, s.net(a.From))
		}
	}
	for i := range m.Instances {
		if err := s.instance(&m.Instances[i]); err != nil {
			return err
		}
	}
	l.depth--
	return nil
}

// instance adds a cell or another module.
func (s *scope) instance(i *structural.Instance) error {
	l := s.l
	k := l.kind(i.Cell)
	k.count++
	l.total++
	if l.total > mostInstances || len(l.c.Cells) > circuit.MaxCells || len(l.c.Nets) > circuit.MaxNets {
		return fmt.Errorf("line %d: more than %d cells, or %d of them with logic, is more than a tile can have", i.Line,
			mostInstances, circuit.MaxCells)
	}
	switch {
	case k.cell != nil && k.cell.Filler():
		return nil
	case k.cell != nil:
		return s.cell(i, k.cell)
	case k.module != nil:
		return l.module(k.module, s.portNets(i), s.prefix+strings.TrimPrefix(i.Name, `\`)+".")
	}
	return nil
}

// portNets returns the nets at the ports of a module's instance.
func (s *scope) portNets(i *structural.Instance) map[string]circuit.Net {
	nets := map[string]circuit.Net{}
	for port, net := range i.Nets {
		nets[port] = s.net(net)
		nets[port+"[0]"] = nets[port]
	}
	for port, bits := range i.Wide {
		for k, net := range bits {
			nets[bitName(port, k, len(bits))] = s.net(net)
		}
	}
	return nets
}

// kind looks up a type of cells, once.
func (l *lowering) kind(name string) *cellKind {
	k, known := l.kinds[name]
	if known {
		return k
	}
	k = &cellKind{}
	k.cell, _ = cells.Find(name)
	for _, library := range cells.Libraries() {
		k.kit = k.kit || strings.HasPrefix(name, library)
	}
	if k.cell == nil {
		if at := slices.IndexFunc(l.modules, func(m *structural.Module) bool { return m.Name == name }); at >= 0 {
			k.module = l.modules[at]
		}
	}
	l.kinds[name] = k
	return k
}

// cell adds a cell, with the fault if it has it.
func (s *scope) cell(i *structural.Instance, c *cells.Cell) error {
	if len(i.Wide) > 0 {
		return fmt.Errorf("line %d: %s %s has a pin with several bits", i.Line, i.Cell, i.Name)
	}
	name := s.prefix + strings.TrimPrefix(i.Name, `\`)
	s.l.c.Begin(name, i.Cell, i.Line)
	at := func(pin string) circuit.Net {
		net, connected := i.Nets[pin]
		if !connected {
			return circuit.Open
		}
		return s.net(net)
	}
	for _, pin := range c.Outputs() {
		if n := at(pin); n == circuit.Zero || n == circuit.One {
			return fmt.Errorf("line %d: %s %s drives a constant or the supply with its pin %s", i.Line, i.Cell, i.Name,
				pin)
		}
	}
	for k := range s.l.faults {
		if f := &s.l.faults[k]; f.Cell == name && f.has(c) {
			s.l.found[k] = true
			at = f.put(s.l.c, c, at)
		}
	}
	c.Add(s.l.c, at)
	return nil
}

// macros counts the instances of cells in no kit and not in the file.
func (l *lowering) macros() (all []Count) { return l.counts(false) }

func (l *lowering) counts(kit bool) (all []Count) {
	for _, name := range slices.Sorted(maps.Keys(l.kinds)) {
		if k := l.kinds[name]; k.cell == nil && k.module == nil && k.kit == kit {
			all = append(all, Count{name, k.count})
		}
	}
	return all
}

// unknown returns an error that names the kits' cells which the table lacks.
func (l *lowering) unknown(file string) error {
	all := l.counts(true)
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%s: cells of a kit that utfbench does not know: %s. Their functions have to be added to "+
		"tile/gates/cells/cells.txt; please report it", file, strings.Trim(fmt.Sprint(all), "[]"))
}
