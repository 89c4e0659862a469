package cells

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/tile"
	"utfbench/transport"
)

// An Extension searches for vectors that find open faults: it combines random pieces of existing vectors and changes
// some of their levels, so that states of a document's vectors meet new inputs.
type Extension struct {
	Tile    tile.Tile
	Netlist *netlist.Netlist
	Vectors []stuckat.Vector // that the pieces are of, one at least
	Open    []stuckat.Class  // what they do not find
	Steps   int              // by chance, about
	Seed    uint64
}

// A Finder is a shortened random vector, with the classes that only it finds from both power-ups.
type Finder struct {
	Vector  stuckat.Vector
	Classes []stuckat.Class
}

// stepsOfRound are simulated at a time.
const stepsOfRound = 50_000

// Find returns the vectors found, always the same. The error is ctx's, the reference's, or a *stuckat.Other for a
// netlist that differs from the tile.
func (x *Extension) Find(ctx context.Context) (all []Finder, err error) {
	rng := rand.New(rand.NewPCG(x.Seed, 1))
	open := slices.Clone(x.Open)
	for left := x.Steps; left > 0 && len(open) > 0; {
		round, err := x.round(rng, min(left, stepsOfRound))
		if err != nil {
			return nil, err
		}
		left -= stepsOfRound
		finders, err := x.finders(ctx, open, round)
		if err != nil {
			return nil, err
		}
		for _, f := range finders {
			open = slices.DeleteFunc(open, func(c stuckat.Class) bool {
				return slices.ContainsFunc(f.Classes, same(c))
			})
		}
		all = append(all, finders...)
	}
	return all, nil
}

func same(a stuckat.Class) func(stuckat.Class) bool {
	return func(b stuckat.Class) bool { return &a[0] == &b[0] }
}

// round returns legal vectors of this many steps.
func (x *Extension) round(rng *rand.Rand, steps int) (all []stuckat.Vector, err error) {
	for n := 0; n < steps; {
		v, err := x.byChance(rng)
		if err != nil {
			return nil, err
		}
		n += len(v.Steps)
		all = append(all, v)
	}
	return all, nil
}

// byChance returns a random legal vector.
func (x *Extension) byChance(rng *rand.Rand) (stuckat.Vector, error) {
	const shortest, others, longestPiece = 4, 28, 6
	for {
		steps := []transport.Step{tile.Reset(x.Tile)}
		for length := shortest + rng.IntN(others); len(steps) < length; {
			from := x.Vectors[rng.IntN(len(x.Vectors))].Steps
			at := rng.IntN(len(from))
			steps = append(steps, from[at:min(at+1+rng.IntN(longestPiece), len(from))]...)
		}
		for i := 1; i < len(steps); i++ {
			x.change(rng, &steps[i])
		}
		v, legal, err := x.legal(steps)
		if legal || err != nil {
			return v, err
		}
	}
}

// change gives other levels to a step now and then.
func (x *Extension) change(rng *rand.Rand, s *transport.Step) {
	if rng.IntN(5) == 0 {
		s.In ^= 1 << rng.IntN(8)
	}
	if rng.IntN(40) == 0 {
		s.Reset = !s.Reset
	}
	if _, turns := x.Tile.(tile.Turner); turns {
		s.Drive = 0xFF
	} else {
		s.Drive = ^x.Tile.Drives(*s)
	}
	switch rng.IntN(12) {
	case 0:
		s.IO = uint8(rng.Uint32())
	case 1:
		s.IO ^= 1 << rng.IntN(8)
	}
	s.IO &= s.Drive
}

// legal returns a vector of steps, if they pass the lint.
func (x *Extension) legal(steps []transport.Step) (v stuckat.Vector, legal bool, err error) {
	if turner, turns := x.Tile.(tile.Turner); turns {
		if err := turner.Turn(steps); err != nil {
			return v, false, err
		}
	}
	if x.Tile.Lint(steps) != nil {
		return v, false, nil
	}
	v, err = Vector(x.Tile, "by chance", "by chance", steps)
	return v, err == nil, err
}

// finders returns a round's useful vectors, shortened.
func (x *Extension) finders(ctx context.Context, open []stuckat.Class,
	round []stuckat.Vector) (all []Finder, err error) {
	findings, err := stuckat.Simulate(ctx, x.Netlist, open, round)
	if err != nil {
		return nil, err
	}
	by := map[int32][]stuckat.Class{}
	for i, f := range findings {
		if f.Anywhere() {
			v := f.Found[0][0].Vector
			by[v] = append(by[v], open[i])
		}
	}
	for _, v := range slices.Sorted(maps.Keys(by)) {
		f := Finder{Vector: round[v]}
		shown, err := x.shown(ctx, by[v], round[v:v+1])
		if err != nil {
			return nil, err
		}
		for i, c := range by[v] {
			if shown[0][i] { // else it is found from one power-up alone, and may be met again
				f.Classes = append(f.Classes, c)
			}
		}
		if len(f.Classes) == 0 {
			continue
		}
		if err := x.shorten(ctx, &f); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// shown says of each vector which classes it finds from both power-ups.
func (x *Extension) shown(ctx context.Context, classes []stuckat.Class, vectors []stuckat.Vector) ([][]bool, error) {
	matrix, err := stuckat.Matrix(ctx, x.Netlist, classes, vectors)
	if err != nil {
		return nil, err
	}
	all := make([][]bool, len(vectors))
	for v := range vectors {
		for i := range classes {
			all[v] = append(all[v], matrix[i].Shows(0, v) && matrix[i].Shows(1, v))
		}
	}
	return all, nil
}

// shorten leaves out parts of a vector, from its end and then ever shorter ones, as long as it finds all that it found;
// then each step gets fewer clocks and simpler levels.
func (x *Extension) shorten(ctx context.Context, f *Finder) error {
	for part := len(f.Vector.Steps) / 2; part > 0; {
		var some [][]transport.Step
		for at := len(f.Vector.Steps) - part; at > 0; at -= part {
			some = append(some, slices.Delete(slices.Clone(f.Vector.Steps), at, at+part))
		}
		shorter, err := x.simpler(ctx, f, some)
		if err != nil {
			return err
		}
		if !shorter {
			part /= 2
		}
	}
	for i := 1; i < len(f.Vector.Steps); i++ {
		if _, err := x.simpler(ctx, f, x.plainer(f.Vector.Steps, i)); err != nil {
			return err
		}
	}
	return nil
}

// plainer returns simpler variants of the steps: one at idle levels, with data 00, or with one clock.
func (x *Extension) plainer(steps []transport.Step, at int) (all [][]transport.Step) {
	s := steps[at]
	idle, zero, one := s, s, s
	idle.In, idle.IO = x.Tile.Idle(), 0
	idle.Drive = ^x.Tile.Drives(idle)
	zero.IO, one.Clocks = 0, min(s.Clocks, 1)
	for _, other := range []transport.Step{idle, zero, one} {
		if other != s {
			all = append(all, slices.Replace(slices.Clone(steps), at, at+1, other))
		}
	}
	return all
}

// simpler takes the first of some candidates that is legal and finds as much.
func (x *Extension) simpler(ctx context.Context, f *Finder, candidates [][]transport.Step) (bool, error) {
	var some []stuckat.Vector
	for _, steps := range candidates {
		v, legal, err := x.legal(steps)
		if err != nil {
			return false, err
		}
		if legal {
			some = append(some, v)
		}
	}
	if len(some) == 0 {
		return false, nil
	}
	shown, err := x.shown(ctx, f.Classes, some)
	if err != nil {
		return false, err
	}
	for v := range some {
		if !slices.Contains(shown[v], false) {
			f.Vector = some[v]
			return true, nil
		}
	}
	return false, nil
}
