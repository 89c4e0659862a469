package netlist

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"utfbench/netlist/structural"
	"utfbench/tile/gates/cells"
	"utfbench/tile/gates/circuit"
)

// Build makes the netlist of the module that has a tile's ports. Files of cell models may be among the modules. The
// error is an *Error, which names the cell that is not supported.
func Build(modules []*structural.Module) (*Netlist, error) {
	top, err := topOf(modules)
	if err != nil {
		return nil, err
	}
	b := &builder{n: &Netlist{Top: top.Name, Nets: []string{structural.Zero}}, modules: modules,
		cells: map[string]*cell{}, index: map[string]int{structural.Zero: 0},
		driver: map[int]string{0: "the constant 0"}}
	for _, step := range []func(*structural.Module) error{b.ports, b.assigns, b.instances, b.pads, b.clocks, b.driven} {
		if err := step(top); err != nil {
			return nil, err
		}
	}
	if err := b.sort(); err != nil {
		return nil, err
	}
	b.n.compile()
	return b.n, nil
}

// A builder makes a netlist.
type builder struct {
	n       *Netlist
	cells   map[string]*cell // that were looked up
	modules []*structural.Module
	index   map[string]int // of nets
	driver  map[int]string // of a net, in words
	one     int            // net of the constant 1; 0 before it is needed
	clockOf []int          // net at the clock pin of each flip-flop
}

// ports are a tile's, by name; uio_oe and what else a tile has as outputs are needed as well.
var (
	inputs  = []string{"ui_in[%d]", "uio_in[%d]"}
	outputs = []string{"uo_out[%d]", "uio_out[%d]", "uio_oe[%d]"}
)

// topOf returns the one module with a tile's ports.
func topOf(modules []*structural.Module) (top *structural.Module, err error) {
	why := "it has no module"
	for _, m := range modules {
		missing := ""
		for _, port := range slices.Concat(inputs, outputs, []string{"clk", "rst_n"}) {
			if strings.Contains(port, "%") {
				port = fmt.Sprintf(port, 0)
			}
			if m.Ports[port] == "" && missing == "" {
				missing = strings.TrimSuffix(port, "[0]")
			}
		}
		switch {
		case missing != "":
			why = fmt.Sprintf("module %s has no port %s", m.Name, missing)
		case top != nil:
			return nil, refuse("both %s and %s have the ports of a tile: give the files of one of them", top.Name,
				m.Name)
		default:
			top = m
		}
	}
	if top == nil {
		return nil, refuse("no module has the ports of a tile (ui_in, uo_out, uio_in, uio_out, uio_oe, clk, rst_n): %s",
			why)
	}
	return top, nil
}

// net returns the number of a net by name.
func (b *builder) net(name string) int {
	if name == structural.One && b.one == 0 {
		b.one = b.constant()
	}
	i, known := b.index[name]
	if !known {
		i = len(b.n.Nets)
		b.index[name] = i
		b.n.Nets = append(b.n.Nets, name)
	}
	return i
}

// constant adds the net of the constant 1.
func (b *builder) constant() int {
	one := len(b.n.Nets)
	b.index[structural.One] = one
	b.n.Nets = append(b.n.Nets, structural.One)
	b.driver[one] = "the constant 1"
	b.n.Gates = append(b.n.Gates, Gate{OutPins: []string{""}, Out: []int{one},
		functions: []*expr{{op: constant1}}})
	return one
}

// drive records a net's driver, which must be the only one.
func (b *builder) drive(net int, who string) error {
	if other := b.driver[net]; other != "" {
		return refuse("the net %s is driven by both %s and %s", b.n.Nets[net], other, who)
	}
	b.driver[net] = who
	return nil
}

// supply returns the level of a pin or net of the power supply; ok is false for any other name.
func supply(name string) (level string, ok bool) {
	net, ok := cells.Supply(name)
	if net == circuit.One {
		return structural.One, ok
	}
	return structural.Zero, ok
}

// ports makes the nets that a step sets.
func (b *builder) ports(*structural.Module) error {
	in := &b.n.In
	for i := range 8 {
		in.UI[i] = b.input(fmt.Sprintf("ui_in[%d]", i))
		in.Drive[i] = b.input(fmt.Sprintf("uio%d driven by the bench", i))
		in.Wire[i] = b.input(fmt.Sprintf("uio%d without the chip", i))
	}
	in.RstN, in.Ena, in.Clk = b.input("rst_n"), b.input("ena"), b.input("clk")
	for _, name := range cells.Supplies() {
		level, _ := supply(name)
		b.index[name] = b.net(level)
	}
	return nil
}

func (b *builder) input(name string) int {
	net := b.net(name)
	b.driver[net] = "the port " + name
	return net
}

// assigns adds gates that copy. Assigned supplies are constants.
func (b *builder) assigns(top *structural.Module) error {
	for _, a := range top.Assigns {
		if _, power := supply(a.To); power {
			continue
		}
		to, from := b.net(a.To), b.net(a.From)
		if err := b.drive(to, fmt.Sprintf("the assign in line %d", a.Line)); err != nil {
			return err
		}
		b.n.Gates = append(b.n.Gates, Gate{Pins: []string{""}, In: []int{from}, OutPins: []string{""}, Out: []int{to},
			functions: []*expr{{op: pinLevel}}})
	}
	return nil
}

// instances makes gates and flip-flops of all cells.
func (b *builder) instances(top *structural.Module) error {
	for i := range top.Instances {
		if err := b.instance(&top.Instances[i]); err != nil {
			return err
		}
	}
	b.n.Cells, b.n.Instances = len(top.Instances), top.Instances
	return nil
}

func (b *builder) instance(i *structural.Instance) error {
	at := fmt.Sprintf("cell %s, of %s in line %d,", i.Cell, shown(i.Name), i.Line)
	of, known := cells.Find(i.Cell)
	switch {
	case known && of.Filler(), !known && onlyPower(i):
		return nil
	case !known && slices.ContainsFunc(b.modules, func(m *structural.Module) bool { return m.Name == i.Cell }):
		return refuse("%s is a module of its own: give a netlist that is flat, as place and route write it", at)
	case !known:
		return refuse("%s is in none of the kits that utfbench has a table of (%s)", at, kits())
	case len(i.Wide) > 0:
		pin := slices.Sorted(maps.Keys(i.Wide))[0]
		return refuse("%s has %d bits at its pin %s, and a cell's pin has one", at, len(i.Wide[pin]), pin)
	}
	c, err := b.cell(i.Cell, of)
	if err != nil {
		return refuse("%s has %v, which is not supported", at, err)
	}
	for _, pin := range c.pins {
		if i.Nets[pin] == "" {
			return refuse("%s has nothing at its pin %s", at, pin)
		}
	}
	if c.flop != nil {
		return b.flop(c, i)
	}
	return b.gate(c, i)
}

// cell returns a cell of the table, which is translated once.
func (b *builder) cell(name string, of *cells.Cell) (c *cell, err error) {
	if c = b.cells[name]; c == nil {
		c, err = cellOf(name, of)
		b.cells[name] = c
	}
	return c, err
}

// shown returns a name without its escape character.
func shown(name string) string { return strings.TrimPrefix(name, `\`) }

func onlyPower(i *structural.Instance) bool {
	return len(i.Wide) == 0 && !slices.ContainsFunc(slices.Collect(maps.Values(i.Nets)), func(net string) bool {
		_, power := supply(net)
		return !power
	})
}

// gate makes a gate of a cell that holds nothing.
func (b *builder) gate(c *cell, i *structural.Instance) error {
	g := Gate{Cell: shown(i.Name), Type: c.name}
	b.pins(&g, c, i, ^uint(0))
	return b.outputs(&g, c, i)
}

// pins gives a gate the pins of a cell in mask, in the cell's order.
func (b *builder) pins(g *Gate, c *cell, i *structural.Instance, mask uint) {
	for k, pin := range c.pins {
		if mask>>k&1 != 0 {
			g.Pins, g.In = append(g.Pins, pin), append(g.In, b.net(i.Nets[pin]))
		}
	}
}

// outputs adds a gate with the connected outputs of a cell.
func (b *builder) outputs(g *Gate, c *cell, i *structural.Instance) error {
	for _, o := range c.outputs {
		if i.Nets[o.pin] == "" {
			continue
		}
		net := b.net(i.Nets[o.pin])
		if err := b.drive(net, fmt.Sprintf("the pin %s of %s", o.pin, g.Cell)); err != nil {
			return err
		}
		g.OutPins, g.Out = append(g.OutPins, o.pin), append(g.Out, net)
		g.functions = append(g.functions, renumber(o.function, c, g))
	}
	if len(g.Out) > 0 {
		b.n.Gates = append(b.n.Gates, *g)
	}
	return nil
}

// renumber makes of a cell's function one over a gate's pins, with the held bit behind the last of them.
func renumber(e *expr, c *cell, g *Gate) *expr {
	if e == nil {
		return nil
	}
	switch e.op {
	case pinLevel:
		return &expr{op: pinLevel, pin: slices.Index(g.Pins, c.pins[e.pin])}
	case heldBit:
		return &expr{op: pinLevel, pin: len(g.Pins) - 1}
	}
	return &expr{op: e.op, a: renumber(e.a, c, g), b: renumber(e.b, c, g)}
}

// pads makes the tile's ends of uio.
func (b *builder) pads(*structural.Module) error {
	pin := func(i int) *expr { return &expr{op: pinLevel, pin: i} }
	both := func(op op, x, y *expr) *expr { return &expr{op: op, a: x, b: y} }
	not := func(x *expr) *expr { return &expr{op: not, a: x} }
	own := both(and, pin(0), not(pin(2))) // the chip drives, and the bench does not
	pad := both(or, both(and, own, pin(1)), both(and, not(own), pin(3)))
	for i := range 8 {
		oe, out := b.net(fmt.Sprintf("uio_oe[%d]", i)), b.net(fmt.Sprintf("uio_out[%d]", i))
		shows := b.net(fmt.Sprintf("uio_in[%d]", i))
		if err := b.drive(shows, fmt.Sprintf("the port uio_in[%d]", i)); err != nil {
			return err
		}
		b.n.Gates = append(b.n.Gates, Gate{Pins: []string{"", "", "", ""},
			In: []int{oe, out, b.n.In.Drive[i], b.n.In.Wire[i]}, OutPins: []string{""}, Out: []int{shows},
			functions: []*expr{pad}})
		b.n.Out[i], b.n.Out[8+i], b.n.OE[i] = b.net(fmt.Sprintf("uo_out[%d]", i)), shows, oe
	}
	return nil
}
