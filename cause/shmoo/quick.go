package shmoo

import (
	"context"
)

// A rectangle of a grid includes its corners.
type rectangle struct{ left, low, right, high int }

// coarse is the least number of parts into which each side of a grid is cut, so that the inside is sampled even if all
// corners agree.
const coarse = 4

// split measures the corners of a rectangle, and divides it if they differ.
func (b *Runner) split(ctx context.Context, g *Grid, r rectangle) error {
	same := true
	for _, at := range [...][2]int{{r.right, r.high}, {r.left, r.high}, {r.right, r.low}, {r.left, r.low}} {
		c := g.At(at[0], at[1])
		if !c.Done || c.Presumed {
			if err := b.cell(ctx, g, at[0], at[1]); err != nil {
				return err
			}
		}
		same = same && c.Verdict == g.At(r.right, r.high).Verdict
	}
	wide, tall := r.right-r.left, r.high-r.low
	if wide <= 1 && tall <= 1 {
		return nil
	}
	if same && wide*coarse <= len(g.X.Values) && tall*coarse <= max(coarse, len(g.Y.Values)) {
		g.presume(r)
		return nil
	}
	for _, part := range r.halves() {
		if err := b.split(ctx, g, part); err != nil {
			return err
		}
	}
	return nil
}

// halves cuts the rectangle across its longer side; both halves include the cells of the cut.
func (r rectangle) halves() [2]rectangle {
	one, other := r, r
	if r.right-r.left >= r.high-r.low {
		other.right = (r.left + r.right) / 2
		one.left = other.right
	} else {
		other.high = (r.low + r.high) / 2
		one.low = other.high
	}
	return [2]rectangle{one, other}
}

// presume gives the unmeasured cells of a rectangle the verdict of its corners.
func (g *Grid) presume(r rectangle) {
	corner := g.At(r.right, r.high)
	for y := r.low; y <= r.high; y++ {
		for x := r.left; x <= r.right; x++ {
			if c := g.At(x, y); !c.Done {
				*c = Cell{X: g.X.Values[x], Y: g.Y.Values[y], Verdict: corner.Verdict, Done: true, Presumed: true}
			}
		}
	}
}
