package netlist

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"utfbench/netlist/liberty"
	"utfbench/netlist/structural"
)

// Build makes the netlist of the module that has a tile's ports, of cells of a library. Files of cell models may be
// among the modules. The error is an *Error, which names the cell that is not understood.
func Build(modules []*structural.Module, cells map[string]*liberty.Cell) (*Netlist, error) {
	top, err := topOf(modules)
	if err != nil {
		return nil, err
	}
	b := &builder{n: &Netlist{Top: top.Name, Nets: []string{structural.Zero}}, cells: cells, modules: modules,
		index: map[string]int{structural.Zero: 0}, driver: map[int]string{0: "the constant 0"}}
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
	cells   map[string]*liberty.Cell
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

// topOf is the one module that has a tile's ports.
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

// net is the number of a net by its name.
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
		functions: []*liberty.Expr{{Op: liberty.One}}})
	return one
}

// drive says who drives a net, which has to be the only one.
func (b *builder) drive(net int, who string) error {
	if other := b.driver[net]; other != "" {
		return refuse("the net %s is driven by both %s and %s", b.n.Nets[net], other, who)
	}
	b.driver[net] = who
	return nil
}

// power are the levels of supplies, which a pin may be connected to.
var power = map[string]string{"VPWR": structural.One, "VPB": structural.One, "VDD": structural.One,
	"vccd1": structural.One, "VDPWR": structural.One, "VAPWR": structural.One, "VNW": structural.One,
	"VGND": structural.Zero, "VNB": structural.Zero, "VSS": structural.Zero, "vssd1": structural.Zero,
	"VPW": structural.Zero, "VSUBS": structural.Zero}

// ports makes the nets that a step sets.
func (b *builder) ports(*structural.Module) error {
	in := &b.n.In
	for i := range 8 {
		in.UI[i] = b.input(fmt.Sprintf("ui_in[%d]", i))
		in.Drive[i] = b.input(fmt.Sprintf("uio%d driven by the bench", i))
		in.Wire[i] = b.input(fmt.Sprintf("uio%d without the chip", i))
	}
	in.RstN, in.Ena, in.Clk = b.input("rst_n"), b.input("ena"), b.input("clk")
	for name, level := range power {
		b.index[name] = b.net(level)
	}
	return nil
}

func (b *builder) input(name string) int {
	net := b.net(name)
	b.driver[net] = "the port " + name
	return net
}

// assigns are gates that copy. Supplies that are assigned are what they are.
func (b *builder) assigns(top *structural.Module) error {
	for _, a := range top.Assigns {
		if power[a.To] != "" {
			continue
		}
		to, from := b.net(a.To), b.net(a.From)
		if err := b.drive(to, fmt.Sprintf("the assign in line %d", a.Line)); err != nil {
			return err
		}
		b.n.Gates = append(b.n.Gates, Gate{Pins: []string{""}, In: []int{from}, OutPins: []string{""}, Out: []int{to},
			functions: []*liberty.Expr{{Op: liberty.Pin}}})
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
	c := b.cells[i.Cell]
	at := fmt.Sprintf("cell %s, of %s in line %d,", i.Cell, shown(i.Name), i.Line)
	switch {
	case c == nil && onlyPower(i):
		return nil // fill, tap, decap
	case c == nil && slices.ContainsFunc(b.modules, func(m *structural.Module) bool { return m.Name == i.Cell }):
		return refuse("%s is a module of its own: give a netlist that is flat, as place and route write it", at)
	case c == nil:
		return refuse("%s is in no Liberty file: give the one of its library with --liberty", at)
	case len(c.Outputs) == 0 && c.Flop == nil && c.Odd == "":
		return nil // antenna
	case c.Odd != "":
		return refuse("%s has %s, which is not supported", at, c.Odd)
	case len(i.Wide) > 0:
		pin := slices.Sorted(maps.Keys(i.Wide))[0]
		return refuse("%s has %d bits at its pin %s, and a cell's pin has one", at, len(i.Wide[pin]), pin)
	}
	for _, pin := range c.Pins {
		if i.Nets[pin] == "" {
			return refuse("%s has nothing at its pin %s", at, pin)
		}
	}
	for _, o := range c.Outputs {
		if o.Function == nil && i.Nets[o.Pin] != "" {
			return refuse("%s has a pin %s whose function the Liberty file does not say", at, o.Pin)
		}
	}
	if c.Flop != nil {
		return b.flop(c, i)
	}
	return b.gate(c, i)
}

// shown is a name without the sign that it is escaped.
func shown(name string) string { return strings.TrimPrefix(name, `\`) }

func onlyPower(i *structural.Instance) bool {
	return len(i.Wide) == 0 && !slices.ContainsFunc(slices.Collect(maps.Values(i.Nets)), func(net string) bool {
		return power[net] == ""
	})
}

// gate makes a gate of a cell that holds nothing.
func (b *builder) gate(c *liberty.Cell, i *structural.Instance) error {
	g := Gate{Cell: shown(i.Name), Type: c.Name}
	b.pins(&g, c, i, ^uint(0))
	return b.outputs(&g, c, i)
}

// pins gives a gate the pins of a cell in mask, in the cell's order.
func (b *builder) pins(g *Gate, c *liberty.Cell, i *structural.Instance, mask uint) {
	for k, pin := range c.Pins {
		if mask>>k&1 != 0 {
			g.Pins, g.In = append(g.Pins, pin), append(g.In, b.net(i.Nets[pin]))
		}
	}
}

// outputs gives a gate those of a cell that are connected, and adds it.
func (b *builder) outputs(g *Gate, c *liberty.Cell, i *structural.Instance) error {
	for _, o := range c.Outputs {
		if i.Nets[o.Pin] == "" {
			continue
		}
		net := b.net(i.Nets[o.Pin])
		if err := b.drive(net, fmt.Sprintf("the pin %s of %s", o.Pin, g.Cell)); err != nil {
			return err
		}
		g.OutPins, g.Out = append(g.OutPins, o.Pin), append(g.Out, net)
		g.functions = append(g.functions, renumber(o.Function, c, g))
	}
	if len(g.Out) > 0 {
		b.n.Gates = append(b.n.Gates, *g)
	}
	return nil
}

// renumber makes of a cell's function one over a gate's pins, with the held bit behind the last of them.
func renumber(e *liberty.Expr, c *liberty.Cell, g *Gate) *liberty.Expr {
	if e == nil {
		return nil
	}
	switch e.Op {
	case liberty.Pin:
		return &liberty.Expr{Op: liberty.Pin, Pin: slices.Index(g.Pins, c.Pins[e.Pin])}
	case liberty.State:
		return &liberty.Expr{Op: liberty.Pin, Pin: len(g.Pins) - 1}
	}
	return &liberty.Expr{Op: e.Op, A: renumber(e.A, c, g), B: renumber(e.B, c, g)}
}

// pads makes the tile's ends of uio.
func (b *builder) pads(*structural.Module) error {
	pin := func(i int) *liberty.Expr { return &liberty.Expr{Op: liberty.Pin, Pin: i} }
	both := func(op liberty.Op, x, y *liberty.Expr) *liberty.Expr { return &liberty.Expr{Op: op, A: x, B: y} }
	not := func(x *liberty.Expr) *liberty.Expr { return &liberty.Expr{Op: liberty.Not, A: x} }
	own := both(liberty.And, pin(0), not(pin(2))) // the chip drives, and the bench does not
	pad := both(liberty.Or, both(liberty.And, own, pin(1)), both(liberty.And, not(own), pin(3)))
	for i := range 8 {
		oe, out := b.net(fmt.Sprintf("uio_oe[%d]", i)), b.net(fmt.Sprintf("uio_out[%d]", i))
		shows := b.net(fmt.Sprintf("uio_in[%d]", i))
		if err := b.drive(shows, fmt.Sprintf("the port uio_in[%d]", i)); err != nil {
			return err
		}
		b.n.Gates = append(b.n.Gates, Gate{Pins: []string{"", "", "", ""},
			In: []int{oe, out, b.n.In.Drive[i], b.n.In.Wire[i]}, OutPins: []string{""}, Out: []int{shows},
			functions: []*liberty.Expr{pad}})
		b.n.Out[i], b.n.Out[8+i], b.n.OE[i] = b.net(fmt.Sprintf("uo_out[%d]", i)), shows, oe
	}
	return nil
}
