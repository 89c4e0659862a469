package sim

import (
	"fmt"
	"slices"
)

// A Net is an index into Circuit.Nets. The constants are nets, too.
type Net int32

// Open means that there is no net; the others are the constants.
const (
	Open Net = iota - 1
	Zero
	One
)

// A Kind is a kind of primitive.
type Kind uint8

// Kinds, with their inputs in order.
const (
	Unknown Kind = iota // no inputs: an unpredictable driver, such as a macro's output
	Buf                 // a
	Not                 // a
	And                 // a, b
	Or                  // a, b
	Xor                 // a, b
	Nand                // a, b
	Nor                 // a, b
	Xnor                // a, b
	Mux                 // select, input selected by 1, input selected by 0
	Tri                 // data, enable
	Flop                // data, clock, set, reset: takes data at the rising edge of clock
	Latch               // data, enable, set, reset: follows data while enable is 1
	kinds
)

// inputs gives the minimum and maximum number of inputs of each kind. Set and reset are optional.
var inputs = [kinds]struct{ least, most int }{Unknown: {0, 0}, Buf: {1, 1}, Not: {1, 1}, And: {2, 2}, Or: {2, 2},
	Xor: {2, 2}, Nand: {2, 2}, Nor: {2, 2}, Xnor: {2, 2}, Mux: {3, 3}, Tri: {2, 2}, Flop: {2, 4}, Latch: {2, 4}}

// Inputs returns the number of inputs of a kind.
func (k Kind) Inputs() int { return inputs[k].most }

// HoldsBit reports whether a primitive of this kind holds a bit.
func (k Kind) HoldsBit() bool { return k == Flop || k == Latch }

// A Cell is a primitive. Missing inputs, including set and reset, are Zero.
type Cell struct {
	Kind Kind
	Part int32 // index into Circuit.Parts
	Out  Net
	In   [4]Net
}

// A Part is a library cell from which primitives were made, for messages and faults.
type Part struct {
	Name, Type string
	File       string // source file, if the design has several; otherwise ""
	Line       int    // in the source; 0 if unknown
}

// A Pin is a pin of a part, for faults. It represents all pins of the part's primitives that read or drive its net.
type Pin struct {
	Part int32 // index into Circuit.Parts
	Name string
	Net  Net
	Out  bool
}

// A Direction is the direction of a port, as seen from the design.
type Direction uint8

// Directions. An Inout port may be driven from both sides; the simulator drives none.
const (
	Input Direction = iota
	Output
	Inout
)

// A Port is a port with its nets, lowest bit first.
type Port struct {
	Name string
	Dir  Direction
	Nets []Net
}

// A Circuit is a design: nets, ports, and cells of a few primitive kinds. Two front ends build it, the readers of
// fabricated netlists and of Yosys' JSON. Parts[0] is the design itself.
//
// A front end calls [NewCircuit], adds the ports with [Circuit.AddPort] and nets with [Circuit.Net]. For each cell of
// its own library it calls [Circuit.Begin] and then adds primitives with [Circuit.Add] or [Circuit.Gate].
// [Circuit.Check] reports errors and enforces the limits; [Compile] calls it first.
//
// Everything is active high: a front end puts a Not before an inverted pin. There are no initial values, since silicon
// has none. A flip-flop's enable is a Mux at its data input; a synchronous reset is a gate there. An asynchronous load
// sets by load&data and resets by load&!data. An SR latch is a Latch with Zero as its enable. If set and reset are both
// active, reset wins; a cell in which set wins resets by reset&!set.
//
// A net with several drivers is shared: a Tri drives it while enabled, and any other cell always drives it. Its level
// is unknown if two drivers disagree. A net that is read but not driven floats: its level is unknown, and may change at
// any time. An input connected to [Open] floats, too.
type Circuit struct {
	Nets  []string // names; "" for nets between the primitives of one cell
	Ports []Port
	Cells []Cell
	Parts []Part
	Pins  []Pin // of library cells, in the order of Parts

	// FromRTL reports whether the circuit was synthesised from RTL, so that it is equivalent to the chip only after
	// a reset. Synthesis removes state that never changes, and each reader of it may get a different level.
	FromRTL bool

	// RecodableNets lists nets of state machines that synthesis may encode differently: before a reset, a chip may be
	// in a state that the circuit lacks.
	RecodableNets []Net

	inverse []Net // by net; Open if Not has made none
}

// NewCircuit returns a circuit with only the two constants.
func NewCircuit(name string) *Circuit {
	return &Circuit{Nets: []string{"1'b0", "1'b1"}, Parts: []Part{{Name: name}}, inverse: []Net{One, Zero}}
}

// Name returns the name of the design.
func (c *Circuit) Name() string { return c.Parts[0].Name }

// Net adds a net and returns it. The name, which may be "", is only for messages.
func (c *Circuit) Net(name string) Net {
	c.Nets = append(c.Nets, name)
	return Net(len(c.Nets) - 1)
}

// AddPort adds a port and returns its nets, which are named NAME[0] and so on if there are several.
func (c *Circuit) AddPort(name string, dir Direction, bits int) []Net {
	nets := make([]Net, bits)
	for i := range nets {
		if bits == 1 {
			nets[i] = c.Net(name)
			continue
		}
		nets[i] = c.Net(fmt.Sprintf("%s[%d]", name, i))
	}
	c.Ports = append(c.Ports, Port{name, dir, nets})
	return nets
}

// Port returns the nets of a port, or nil.
func (c *Circuit) Port(name string) []Net {
	i := slices.IndexFunc(c.Ports, func(p Port) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return c.Ports[i].Nets
}

// Grow reserves room for a number of library cells and their pins.
func (c *Circuit) Grow(cells, pins int) {
	c.Parts, c.Pins = slices.Grow(c.Parts, cells), slices.Grow(c.Pins, pins)
	c.Nets, c.Cells = slices.Grow(c.Nets, 2*cells), slices.Grow(c.Cells, 2*cells)
}

// Begin begins the cell to which the following primitives belong.
func (c *Circuit) Begin(name, cellType string, line int) {
	c.BeginPart(Part{Name: name, Type: cellType, Line: line})
}

// BeginPart begins a part with all its data.
func (c *Circuit) BeginPart(p Part) { c.Parts = append(c.Parts, p) }

// Add adds a primitive that drives out. Trailing optional inputs may be omitted.
func (c *Circuit) Add(k Kind, out Net, in ...Net) {
	cell := Cell{Kind: k, Part: int32(len(c.Parts) - 1), Out: out}
	if n := inputs[k]; len(in) < n.least || len(in) > n.most {
		panic(fmt.Sprintf("sim: %d inputs for a primitive of kind %d", len(in), k))
	}
	copy(cell.In[:], in)
	c.Cells = append(c.Cells, cell)
}

// Gate adds a primitive that drives a new net, and returns that net.
func (c *Circuit) Gate(k Kind, in ...Net) Net {
	out := c.Net("")
	c.Add(k, out, in...)
	return out
}

// AddPin adds a pin to the current part, unless it is open.
func (c *Circuit) AddPin(name string, n Net, out bool) {
	if n != Open {
		c.Pins = append(c.Pins, Pin{int32(len(c.Parts) - 1), name, n, out})
	}
}

// Inverse returns the inverse of n that Not has made, or Open.
func (c *Circuit) Inverse(n Net) Net {
	if n < 0 || int(n) >= len(c.inverse) {
		return Open
	}
	return c.inverse[n]
}

// Not returns the inverse of a net. The inverter is made only once, as part of the first cell that needs it.
func (c *Circuit) Not(n Net) Net {
	if made := c.Inverse(n); made != Open {
		return made
	}
	inverse := c.Gate(Not, n)
	for n != Open && int(n) >= len(c.inverse) {
		c.inverse = append(c.inverse, Open)
	}
	if n != Open {
		c.inverse[n] = inverse
	}
	return inverse
}

// Drivers holds the cells that drive each net of a circuit.
type Drivers struct {
	ByNet [][]int32 // by net: indexes into Cells
	c     *Circuit
}

// Drivers returns the drivers of all nets.
func (c *Circuit) Drivers() *Drivers {
	d := &Drivers{make([][]int32, len(c.Nets)), c}
	for i := range c.Cells {
		d.ByNet[c.Cells[i].Out] = append(d.ByNet[c.Cells[i].Out], int32(i))
	}
	return d
}

// FanIn marks, by net, the given nets and all nets that feed them, with state also through flip-flops and latches.
func (d *Drivers) FanIn(state bool, nets ...Net) []bool {
	is, next := make([]bool, len(d.c.Nets)), slices.Clone(nets)
	for len(next) > 0 {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		if n <= One || is[n] {
			continue
		}
		is[n] = true
		for _, k := range d.ByNet[n] {
			if cell := &d.c.Cells[k]; state || !cell.Kind.HoldsBit() {
				next = append(next, cell.In[:cell.Kind.Inputs()]...)
			}
		}
	}
	return is
}
