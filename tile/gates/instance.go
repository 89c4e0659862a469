package gates

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/tile/gates/sim"
)

// A cellKind is the kind of an instance: a cell of a kit, a module of the file, or neither.
type cellKind struct {
	cell   *Cell
	module *module
	kit    bool // it has the name of a kit's cell
	count  int
}

// A scope maps the names in one instance of a module to nets.
type scope struct {
	l      *lowering
	nets   map[string]sim.Net
	prefix string
	pins   []sim.Net // nets at the pins of the cell being added
}

func (s *scope) net(name string) sim.Net {
	switch name {
	case zero:
		return sim.Zero
	case one:
		return sim.One
	}
	if n, known := s.nets[name]; known {
		return n
	}
	n, power := supply(name)
	if !power {
		n = s.l.c.Net(s.prefix + strings.TrimPrefix(name, `\`))
	}
	s.nets[name] = n
	return n
}

func (l *lowering) module(m *module, nets map[string]sim.Net, prefix string) error {
	if l.depth++; l.depth > deepest {
		return fmt.Errorf("module %s: modules are nested more than %d deep", m.Name, deepest)
	}
	s := &scope{l: l, nets: nets, prefix: prefix}
	l.c.Begin(prefix+"assign", "", m.Line)
	for _, a := range m.Assigns {
		if to := s.net(a.To); to > sim.One {
			l.c.Add(sim.Buf, to, s.net(a.From))
		}
	}
	pins := 0
	for i := range m.Instances {
		pins += len(m.Instances[i].Pins)
	}
	l.c.Grow(len(m.Instances), pins)
	for i := range m.Instances {
		if err := s.instance(&m.Instances[i]); err != nil {
			return err
		}
	}
	l.depth--
	return nil
}

func (s *scope) instance(i *instance) error {
	l := s.l
	k := l.kind(i.Cell)
	k.count++
	l.total++
	if l.total > maxInstances || len(l.c.Cells) > sim.MaxCells || len(l.c.Nets) > sim.MaxNets {
		return fmt.Errorf("line %d: more than %d cells, or %d of them with logic, is more than a tile can have", i.Line,
			maxInstances, sim.MaxCells)
	}
	switch {
	case k.cell != nil:
		return s.cell(i, k.cell)
	case k.module != nil:
		return l.module(k.module, s.portNets(i), s.prefix+strings.TrimPrefix(i.Name, `\`)+".")
	}
	return nil
}

func (s *scope) portNets(i *instance) map[string]sim.Net {
	nets := map[string]sim.Net{}
	for _, p := range i.Pins {
		if p.Nets == nil {
			nets[p.Name] = s.net(p.Net)
			nets[p.Name+"[0]"] = nets[p.Name]
		}
		for k, net := range p.Nets {
			nets[bitName(p.Name, k, len(p.Nets))] = s.net(net)
		}
	}
	return nets
}

// kind looks up a cell type and caches it.
func (l *lowering) kind(name string) *cellKind {
	k, known := l.kinds[name]
	if known {
		return k
	}
	k = &cellKind{}
	k.cell, _ = FindCell(name)
	for _, library := range libraries() {
		k.kit = k.kit || strings.HasPrefix(name, library)
	}
	if k.cell == nil {
		if at := slices.IndexFunc(l.modules, func(m *module) bool { return m.Name == name }); at >= 0 {
			k.module = l.modules[at]
		}
	}
	l.kinds[name] = k
	return k
}

func (s *scope) cell(i *instance, c *Cell) error {
	s.pins = s.pins[:0]
	for _, p := range i.Pins {
		if p.Nets != nil {
			return fmt.Errorf("line %d: %s %s has a pin with several bits", i.Line, i.Cell, i.Name)
		}
		s.pins = append(s.pins, s.net(p.Net))
	}
	name := s.prefix + strings.TrimPrefix(i.Name, `\`)
	s.l.c.Begin(name, i.Cell, i.Line)
	at := func(pin string) sim.Net {
		for k := range i.Pins {
			if i.Pins[k].Name == pin {
				return s.pins[k]
			}
		}
		return sim.Open
	}
	for _, pin := range c.Outputs() {
		if n := at(pin); n == sim.Zero || n == sim.One {
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
