package gates

import (
	"fmt"

	"utfbench/tile/gates/sim"
)

// A FaultSite is a pin of a cell. Pins of one cell on the same net are one site.
type FaultSite struct {
	Part int32 // index into Circuit.Parts
	Pin  string
	Net  sim.Net
	Out  bool
	Uses []SiteUse
}

// A SiteUse is a primitive's input that reads a site or, for an output, the primitive that drives it.
type SiteUse struct {
	Cell     int32 // index into Circuit.Cells
	Operand  int8
	Inverted bool
}

// A StuckAt is a site stuck at a level.
type StuckAt struct {
	Site  int32 // index into FaultList.Sites
	Level bool
}

// A FaultClass is a set of faults that are equivalent by the structure of the circuit. The first one represents all.
type FaultClass struct {
	Faults     []StuckAt
	Untestable string // why no vector can find it; "" if one might
}

// A FaultList holds all stuck-at faults of the cells of a design.
type FaultList struct {
	Design  *Design
	Sites   []FaultSite
	Classes []FaultClass

	Holds []Hold

	parent []int32 // by fault: its parent in a set of equivalent faults
	never  []string
}

// NewFaultList returns the faults of a design, in the order of its cells.
func NewFaultList(d *Design) *FaultList {
	l := &FaultList{Design: d}
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

// NewMutationList returns a list whose classes are the mutations of a design.
func NewMutationList(d *Design) *FaultList {
	l := &FaultList{Design: d}
	l.collect()
	l.never = make([]string, 2*len(l.Sites))
	l.markUntestable()
	for i, s := range l.Sites {
		if d.Circuit.Parts[s.Part].Type == MutationCell {
			l.Classes = append(l.Classes, FaultClass{[]StuckAt{{int32(i), true}}, l.never[faultIndex(i, true)]})
		}
	}
	return l
}

// collect finds the sites. It relies on a circuit's cells and pins being in the order of their parts.
func (l *FaultList) collect() {
	c := l.Design.Circuit
	for pin, cell := 0, 0; pin < len(c.Pins); {
		part := c.Pins[pin].Part
		for cell < len(c.Cells) && c.Cells[cell].Part < part {
			cell++
		}
		last := cell
		for last < len(c.Cells) && c.Cells[last].Part == part {
			last++
		}
		first := len(l.Sites)
		for ; pin < len(c.Pins) && c.Pins[pin].Part == part; pin++ {
			l.site(&c.Pins[pin], first, cell, last)
		}
		cell = last
	}
}

// site adds a pin to its cell's sites, which begin at first. The cell's primitives are those from cell to last-1.
func (l *FaultList) site(p *sim.Pin, first, cell, last int) {
	for i := first; i < len(l.Sites); i++ {
		if s := &l.Sites[i]; s.Net == p.Net && s.Out == p.Out {
			s.Pin += "," + p.Name
			return
		}
	}
	s := FaultSite{Part: p.Part, Pin: p.Name, Net: p.Net, Out: p.Out}
	for k := cell; k < last; k++ {
		s.find(l.Design.Circuit, int32(k))
	}
	if len(s.Uses) > 0 {
		l.Sites = append(l.Sites, s)
	}
}

// find adds the uses of a site in a primitive. A primitive that reads the shared inverse of a net also uses the site.
func (s *FaultSite) find(c *sim.Circuit, k int32) {
	cell, inverse := &c.Cells[k], c.Inverse(s.Net)
	if s.Out {
		if cell.Out == s.Net {
			s.Uses = append(s.Uses, SiteUse{Cell: k})
		}
		return
	}
	n := cell.Kind.Inputs()
	if cell.Kind.HoldsBit() && s.Net <= sim.One {
		n = 2 // a constant 0 there may mean that the cell has no set or reset
	}
	for i, in := range cell.In[:n] {
		switch {
		case in == sim.Open, cell.Out == inverse:
		case in == s.Net, in == inverse:
			s.Uses = append(s.Uses, SiteUse{k, int8(i), in == inverse})
		}
	}
}

func faultIndex(site int, level bool) int32 {
	if level {
		return int32(2*site + 1)
	}
	return int32(2 * site)
}

func (l *FaultList) root(f int32) int32 {
	for l.parent[f] != f {
		l.parent[f] = l.parent[l.parent[f]]
		f = l.parent[f]
	}
	return f
}

func (l *FaultList) join(a, b int32) {
	a, b = l.root(a), l.root(b)
	l.parent[max(a, b)] = min(a, b)
}

// classify groups the faults into classes. A class with an untestable fault is untestable.
func (l *FaultList) classify() {
	at := make([]int32, len(l.parent))
	for f := range l.parent {
		root := l.root(int32(f))
		if root == int32(f) {
			at[f] = int32(len(l.Classes))
			l.Classes = append(l.Classes, FaultClass{})
		}
		c := &l.Classes[at[root]]
		c.Faults = append(c.Faults, StuckAt{Site: int32(f / 2), Level: f%2 == 1})
		if c.Untestable == "" {
			c.Untestable = l.never[f]
		}
	}
	for i := range l.Holds { // Holds contains faults until here, and classes afterwards
		for _, f := range []*int32{&l.Holds[i].Clock, &l.Holds[i].Low, &l.Holds[i].High} {
			*f = at[l.root(*f)]
		}
	}
}

// Describe formats a fault as CELL/PIN=stuck0 or =stuck1, as in bench run --fault cell:.
func (l *FaultList) Describe(f StuckAt) string {
	s := &l.Sites[f.Site]
	pin := l.Design.Circuit.Parts[s.Part].Name + "/" + s.Pin
	return fmt.Sprintf("%s=stuck%d", pin, map[bool]int{true: 1}[f.Level])
}

// CellType returns the type of a fault's cell.
func (l *FaultList) CellType(f StuckAt) string {
	return l.Design.Circuit.Parts[l.Sites[f.Site].Part].Type
}

// FaultText describes a fault without its pin.
func (l *FaultList) FaultText(f StuckAt) string {
	if f.Level {
		return "stuck at 1"
	}
	return "stuck at 0"
}
