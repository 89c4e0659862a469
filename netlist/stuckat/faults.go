package stuckat

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/netlist"
)

// A Fault is a cell's pin that keeps a level: at an output the whole net, at an input that one branch of it.
type Fault struct {
	Cell, Type, Pin string // instance, cell of the library
	Level           bool

	// Slow says that the pin is only late to leave the level, by a clock: slow to rise from 0, or slow to fall from 1.
	Slow bool

	patches []patch
	hold    []int   // flip-flops that get no clock
	bridge  *Bridge // of the net that the pin drives with another; nil if it is none
}

func (f *Fault) String() string { return fmt.Sprintf("%s/%s %s", f.Cell, f.Pin, f.What()) }

// What describes the fault at the pin.
func (f *Fault) What() string {
	switch {
	case f.bridge != nil:
		return f.bridge.String()
	case f.Slow && f.Level:
		return "slow to fall"
	case f.Slow:
		return "slow to rise"
	case f.Level:
		return "stuck at 1"
	}
	return "stuck at 0"
}

// A patch replaces a gate's operations for a stuck pin: an input by its number, or an output as none minus its number.
type patch struct {
	gate, pin int
	ops       []netlist.Op
}

// A Class is a list of structurally equivalent faults: chips with them respond alike. The first represents all.
type Class []Fault

// Classes are all stuck-at faults of all pins of a netlist's cells, in the order of the netlist.
//
// Faults are equivalent if they give a cell with one output the same function, if one is at the only reader of the net
// that the other is at, or if they take the clock from the same flip-flops.
func Classes(n *netlist.Netlist) []Class {
	return append(collect(n, false), clockClasses(n)...)
}

// SlowClasses returns all transition faults of the cells' pins, except the clock's. Those at both ends of a net with
// one reader, or of a buffer or inverter, are equivalent.
func SlowClasses(n *netlist.Netlist) []Class { return collect(n, true) }

func collect(n *netlist.Netlist, slow bool) []Class {
	c := &collector{n: n, slow: slow, pins: map[pin]int{}, stems: make([][2]int, len(n.Nets)), readers: readers(n)}
	for i := range c.stems {
		c.stems[i] = [2]int{none, none}
	}
	for i := range n.Gates {
		c.outputs(i)
	}
	for i := range n.Gates {
		c.inputs(i)
	}
	return c.classes()
}

const none = -1

// A pin is one of a cell, at a level.
type pin struct {
	cell, pin string
	level     bool
}

// A collector collects faults and merges equivalent ones.
type collector struct {
	n       *netlist.Netlist
	slow    bool
	faults  []Fault
	parent  []int          // of each fault, itself for one that stands for its class
	pins    map[pin]int    // input pins that were met: one may belong to two gates of a flip-flop
	stems   [][2]int       // the faults at the output that drives a net, by level
	readers map[int]reader // of a net
}

// A reader is a net's one reading pin, or several.
type reader struct {
	cell, pin string
	several   bool
}

// readers finds the nets with one reader.
func readers(n *netlist.Netlist) map[int]reader {
	all := map[int]reader{}
	read := func(net int, by reader) {
		if before, met := all[net]; met && before != by {
			by.several = true
		}
		all[net] = by
	}
	for _, g := range n.Gates {
		for k, net := range g.In {
			r := reader{cell: g.Cell, pin: g.Pins[k]}
			if r.pin == "" { // a pad or an assign, of which there may be several
				r.several = true
			}
			read(net, r)
		}
	}
	for _, net := range n.Out {
		read(net, reader{several: true})
	}
	return all
}

func (c *collector) add(f Fault) int {
	c.faults, c.parent = append(c.faults, f), append(c.parent, len(c.parent))
	return len(c.faults) - 1
}

func (c *collector) root(i int) int {
	for c.parent[i] != i {
		i = c.parent[i]
	}
	return i
}

func (c *collector) join(a, b int) {
	if a, b = c.root(a), c.root(b); a != b {
		c.parent[max(a, b)] = min(a, b)
	}
}

var levels = [2]bool{false, true}

func (c *collector) outputs(gate int) {
	g := &c.n.Gates[gate]
	for k, name := range g.OutPins {
		if name == "" || g.Cell == "" {
			continue
		}
		for v, level := range levels {
			c.stems[g.Out[k]][v] = c.add(Fault{Cell: g.Cell, Type: g.Type, Pin: name, Level: level,
				Slow: c.slow, patches: []patch{{gate, none - k, c.n.Fixed(gate, k, level)}}})
		}
	}
}

func (c *collector) inputs(gate int) {
	g := &c.n.Gates[gate]
	tables := map[uint64]int{} // faulty functions that were met
	if stem := c.stems[g.Out[0]]; len(g.Out) == 1 && stem[0] != none {
		tables[0], tables[1<<(1<<len(g.In))-1] = stem[0], stem[1]
	}
	for k, name := range g.Pins {
		if name == "" || g.Cell == "" {
			continue
		}
		for v, level := range levels {
			p := patch{gate, k, c.n.Stuck(gate, k, level)}
			if id, met := c.pins[pin{g.Cell, name, level}]; met { // of the flip-flop's other gate
				c.faults[id].patches = append(c.faults[id].patches, p)
				continue
			}
			id := c.add(Fault{Cell: g.Cell, Type: g.Type, Pin: name, Level: level, Slow: c.slow,
				patches: []patch{p}})
			c.pins[pin{g.Cell, name, level}] = id
			if r := c.readers[g.In[k]]; !r.several && c.stems[g.In[k]][v] != none {
				c.join(id, c.stems[g.In[k]][v])
			}
			if len(g.Out) == 1 && !slices.Contains(g.Pins, "") && (!c.slow || len(g.In) == 1) {
				c.alike(tables, g.Table(k, level), id)
			}
		}
	}
}

// alike joins a fault with one that gives its cell the same function.
func (c *collector) alike(tables map[uint64]int, table uint64, id int) {
	if other, met := tables[table]; met {
		c.join(id, other)
		return
	}
	tables[table] = id
}

func (c *collector) classes() (all []Class) {
	at := map[int]int{}
	for i, f := range c.faults {
		root := c.root(i)
		k, met := at[root]
		if !met {
			k = len(all)
			at[root] = k
			all = append(all, nil)
		}
		all[k] = append(all[k], f)
	}
	return all
}

// clockClasses returns the faults in the clock's path, which keep flip-flops from changing.
func clockClasses(n *netlist.Netlist) (all []Class) {
	at := map[string]int{}
	add := func(cell, kind string, hold []int, pins ...string) {
		key := fmt.Sprint(hold)
		k, met := at[key]
		if !met {
			k = len(all)
			at[key] = k
			all = append(all, nil)
		}
		for _, name := range pins {
			for _, level := range levels {
				all[k] = append(all[k], Fault{Cell: cell, Type: kind, Pin: name, Level: level, hold: hold})
			}
		}
	}
	for _, c := range n.Clock {
		if c.Cell == "" { // an assign
			continue
		}
		hold := slices.Clone(c.Flops)
		slices.Sort(hold)
		add(c.Cell, c.Type, hold, c.In, c.Out)
	}
	for i, f := range n.Flops {
		add(f.Cell, f.Type, []int{i}, f.ClockPin)
	}
	return all
}

// A Change is a fault's effect on a netlist: replaced operations of some gates, and flip-flops without a clock.
type Change struct {
	Ops  map[int][]netlist.Op // by gate
	Hold []int
}

// Change returns the fault's effect.
func (f *Fault) Change() Change {
	c := Change{Ops: map[int][]netlist.Op{}, Hold: f.hold}
	for _, p := range f.patches {
		c.Ops[p.gate] = p.ops
	}
	return c
}

// Net returns the name of the pin's net; "clk" for a clock pin.
func (f *Fault) Net(n *netlist.Netlist) string {
	if f.bridge != nil {
		return f.bridge.names[0]
	}
	if len(f.patches) == 0 {
		return "clk"
	}
	return strings.TrimPrefix(n.Nets[f.net(n)], `\`)
}
