package cells

import (
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/layout"
	"utfbench/netlist/stuckat"
)

// A Die is where the cells of a netlist are that have logic, in um of the tile's layout.
type Die struct {
	Box   layout.Box `json:"box"`
	Cells []DieCell  `json:"cells"`

	marks []mark
}

// A DieCell is a cell on the die, with the faults of its pins: how many there are, how many of these were found, and of
// how many it is proved that nothing finds them. All are 0 where no faults were simulated.
type DieCell struct {
	Cell       string     `json:"cell"`
	Type       string     `json:"type"`
	Box        layout.Box `json:"box"`
	Faults     int        `json:"faults"`
	Found      int        `json:"found"`
	Untestable int        `json:"untestable"`
}

// A mark is a place that is to be looked at.
type mark struct {
	at    Point
	words string
}

// NewDie returns the die of a netlist, without faults.
func NewDie(n *netlist.Netlist, l *layout.Layout) *Die {
	logic := map[string]bool{}
	for i := range n.Gates {
		logic[n.Gates[i].Cell] = true
	}
	for i := range n.Clock {
		logic[n.Clock[i].Cell] = true
	}
	d := &Die{Box: l.Box}
	for _, c := range l.Cells {
		if logic[c.Name] {
			d.Cells = append(d.Cells, DieCell{Cell: c.Name, Type: c.Type, Box: c.Box})
		}
	}
	return d
}

// perCell counts the faults of cells.
type perCell map[string]*DieCell

func (p perCell) add(class stuckat.Class, f *stuckat.Finding, never bool) {
	for i := range class {
		c := p[class[i].Cell]
		if c == nil {
			c = &DieCell{}
			p[class[i].Cell] = c
		}
		c.Faults++
		switch {
		case f.Anywhere():
			c.Found++
		case never:
			c.Untestable++
		}
	}
}

// Place adds the die to a report, with each cell's coverage.
func (r *Report) Place(n *netlist.Netlist, l *layout.Layout) {
	r.Die = NewDie(n, l)
	for i := range r.Die.Cells {
		if c, of := &r.Die.Cells[i], r.perCell[r.Die.Cells[i].Cell]; of != nil {
			c.Faults, c.Found, c.Untestable = of.Faults, of.Found, of.Untestable
		}
	}
}

// Mark marks the causes that explain a run, the best first.
func (d *Die) Mark(l *Located) {
	for _, p := range slices.Concat(l.Best, l.Less) {
		if p.At != nil && d.has(*p.At) && len(d.marks) < mostMarked {
			d.marks = append(d.marks, mark{*p.At, p.String()})
		}
	}
}

func (d *Die) has(p Point) bool {
	return p.X >= d.Box.X0 && p.X <= d.Box.X1 && p.Y >= d.Box.Y0 && p.Y <= d.Box.Y1
}

// mostMarked limits the marks to a readable number.
const mostMarked = 12

// A reach says how much of a cell is reached, as a picture shows it.
type reach struct{ class, words string }

// Reaches, from the best to the worst.
var (
	reachAll   = reach{"all", "all testable faults of their pins are found"}
	reachMost  = reach{"most", "at least half of them, but not all"}
	reachSome  = reach{"some", "less than half"}
	reachNone  = reach{"none", "none of them"}
	reachNever = reach{"never", "all are proved untestable"}
	reachPlain = reach{"plain", ""}

	reaches = []reach{reachAll, reachMost, reachSome, reachNone, reachNever}
)

func (c *DieCell) reach() reach {
	testable := c.Faults - c.Untestable
	switch {
	case c.Faults == 0:
		return reachPlain
	case testable == 0:
		return reachNever
	case c.Found == testable:
		return reachAll
	case c.Found == 0:
		return reachNone
	case 2*c.Found >= testable:
		return reachMost
	}
	return reachSome
}

// counts returns the number of cells at each level of coverage.
func (d *Die) counts() map[string]int {
	n := map[string]int{}
	for i := range d.Cells {
		n[d.Cells[i].reach().class]++
	}
	return n
}

// plausible reports whether a die read from a file can be drawn.
func (d *Die) plausible() bool {
	b := d.Box
	if b.X1 <= b.X0 || b.Y1 <= b.Y0 || max(b.X1-b.X0, b.Y1-b.Y0) > mostUm {
		return false
	}
	for _, c := range d.Cells {
		if c.Found < 0 || c.Untestable < 0 || c.Found+c.Untestable > c.Faults || c.Box.X0 < b.X0 || c.Box.Y0 < b.Y0 ||
			c.Box.X1 > b.X1 || c.Box.Y1 > b.Y1 {
			return false
		}
	}
	return true
}

// mostUm is far more than any tile measures.
const mostUm = 1e6
