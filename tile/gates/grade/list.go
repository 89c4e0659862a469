// Package grade measures how much a set of vectors finds out about a tile: which stuck-at faults in its gates would
// have changed an output that was compared.
//
// # Words
//
// They are those of docs/coverage.md. A fault is a pin of a cell that keeps a level; a class is faults that no vector
// can tell apart. A class is found, untestable, or open. A fault is found only where the right chip's output is known
// and was compared, and the faulty chip's is known and differs.
//
// # Method
//
// The right chip does all vectors, 64 of them side by side, which yields its outputs and the levels of each net. Faults
// then share a machine, 64 at a time, each in its own vector; those that are found make room for others. A fault that
// its net's levels never contradict is not simulated.
package grade

import (
	"utfbench/tile/gates"
	"utfbench/tile/gates/circuit"
)

// A Site is a pin of a cell. Pins of one cell that are connected to one net are one site.
type Site struct {
	Part int32 // index into Circuit.Parts
	Pin  string
	Net  circuit.Net
	Out  bool
	uses []use
}

// A use is an input of a primitive at which the level of a site arrives, or for an output the primitive that drives it.
type use struct {
	cell     int32
	operand  int8
	inverted bool
}

// A Fault is a site that keeps a level, a bridge of its net with another site's, or a mutation.
type Fault struct {
	Site  int32 // index into List.Sites
	Level bool

	other int32
	short Short

	flips bool        // the site is inverted, while by has the level
	by    circuit.Net // another pin of its cell; One for always
}

// A Class is faults that are equivalent by the structure of the circuit. The first of them stands for all.
type Class struct {
	Faults     []Fault
	Untestable string // why no vector finds it; "" if one might
}

// A List is all stuck-at faults of the cells of a design.
type List struct {
	Design  *gates.Design
	Sites   []Site
	Classes []Class

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
	l.joinNets()
	l.joinCells()
	l.mute()
	l.classify()
	return l
}

// collect finds the sites: circuits have cells and pins in the order of their parts.
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

// site adds a pin of a part that has these primitives, and the sites from first on.
func (l *List) site(p *circuit.Pin, first, cell, last int) {
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

// find adds the uses of a site in a primitive. What reads the inverse of a net, which all cells share, reads the pin.
func (s *Site) find(c *circuit.Circuit, k int32) {
	cell, inverse := &c.Cells[k], c.Inverse(s.Net)
	if s.Out {
		if cell.Out == s.Net {
			s.uses = append(s.uses, use{cell: k})
		}
		return
	}
	n := cell.Kind.Inputs()
	if cell.Kind.Holds() && s.Net <= circuit.One {
		n = 2 // a set or reset that is 0 may be none
	}
	for i, in := range cell.In[:n] {
		switch {
		case in == circuit.Open, cell.Out == inverse:
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

// root returns the fault that stands for a set of equivalent ones: the first of them.
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

// classify makes the classes. One of which a fault is untestable is untestable.
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
}
