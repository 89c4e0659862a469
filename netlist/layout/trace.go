package layout

import (
	"cmp"
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/structural"
)

// A tracer finds out which net each piece of wire is of.
type tracer struct {
	d      *drawing
	pieces []layered
	parent []int // of each piece, itself for one that stands for its net
	grid   map[square][]int
	net    []int // of a piece that stands for its net; none where no pin is

	squares int  // of the grid that have a piece, each as often as it has one
	crowded bool // there are too many, or too many pieces in one
}

type layered struct {
	rect
	layer int
}

// A square is one of a grid over a layer, so that pieces that are near each other are found.
type square struct{ layer, x, y int }

// side is the size of a square, in nm, and near the maximum distance of neighbours.
const (
	side = 2000
	near = 250

	mostSquares = 1 << 21
	mostPieces  = 1 << 10 // in a square
)

func newTracer(d *drawing) *tracer {
	t := &tracer{d: d, grid: map[square][]int{}}
	for layer, rects := range d.rects {
		for _, p := range rects {
			t.add(layer, p.rect)
		}
	}
	return t
}

func (t *tracer) add(layer int, r rect) int {
	i := len(t.pieces)
	t.pieces, t.parent, t.net = append(t.pieces, layered{r, layer}), append(t.parent, i), append(t.net, none)
	left, right, down, up := floor(r.low.x-near), floor(r.high.x+near), floor(r.low.y-near), floor(r.high.y+near)
	if t.squares += (right - left + 1) * (up - down + 1); t.squares > mostSquares || t.crowded {
		t.crowded = true
		return i
	}
	for x := left; x <= right; x++ {
		for y := down; y <= up; y++ {
			s := square{layer, x, y}
			t.grid[s] = append(t.grid[s], i)
			t.crowded = t.crowded || len(t.grid[s]) > mostPieces
		}
	}
	return i
}

// floor returns the number of a square.
func floor(nm int) int {
	if nm < 0 {
		return -((side - 1 - nm) / side)
	}
	return nm / side
}

func (t *tracer) root(i int) int {
	for t.parent[i] != i {
		t.parent[i] = t.parent[t.parent[i]]
		i = t.parent[i]
	}
	return i
}

func (t *tracer) join(a, b int) {
	if a, b = t.root(a), t.root(b); a != b {
		t.parent[max(a, b)] = min(a, b)
	}
}

// trace joins what touches, and names it by the pins.
func (t *tracer) trace(n *netlist.Netlist) error {
	pins := t.label(n)
	if t.crowded {
		return refuse("it is too large, or has more than %d rectangles within %d um", mostPieces, side/1000)
	}
	for _, all := range t.grid {
		for k, i := range all {
			for _, j := range all[:k] {
				if t.pieces[i].touches(t.pieces[j].rect) {
					t.join(i, j)
				}
			}
		}
	}
	for layer, cuts := range t.d.cuts {
		for _, c := range cuts {
			t.cut(layer, c)
		}
	}
	return t.name(pins, n)
}

// cut joins the shapes below and above a cut.
func (t *tracer) cut(layer int, c rect) {
	first := none
	for l := layer; l <= layer+1; l++ {
		for _, i := range t.grid[square{l, floor(c.low.x), floor(c.low.y)}] {
			switch {
			case !t.pieces[i].touches(c):
			case first == none:
				first = i
			default:
				t.join(first, i)
			}
		}
	}
}

// label adds the pins of cells to the pieces, and gives the net of each.
func (t *tracer) label(n *netlist.Netlist) map[int]int {
	index := map[string]int{}
	for i, name := range n.Nets {
		index[name] = i
	}
	same := aliases(n)
	pins := map[int]int{}
	for i := range t.d.placed {
		p := &t.d.placed[i]
		instance := t.d.instances[p.name]
		if instance == nil {
			continue
		}
		for pin, rects := range p.macro.pins {
			net, is := index[instance.Nets[pin]]
			if !is || p.macro.supply[pin] || n.Nets[net] == structural.Zero || n.Nets[net] == structural.One {
				continue
			}
			for _, r := range rects {
				if layer := t.d.process.layer(r.layer); layer >= 0 {
					pins[t.add(layer, p.at.rect(r.rect))] = same[net]
				}
			}
		}
	}
	return pins
}

// aliases maps each net to the one that an assign makes equal: the one driven by a cell or port.
func aliases(n *netlist.Netlist) []int {
	same := make([]int, len(n.Nets))
	for i := range same {
		same[i] = i
	}
	for i := range n.Gates { // in their order
		if g := &n.Gates[i]; g.Cell == "" && len(g.In) == 1 {
			same[g.Out[0]] = same[g.In[0]]
		}
	}
	return same
}

// name joins the pieces of each net, since a cell may join pins within, and refuses a wire that is of two nets.
func (t *tracer) name(pins map[int]int, n *netlist.Netlist) error {
	first := map[int]int{} // of a net
	order := make([]int, 0, len(pins))
	for piece := range pins {
		order = append(order, piece)
	}
	slices.Sort(order)
	for _, piece := range order {
		net := pins[piece]
		if i, met := first[net]; met {
			t.join(i, piece)
		} else {
			first[net] = piece
		}
	}
	for _, piece := range order {
		net, at := pins[piece], t.root(piece)
		if other := t.net[at]; other != none && other != net {
			return refuse("its wires join the nets %s and %s of the netlist: it is of another one",
				plain(n.Nets[other]), plain(n.Nets[net]))
		}
		t.net[at] = net
	}
	return nil
}

// A stretch is where two nets run side by side: how far in all, and where they do longest.
type stretch struct {
	run, longest int
	at           point
	layer        int
}

// neighbours returns each net's neighbours.
func (t *tracer) neighbours(p *process) map[int][]Beside {
	pairs := map[[2]int]*stretch{}
	for s, all := range t.grid {
		for k, i := range all {
			for _, j := range all[:k] {
				t.beside(s, i, j, pairs)
			}
		}
	}
	by := map[int][]Beside{}
	for pair, s := range pairs {
		for k, net := range pair {
			by[net] = append(by[net], Beside{Net: pair[1-k], Run: float64(s.run) / 1000, Layer: p.lef[s.layer],
				X: float64(s.at.x) / 1000, Y: float64(s.at.y) / 1000})
		}
	}
	for _, all := range by {
		slices.SortFunc(all, func(a, b Beside) int {
			return cmp.Or(cmp.Compare(b.Run, a.Run), cmp.Compare(a.Net, b.Net))
		})
	}
	return by
}

// beside adds two shapes of a square if they are of two nets and run in parallel. It counts a pair in one square only.
func (t *tracer) beside(s square, i, j int, pairs map[[2]int]*stretch) {
	a, b := t.net[t.root(i)], t.net[t.root(j)]
	if a == none || b == none || a == b {
		return
	}
	p, q := t.pieces[i].rect, t.pieces[j].rect
	common := rect{point{max(p.low.x, q.low.x), max(p.low.y, q.low.y)},
		point{min(p.high.x, q.high.x), min(p.high.y, q.high.y)}}
	wide, high := common.high.x-common.low.x, common.high.y-common.low.y // negative for a gap
	if gap, run := -min(wide, high), max(wide, high); gap <= 0 || gap > near || run <= 0 ||
		floor(common.low.x-near) != s.x || floor(common.low.y-near) != s.y {
		return
	}
	pair := [2]int{min(a, b), max(a, b)}
	if pairs[pair] == nil {
		pairs[pair] = &stretch{}
	}
	st, run := pairs[pair], max(wide, high)
	st.run += run
	at := common.middle()
	if run > st.longest || run == st.longest && (t.pieces[i].layer < st.layer || t.pieces[i].layer == st.layer &&
		(at.x < st.at.x || at.x == st.at.x && at.y < st.at.y)) {
		st.longest, st.at, st.layer = run, at, t.pieces[i].layer
	}
}
