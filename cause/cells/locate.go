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

// A Run is a chip's samples, vector by vector.
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

// Add adds an execution. Of a vector's executions the first failing one is used, else the first. The error is the
// reference's.
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

// Failed returns the number of vectors that differed.
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

// A Place is a suspected pin, with its account. Same lists equivalent faults.
type Place struct {
	Cell      string   `json:"cell"`
	Type      string   `json:"type"`
	Pin       string   `json:"pin"`
	Net       string   `json:"net"` // that the pin is at
	What      string   `json:"fault"`
	With      *Driver  `json:"with,omitempty"` // what drives the net that a bridge joins it with
	Same      []string `json:"same,omitempty"`
	Explained int      `json:"explained"` // bits that were wrong and that it shows
	Missed    int      `json:"missed"`    // bits that were wrong, and that it does not show
	Unseen    int      `json:"unseen"`    // bits that it shows, and that were right
	At        *Point   `json:"at,omitempty"`
}

// A Driver is a net, and the pin that drives it.
type Driver struct {
	Net  string `json:"net"`
	Cell string `json:"cell"`
	Type string `json:"type"`
	Pin  string `json:"pin"`
}

// A Point is a place on the die, in um of the tile's layout.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (p *Point) String() string { return fmt.Sprintf("x %.2f um, y %.2f um", p.X, p.Y) }

// String names the fault.
func (p *Place) String() string {
	if p.With != nil {
		return p.Net + " " + p.What
	}
	return p.Cell + "/" + p.Pin + " " + p.What
}

// A Located is which cell of a chip explains a run. Best explain it equally well.
type Located struct {
	Failed  int      `json:"failed"` // vectors
	Vectors int      `json:"vectors"`
	Tried   int      `json:"tried"`             // classes of faults
	Bridges int      `json:"bridges,omitempty"` // that were tried, after no pin that is stuck explained all
	Beside  bool     `json:"beside,omitempty"`  // of nets alone that run side by side in the layout
	Best    []Place  `json:"best"`
	Less    []Place  `json:"less,omitempty"`
	Ask     []string `json:"ask,omitempty"` // vectors that would tell the best apart
}

// Locate finds the cell and pin that explain a failing run: all faults are compared with the first divergences of some
// vectors, the best with every step of all. It names vectors of more that would distinguish the best. The error is as
// for Measure.
func (r *Run) Locate(ctx context.Context, n *netlist.Netlist, more []stuckat.Vector) (*Located, error) {
	classes := stuckat.Classes(n)
	if r.Slow {
		classes = append(classes, stuckat.SlowClasses(n)...)
	}
	l := &Located{Failed: r.Failed(), Vectors: len(r.vectors), Tried: len(classes)}
	some := r.sample()
	suspects, err := r.nearest(ctx, n, some, classes, candidates)
	if err == nil && suspects[0].account.Wrong() > 0 {
		suspects, err = r.withBridges(ctx, n, some, suspects, l)
	}
	if err != nil {
		return nil, hint(ctx, r.Tile, n, r.vectors, err)
	}
	var tied []stuckat.Class
	for _, s := range suspects {
		place := r.place(n, s.class, s.account)
		switch {
		case s.account == suspects[0].account:
			l.Best, tied = append(l.Best, place), append(tied, s.class)
		case len(l.Less) < shown && s.account.Explained > 0:
			l.Less = append(l.Less, place)
		}
	}
	l.Ask, err = r.tellApart(ctx, n, tied, more)
	return l, err
}

// A suspect is a class with its account of the whole run.
type suspect struct {
	class   stuckat.Class
	account stuckat.Account
}

// nearest returns some of the classes, best first.
func (r *Run) nearest(ctx context.Context, n *netlist.Netlist, some *sample, classes []stuckat.Class,
	most int) ([]suspect, error) {
	agree, err := stuckat.Agree(ctx, n, classes, some.vectors, some.first)
	if err != nil {
		return nil, err
	}
	chosen := best(classes, agree, most)
	accounts, err := stuckat.Explain(ctx, n, chosen, r.vectors, r.got)
	if err != nil {
		return nil, err
	}
	all := make([]suspect, len(chosen))
	for i := range chosen {
		all[i] = suspect{chosen[i], accounts[i]}
	}
	sortSuspects(all)
	return all, nil
}

func sortSuspects(all []suspect) {
	slices.SortStableFunc(all, func(a, b suspect) int { return cmp.Compare(a.account.Wrong(), b.account.Wrong()) })
}

// A sample is some vectors of a run.
type sample struct {
	vectors []stuckat.Vector
	got     [][]transport.Sample
	first   []int
}

// sample returns some vectors that differed and some that did not, from all parts of the run.
func (r *Run) sample() *sample {
	s := new(sample)
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
			s.vectors, s.got = append(s.vectors, r.vectors[v]), append(s.got, r.got[v])
			s.first = append(s.first, r.first[v])
		}
	}
	return s
}

// best returns the classes that agree most.
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
