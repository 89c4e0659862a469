package grade

import (
	"context"
	"slices"

	"utfbench/tile/gates"
)

// A style is the behaviour of a long vector.
type style int

// Styles.
const (
	holds    style = iota // constant levels
	toggles               // one line changes in each step
	messages              // on the same lines, with the same bit time
	styles
)

// firstLook is the number of steps after which a long vector must have led to something new. The next look is after
// twice as many.
const firstLook = 128

// long runs a single vector for as long as it leads to something new. All lanes do the same, so that few nets change.
func (e *Explorer) long(ctx context.Context) error {
	l, c := e.lane(), e.single
	if len(e.old) > 0 && e.rng.IntN(2) == 0 {
		from := e.rng.IntN(len(e.old))
		l.follow(e.old[from])
		for lane := range lanes {
			c.CopyVector(e.places, from, lane)
		}
	} else {
		c.Reset()
	}
	next := e.styled(&l)
	work, seen, f, fresh := c.Work(), c.Watch(), gates.Frame{}, 0
	left := e.Budget/vectorShare - BoardTime(l.steps)
	for n, look := 0, firstLook; left > 0 && c.Work()-work < e.workBudget()/gradeShare; n++ {
		if len(l.todo) == 0 {
			next()
		}
		e.next(&l)
		f.Set(&l.now)
		e.apply(c, &f)
		l.record(c, &f, 0)
		fresh += e.news.values(c, 0)
		left -= BoardTime(l.steps[len(l.steps)-1:])
		if n == look {
			if fresh += e.news.levels(seen)[0]; fresh == 0 {
				break
			}
			l.fresh, fresh, look = l.fresh+fresh, 0, 2*look
		}
	}
	e.work += c.Work() - work
	found, err := e.try(ctx, []Vector{{Steps: l.steps, Want: l.want}})
	if err != nil {
		return err
	}
	switch {
	case found[0] > 0:
		e.note(&l, c, 0)
	case l.fresh > 0:
		e.note(&l, c, 0)
		e.add(&l)
	}
	return nil
}

// styled chooses the style of a long vector, and returns a function that appends its next move.
func (e *Explorer) styled(l *lane) func() {
	s := step{l.now}
	l.inverted = e.rng.Float64() < e.inverted
	s.Reset = e.Tile.About.Reset.High != l.inverted
	if e.rng.IntN(2) == 0 {
		s.In, s.IO = uint8(e.rng.Uint32()), uint8(e.rng.Uint32())
	}
	if n := len(e.mined.values); n > 0 && e.rng.IntN(3) == 0 {
		s.set(e.mined.values[e.rng.IntN(n)])
	}
	chunk := [...]int{1, 1 + e.rng.IntN(8), 1 + e.rng.IntN(most), most}[e.rng.IntN(4)]
	line := e.pick(e.lines.used)
	switch style(e.rng.IntN(int(styles))) {
	case toggles:
		l.hold = [...]int{0, 1, 1 + e.rng.IntN(8), 1 + e.rng.IntN(most)}[e.rng.IntN(4)]
		return func() {
			s.flip(line)
			l.add(s, l.hold)
		}
	case messages:
		bit := max(e.clocks(e.rng.IntN(paces)), 1)
		l.hold = bit
		for _, line := range slices.Concat(e.lines.uart, e.lines.chosen) {
			s.put(line, true)
		}
		send := e.sender()
		return func() {
			send(l, s, bit)
			s.In, s.IO = l.todo[len(l.todo)-1].In, l.todo[len(l.todo)-1].IO
			if e.rng.IntN(8) == 0 {
				l.add(s, bit*e.rng.IntN(64))
			}
		}
	}
	l.hold = chunk
	return func() { l.add(s, chunk) }
}
