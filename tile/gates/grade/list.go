// Package grade measures the fault coverage of vectors on a tile: which stuck-at faults in its gates would have
// changed a compared output.
//
// # Words
//
// The terms are those of docs/coverage.md. A fault is a pin of a cell stuck at a level; a class is a set of faults
// that no vector can distinguish. A class is found, untestable, or open. A fault is found only if the good chip's
// output is known and was compared, and the faulty chip's is known and differs.
//
// # Method
//
// The good chip runs all vectors, 64 side by side, to obtain its outputs and the levels of each net. Then 64 faults
// share a machine, each in its own vector; found faults make room for others. A fault is not simulated if its net never
// has the opposite level.
//
// # Answers
//
// If the vectors do not show a fault, a [Prover] proves by induction that none does, or an [Explorer] searches for
// one that does: at random, and then over frames (frames.go), which solve for inputs with which good and faulty copy
// differ within some clocks from a state. Unknown levels stay unknown there. Each vector is simulated before it counts.
// A budget is an amount of computation, not time, so that a seed has the same result on every machine.
package grade

import (
	"fmt"

	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
)

// A Site is a pin of a cell. Pins of one cell on the same net are one site.
type Site struct {
	Part int32 // index into Circuit.Parts
	Pin  string
	Net  sim.Net
	Out  bool
	uses []use
}

// A use is a primitive's input with the level of a site or, for an output, the primitive that drives it.
type use struct {
	cell     int32
	operand  int8
	inverted bool
}

// A Fault is a site stuck at a level.
type Fault struct {
	Site  int32 // index into List.Sites
	Level bool
}

// A Class is a set of faults that are equivalent by the structure of the circuit. The first one represents all.
type Class struct {
	Faults     []Fault
	Untestable string // why no vector finds it; "" if one might
}

// A List holds all stuck-at faults of the cells of a design.
type List struct {
	Design  *gates.Design
	Sites   []Site
	Classes []Class

	holds  []hold
	parent []int32 // of each fault in a set of equivalent ones
	never  []string
}

// NewList returns the faults of a design, in the order of its cells.
func NewList(d *gates.Design) *List {
	l := &List{Design: d}
	l.collect()
	l.parent, l.never = make([]int32, 2*len(l.Sites)), make([]string, 2*len(l.Sites))
	for i := range l.parent {
		l.parent[i] = int32(i)
	}
	all := readings(d.Circuit)
	l.joinNets(all)
	l.joinCells(all)
	l.markUntestable()
	l.classify()
	return l
}

// NewMutants returns the mutations of a design as its classes.
func NewMutants(d *gates.Design) *List {
	l := &List{Design: d}
	l.collect()
	l.never = make([]string, 2*len(l.Sites))
	l.markUntestable()
	for i, s := range l.Sites {
		if d.Circuit.Parts[s.Part].Type == gates.MutationCell {
			l.Classes = append(l.Classes, Class{[]Fault{{int32(i), true}}, l.never[fault(i, true)]})
		}
	}
	return l
}

// collect finds the sites: circuits hold cells and pins in the order of their parts.
func (l *List) collect() {
	c := l.Design.Circuit
	for pin, cell := 0, 0; pin < len(c.Pins); {
		part := c.Pins[pin].Part
		for cell < len(c.Cells) && c.Cells[cell].Of < part {
			cell++
		}
		last := cell
		for last < len(c.Cells) && c.Cells[last].Of == part {
			last++
		}
		first := len(l.Sites)
		for ; pin < len(c.Pins) && c.Pins[pin].Part == part; pin++ {
			l.site(&c.Pins[pin], first, cell, last)
		}
		cell = last
	}
}

// site adds a pin to the sites of the cell made of primitives cell to last; the cell's sites begin at first.
func (l *List) site(p *sim.Pin, first, cell, last int) {
	for i := first; i < len(l.Sites); i++ {
		if s := &l.Sites[i]; s.Net == p.Net && s.Out == p.Out {
			s.Pin += "," + p.Name
			return
		}
	}
	s := Site{Part: p.Part, Pin: p.Name, Net: p.Net, Out: p.Out}
	for k := cell; k < last; k++ {
		s.find(l.Design.Circuit, int32(k))
	}
	if len(s.uses) > 0 {
		l.Sites = append(l.Sites, s)
	}
}

// find adds the uses of a site in a primitive. A primitive that reads the shared inverse of a net reads the pin, too.
func (s *Site) find(c *sim.Circuit, k int32) {
	cell, inverse := &c.Cells[k], c.Inverse(s.Net)
	if s.Out {
		if cell.Out == s.Net {
			s.uses = append(s.uses, use{cell: k})
		}
		return
	}
	n := cell.Kind.Inputs()
	if cell.Kind.Holds() && s.Net <= sim.One {
		n = 2 // a constant 0 may mean no set or reset
	}
	for i, in := range cell.In[:n] {
		switch {
		case in == sim.Open, cell.Out == inverse:
		case in == s.Net, in == inverse:
			s.uses = append(s.uses, use{k, int8(i), in == inverse})
		}
	}
}

// fault returns the number of a fault.
func fault(site int, level bool) int32 {
	if level {
		return int32(2*site + 1)
	}
	return int32(2 * site)
}

// root returns the representative of a set of equivalent faults: the first.
func (l *List) root(f int32) int32 {
	for l.parent[f] != f {
		l.parent[f] = l.parent[l.parent[f]]
		f = l.parent[f]
	}
	return f
}

// join makes two faults equivalent.
func (l *List) join(a, b int32) {
	a, b = l.root(a), l.root(b)
	l.parent[max(a, b)] = min(a, b)
}

// classify makes the classes. A class with an untestable fault is untestable.
func (l *List) classify() {
	at := make([]int32, len(l.parent))
	for f := range l.parent {
		root := l.root(int32(f))
		if root == int32(f) {
			at[f] = int32(len(l.Classes))
			l.Classes = append(l.Classes, Class{})
		}
		c := &l.Classes[at[root]]
		c.Faults = append(c.Faults, Fault{Site: int32(f / 2), Level: f%2 == 1})
		if c.Untestable == "" {
			c.Untestable = l.never[f]
		}
	}
	for i := range l.holds { // of faults until now
		for _, f := range []*int32{&l.holds[i].clock, &l.holds[i].low, &l.holds[i].high} {
			*f = at[l.root(*f)]
		}
	}
}

// Describe returns a fault as CELL/PIN=stuck0 or =stuck1, as for bench run --fault cell:, or in words.
func (l *List) Describe(f Fault) string {
	s := &l.Sites[f.Site]
	pin := l.Design.Circuit.Parts[s.Part].Name + "/" + s.Pin
	return fmt.Sprintf("%s=stuck%d", pin, map[bool]int{true: 1}[f.Level])
}

// CellType returns the type of a fault's cell.
func (l *List) CellType(f Fault) string { return l.Design.Circuit.Parts[l.Sites[f.Site].Part].Type }

// FaultText describes a fault without its pin.
func (l *List) FaultText(f Fault) string {
	if f.Level {
		return "stuck at 1"
	}
	return "stuck at 0"
}
