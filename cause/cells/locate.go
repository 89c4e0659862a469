package cells

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/layout"
	"utfbench/netlist/stuckat"
	"utfbench/tile"
	"utfbench/transport"
)

// A Run is what a chip answered, vector by vector.
type Run struct {
	Tile   tile.Tile
	Slow   bool           // it was asked at speed, so that pins may be slow too
	Layout *layout.Layout // of the netlist; nil if nobody has given it

	vectors []stuckat.Vector
	got     [][]transport.Sample
	first   []int          // step at which it differed first, by vector; none if it did not
	at      map[string]int // of a vector's name: which
}

const none = -1

// Add takes an execution. Of several executions of one vector the first that differed counts, else the first. The error
// is the reference's.
func (r *Run) Add(name, suite string, steps []transport.Step, got []transport.Sample) error {
	if r.at == nil {
		r.at = map[string]int{}
	}
	i, met := r.at[name]
	if met && r.first[i] != none {
		return nil
	}
	v, err := Vector(r.Tile, name, suite, slices.Clone(steps[:len(got)]))
	if err != nil {
		return err
	}
	first := none
	for k := range got {
		if known := got[k].Differ(v.Want[k]) &^ got[k].Unknown() &^ v.Want[k].Unknown(); known != 0 && first == none {
			first = k
		}
	}
	switch {
	case !met:
		r.at[name] = len(r.vectors)
		r.vectors, r.got, r.first = append(r.vectors, v), append(r.got, slices.Clone(got)), append(r.first, first)
	case first != none:
		r.got[i], r.first[i] = slices.Clone(got), first
	}
	return nil
}

// Failed is how many vectors differed.
func (r *Run) Failed() (n int) {
	for _, f := range r.first {
		if f != none {
			n++
		}
	}
	return n
}

// Limits of a search.
const (
	sampled    = 128 // vectors that differed and as many that did not, which all faults are held against
	candidates = 250 // faults that are held against all of the run
	mostTied   = 16  // faults that explain as much, which vectors to tell apart are looked for
	shown      = 5   // of the faults that explain less
)

// A Place is a pin that may be broken, with what it explains. Same are the faults that are equivalent to it.
type Place struct {
	Cell      string   `json:"cell"`
	Type      string   `json:"type"`
	Pin       string   `json:"pin"`
	Net       string   `json:"net"` // that the pin is at
	What      string   `json:"fault"`
	Same      []string `json:"same,omitempty"`
	Explained int      `json:"explained"` // bits that were wrong and that it shows
	Missed    int      `json:"missed"`    // bits that were wrong, and that it does not show
	Unseen    int      `json:"unseen"`    // bits that it shows, and that were right
	At        *Point   `json:"at,omitempty"`
}

// A Point is a place on the die, in um of the tile's layout.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (p *Point) String() string { return fmt.Sprintf("x %.2f um, y %.2f um", p.X, p.Y) }

// String names the fault.
func (p *Place) String() string { return p.Cell + "/" + p.Pin + " " + p.What }

// A Located is which cell of a chip explains a run. Best explain it equally well.
type Located struct {
	Failed  int      `json:"failed"` // vectors
	Vectors int      `json:"vectors"`
	Tried   int      `json:"tried"` // classes of faults
	Best    []Place  `json:"best"`
	Less    []Place  `json:"less,omitempty"`
	Ask     []string `json:"ask,omitempty"` // vectors that would tell the best apart
}

// Locate looks for the cell and the pin that explain a run in which some vector differed: all faults are held against
// the first divergences of some vectors, and the best against every step of all of them. more are vectors that could be
// asked, of which those that tell the best apart are named. The error is that of Measure.
func (r *Run) Locate(ctx context.Context, n *netlist.Netlist, more []stuckat.Vector) (*Located, error) {
	classes := stuckat.Classes(n)
	if r.Slow {
		classes = append(classes, stuckat.SlowClasses(n)...)
	}
	some, first := r.sample()
	agree, err := stuckat.Agree(ctx, n, classes, some, first)
	if err != nil {
		return nil, hint(ctx, r.Tile, n, r.vectors, err)
	}
	chosen := best(classes, agree, candidates)
	accounts, err := stuckat.Explain(ctx, n, chosen, r.vectors, r.got)
	if err != nil {
		return nil, hint(ctx, r.Tile, n, r.vectors, err)
	}
	order := make([]int, len(chosen))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(accounts[a].Wrong(), accounts[b].Wrong()) })
	l := &Located{Failed: r.Failed(), Vectors: len(r.vectors), Tried: len(classes)}
	var tied []stuckat.Class
	for _, i := range order {
		place := r.place(n, chosen[i], accounts[i])
		switch {
		case accounts[i] == accounts[order[0]]:
			l.Best, tied = append(l.Best, place), append(tied, chosen[i])
		case len(l.Less) < shown && accounts[i].Explained > 0:
			l.Less = append(l.Less, place)
		}
	}
	l.Ask, err = r.tellApart(ctx, n, tied, more)
	return l, err
}

// sample are some vectors that differed and some that did not, from all parts of the run.
func (r *Run) sample() (some []stuckat.Vector, first []int) {
	var which [2][]int
	for v, step := range r.first {
		k := 0
		if step != none {
			k = 1
		}
		which[k] = append(which[k], v)
	}
	for _, all := range which {
		for i := range min(sampled, len(all)) {
			v := all[i*len(all)/min(sampled, len(all))]
			some, first = append(some, r.vectors[v]), append(first, r.first[v])
		}
	}
	return some, first
}

// best are the classes that agree most.
func best(classes []stuckat.Class, agree []int, most int) (some []stuckat.Class) {
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(agree[b], agree[a]) })
	for _, i := range order[:min(most, len(order))] {
		some = append(some, classes[i])
	}
	return some
}

func (r *Run) place(n *netlist.Netlist, class stuckat.Class, a stuckat.Account) Place {
	f := &class[0]
	p := Place{Cell: f.Cell, Type: f.Type, Pin: f.Pin, Net: f.Net(n), What: f.What(), Explained: a.Explained,
		Missed: a.Missed, Unseen: a.Unseen}
	for i := range class[1:] {
		p.Same = append(p.Same, class[i+1].String())
	}
	if r.Layout != nil {
		if x, y, known := r.Layout.Pin(f.Cell, f.Pin); known {
			p.At = &Point{x, y}
		}
	}
	return p
}

// tellApart names up to three vectors that were not asked and that some of the classes show and others do not.
func (r *Run) tellApart(ctx context.Context, n *netlist.Netlist, tied []stuckat.Class,
	more []stuckat.Vector) (ask []string, err error) {
	if len(tied) < 2 || len(tied) > mostTied {
		return nil, nil
	}
	more = slices.DeleteFunc(slices.Clone(more), func(v stuckat.Vector) bool {
		_, asked := r.at[v.Name]
		return asked
	})
	matrix, err := stuckat.Matrix(ctx, n, tied, more)
	if err != nil {
		return nil, err
	}
	for v := range more {
		show := 0
		for i := range tied {
			if matrix[i].Shows(0, v) && matrix[i].Shows(1, v) {
				show++
			}
		}
		if show > 0 && show < len(tied) && len(ask) < 3 {
			ask = append(ask, more[v].Name)
		}
	}
	return ask, nil
}
