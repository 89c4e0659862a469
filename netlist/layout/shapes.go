package layout

import (
	"math"
	"slices"
)

// A point is a place, in nm.
type point struct{ x, y int }

func (p point) plus(q point) point  { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point { return point{p.x - q.x, p.y - q.y} }
func (p point) over(n int) point    { return point{p.x / n, p.y / n} }
func (p point) times(n int) point   { return point{p.x * n, p.y * n} }

// A rect is a rectangle, in nm: low is its corner at the left below.
type rect struct{ low, high point }

func rectOf(a, b point) rect {
	return rect{point{min(a.x, b.x), min(a.y, b.y)}, point{max(a.x, b.x), max(a.y, b.y)}}
}

func (r rect) touches(o rect) bool {
	return r.low.x <= o.high.x && o.low.x <= r.high.x && r.low.y <= o.high.y && o.low.y <= r.high.y
}

func (r rect) middle() point { return point{(r.low.x + r.high.x) / 2, (r.low.y + r.high.y) / 2} }

// A transform mirrors at the x axis, then turns against the clock, then moves.
type transform struct {
	mirrored bool
	degrees  float64
	mag      float64
	to       point
}

// square reports whether it preserves right angles and sizes.
func (t *transform) square() bool {
	return t.mag == 1 && math.Mod(t.degrees, 90) == 0 && math.Abs(t.degrees) <= 360
}

// point transforms a point.
func (t *transform) point(p point) point { return t.turn(p).plus(t.to) }

// turn transforms a direction.
func (t *transform) turn(p point) point {
	if t.mirrored {
		p.y = -p.y
	}
	for range (int(t.degrees)/90 + 4) % 4 {
		p = point{-p.y, p.x}
	}
	return p
}

func (t *transform) rect(r rect) rect { return rectOf(t.point(r.low), t.point(r.high)) }

// within composes a transform with an outer one.
func (t *transform) within(outer *transform) transform {
	turned := t.degrees
	if outer.mirrored {
		turned = -turned
	}
	return transform{mirrored: t.mirrored != outer.mirrored, mag: t.mag * outer.mag,
		degrees: math.Mod(turned+outer.degrees+720, 360), to: outer.point(t.to)}
}

// mostCorners is far more than the corners of any polygon of a wire.
const mostCorners = 1 << 10

// rectangles cuts a polygon with right angles into rectangles that lie side by side; nil if it has others.
func rectangles(polygon []point) (all []rect) {
	n := len(polygon)
	if n < 4 || n > mostCorners {
		return nil
	}
	var xs []int
	for i, p := range polygon {
		if q := polygon[(i+1)%n]; p.x != q.x && p.y != q.y {
			return nil
		}
		xs = append(xs, p.x)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for i := range len(xs) - 1 {
		all = append(all, slab(polygon, xs[i], xs[i+1])...)
	}
	return all
}

// slab returns the part of a polygon between two adjacent corner abscissas.
func slab(polygon []point, left, right int) (all []rect) {
	var ys []int // of edges that cross it
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		if p.y == q.y && min(p.x, q.x) <= left && right <= max(p.x, q.x) {
			ys = append(ys, p.y)
		}
	}
	slices.Sort(ys)
	for i := 0; i+1 < len(ys); i += 2 {
		if ys[i] < ys[i+1] {
			all = append(all, rect{point{left, ys[i]}, point{right, ys[i+1]}})
		}
	}
	return all
}

// wires returns the rectangles of a path with square corners; ends 2 extends both ends by half its width.
func wires(points []point, width, ends int) (all []rect) {
	half := width / 2
	if half <= 0 || len(points) > mostCorners {
		return nil
	}
	for i := range len(points) - 1 {
		r := rectOf(points[i], points[i+1])
		if r.low.x != r.high.x && r.low.y != r.high.y {
			return nil
		}
		grown := rect{point{r.low.x - half, r.low.y - half}, point{r.high.x + half, r.high.y + half}}
		if ends != 2 {
			blunt(&grown, points, i, half)
		}
		all = append(all, grown)
	}
	return all
}

// blunt takes the half width away from a piece of a path where the path begins and ends.
func blunt(r *rect, points []point, i, half int) {
	cut := func(end, other point) {
		switch {
		case end.x < other.x:
			r.low.x += half
		case end.x > other.x:
			r.high.x -= half
		case end.y < other.y:
			r.low.y += half
		default:
			r.high.y -= half
		}
	}
	if i == 0 {
		cut(points[0], points[1])
	}
	if i == len(points)-2 {
		cut(points[i+1], points[i])
	}
}
