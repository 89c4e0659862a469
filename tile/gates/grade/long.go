package grade

import (
	"context"
	"slices"
	"time"

	"utfbench/tile/gates"
	"utfbench/transport"
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
	l, c := e.start(), e.single
	seen, fresh, look := c.Watch(), 0, firstLook
	e.prolong(ctx, &l, e.styled(&l), e.Budget/vectorShare, e.workBudget()/gradeShare, func(n int) bool {
		if fresh += e.news.values(c, 0); n < look {
			return true
		}
		fresh += e.news.levels(seen)[0]
		goOn := fresh > 0
		l.fresh, fresh, look = l.fresh+fresh, 0, 2*look
		return goOn
	})
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

// start returns a vector of all lanes that begins with a reset, or from a place.
func (e *Explorer) start() lane {
	l := e.lane()
	if len(e.old) == 0 || e.rng.IntN(2) > 0 {
		e.single.Reset()
		return l
	}
	from := e.rng.IntN(len(e.old))
	l.follow(e.old[from])
	for lane := range lanes {
		e.single.CopyVector(e.places, from, lane)
	}
	return l
}

// The clocks of a stretch's steps: few at first, since a fault may show in a single pixel.
const (
	leastClocks = 3
	mostClocks  = 16
	farClocks   = 97
)

// stretch adds a long vector that holds its levels and is not graded. It ends when the outputs no longer change: a
// picture begins after thousands of clocks, and each part of it may show other gates. After a first board time it
// takes longer steps, up to another board time, while flip-flops have new values.
func (e *Explorer) stretch(ctx context.Context, near, far time.Duration, work int) {
	l := e.start()
	s, hold := e.levels(&l), leastClocks+e.rng.IntN(mostClocks-leastClocks+1)
	from, look, changed, fresh := len(l.want)+len(l.todo), firstLook, false, 0 // after the reset
	spent := BoardTime(l.steps)
	e.prolong(ctx, &l, func() { l.add(s, hold) }, far, work, func(n int) bool {
		spent += BoardTime(l.steps[len(l.steps)-1:])
		fresh += e.news.values(e.single, 0)
		if n < look && spent < near {
			return true
		}
		latest := l.want[min(from, len(l.want)):]
		goOn := slices.ContainsFunc(latest, func(s transport.Sample) bool { return s != latest[0] })
		from, look, changed = len(l.want), 2*look, changed || goOn
		if spent >= near {
			near, hold, goOn = 2*near, farClocks, goOn && fresh > 0
		}
		fresh = 0
		return goOn
	})
	if changed {
		e.add(&l)
	}
}

// prolong appends moves, within a board time for the whole vector and some work, until goOn returns false after step n.
func (e *Explorer) prolong(
	ctx context.Context, l *lane, next func(), limit time.Duration, work int, goOn func(n int) bool,
) {
	c, f := e.single, gates.Frame{}
	start := c.Work()
	left := limit - BoardTime(l.steps)
	for n := 0; left > 0 && c.Work()-start < work && ctx.Err() == nil; n++ {
		if len(l.todo) == 0 {
			next()
		}
		e.next(l)
		f.Set(&l.now)
		e.apply(c, &f)
		l.record(c, &f, 0)
		left -= BoardTime(l.steps[len(l.steps)-1:])
		if !goOn(n) {
			break
		}
	}
	e.work += c.Work() - start
}

// styled chooses the style of a long vector, and returns a function that appends its next move.
func (e *Explorer) styled(l *lane) func() {
	s := e.levels(l)
	chunk := [...]int{1, 1 + e.rng.IntN(8), 1 + e.rng.IntN(most), most}[e.rng.IntN(4)]
	line := e.pick(e.lines.used)
	as := style(e.rng.IntN(int(styles)))
	if len(e.lines.uart)+len(e.lines.data) > 0 && e.rng.IntN(2) == 0 {
		as = messages
	}
	switch as {
	case toggles:
		l.hold = [...]int{0, 1, 1 + e.rng.IntN(8), 1 + e.rng.IntN(most)}[e.rng.IntN(4)]
		return func() {
			s.flip(line)
			l.add(s, l.hold)
		}
	case messages:
		bit := e.bitTime()
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

// bitTime chooses the clocks of a bit, mostly a period of the design that is a usual one, if there is any.
func (e *Explorer) bitTime() int {
	bit := e.oneOf(e.usual)
	if bit == 0 {
		bit = e.oneOf(e.rates, e.mined.counts, e.lines.bauds)
	}
	if bit == 0 || e.rng.IntN(4) == 0 {
		bit = max(e.clocks(e.rng.IntN(paces)), 1)
	}
	return bit
}

// levels chooses the levels of a long vector.
func (e *Explorer) levels(l *lane) step {
	s := step{l.now}
	l.inverted = e.rng.Float64() < e.inverted
	s.Reset = e.Tile.About.Reset.High != l.inverted
	if e.rng.IntN(2) == 0 {
		s.In, s.IO = uint8(e.rng.Uint32()), uint8(e.rng.Uint32())
	}
	if n := len(e.mined.values); n > 0 && e.rng.IntN(3) == 0 {
		s.set(e.mined.values[e.rng.IntN(n)])
	}
	return s
}
