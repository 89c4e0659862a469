package cells

import (
	"context"
	"math/rand/v2"
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/netlist/untestable"
	"utfbench/tile"
)

// A proof says which of some classes nothing can show.
type proof struct {
	ctx     context.Context
	tile    tile.Tile
	n       *netlist.Netlist
	classes []stuckat.Class
	never   []bool
	steps   int // to simulate for states
}

// some returns the classes with these numbers.
func (p *proof) some(at []int) (classes []stuckat.Class) {
	for _, i := range at {
		classes = append(classes, p.classes[i])
	}
	return classes
}

// note records proofs of classes.
func (p *proof) note(at []int, proved []bool) {
	for k, is := range proved {
		p.never[at[k]] = is
	}
}

// inAnyState proves for vectors with any beginning.
func (p *proof) inAnyState(at []int) error {
	proved, err := untestable.Prove(p.ctx, p.n, p.some(at))
	p.note(at, proved)
	return err
}

// stepsForStates are simulated to see in which states a chip may be.
const stepsForStates = 300_000

// after proves for vectors that all begin with the tile's reset, as these do.
func (p *proof) after(at []int, vectors []stuckat.Vector) error {
	first := tile.Reset(p.tile)
	other := func(v stuckat.Vector) bool { return len(v.Steps) == 0 || v.Steps[0] != first }
	if len(at) == 0 || first.Clocks == 0 || slices.ContainsFunc(vectors, other) {
		return nil
	}
	x := &Extension{Tile: p.tile, Netlist: p.n, Vectors: vectors}
	some, err := x.round(rand.New(rand.NewPCG(1, 2)), p.steps)
	if err != nil {
		return err
	}
	states, err := stuckat.States(p.ctx, p.n, some)
	if err != nil {
		return err
	}
	proved, err := untestable.ProveAfter(p.ctx, p.n, p.some(at), untestable.Start{First: first, States: states})
	p.note(at, proved)
	return err
}
