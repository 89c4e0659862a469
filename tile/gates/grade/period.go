package grade

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"utfbench/tile/gates/sim"
)

// Limits of the search for periods.
const (
	mostPeriods  = 12
	leastPeriod  = 8      // clocks
	longestWatch = 25_000 // clocks: four bits at 9600 baud and 50 MHz
	watchShare   = 16     // share of the work
)

// A beat is when a flip-flop changed last, and the interval before, in clocks.
type beat struct{ last, interval int32 }

// at notes a change, and reports whether the two latest intervals are equal and long.
func (b *beat) at(now int32) bool {
	interval := now - b.last
	equal := interval == b.interval
	b.last, b.interval = now, interval
	return equal && interval >= leastPeriod
}

// periods returns the intervals, in clocks, at which flip-flops change or rise while all inputs hold, the most frequent
// first. The time of a bit, a line or a picture is one. Powers of two are omitted: any counter has them.
func (e *Explorer) periods(ctx context.Context) []int {
	e.disturb()
	nets := e.news.flops()
	was := make([]sim.Set, len(nets))
	changes, rises := make([][lanes]beat, len(nets)), make([][lanes]beat, len(nets))
	found, start := map[int]int{}, e.chip.Work()
	end := start + e.workBudget()/watchShare
	for now := int32(1); now < longestWatch && e.chip.Work() < end && ctx.Err() == nil; now++ {
		e.hold(1)
		for i, n := range nets {
			s := e.chip.Level(n)
			changed := (s.Hi ^ was[i].Hi) & s.Known() & was[i].Known()
			for was[i] = s; changed != 0; changed &= changed - 1 {
				lane := bits.TrailingZeros64(changed)
				if b := &changes[i][lane]; b.at(now) {
					found[int(b.interval)]++
				}
				if b := &rises[i][lane]; s.Hi>>lane&1 != 0 && b.at(now) {
					found[int(b.interval)]++
				}
			}
		}
	}
	e.work += e.chip.Work() - start
	var all []int
	for n := range found {
		if n&(n-1) != 0 {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Or(found[b]-found[a], a-b) })
	return all[:min(len(all), mostPeriods)]
}

// disturb resets all vectors, holds high or random levels, and inverts one line in each, as a start bit does.
func (e *Explorer) disturb() {
	e.sow(quick)
	for i := range e.lanes {
		l := &e.lanes[i]
		l.now.Reset = e.Tile.About.Reset.High != l.inverted
		l.now.In, l.now.IO = 0xFF, 0xFF
		if i/len(e.lines.used)%2 != 0 {
			l.now.In, l.now.IO = uint8(e.rng.Uint32()), uint8(e.rng.Uint32())
		}
	}
	e.hold(leastPeriod)
	for i := range e.lanes {
		s := step{e.lanes[i].now}
		s.flip(e.lines.used[i%len(e.lines.used)])
		e.lanes[i].now = s.Step
	}
}

// hold applies clocks in all vectors, without a record.
func (e *Explorer) hold(clocks uint8) {
	e.frame.Pulses = e.frame.Pulses[:0]
	for i := range e.lanes {
		e.lanes[i].now.Clocks = clocks
		e.frame.Put(i, &e.lanes[i].now)
	}
	e.apply(e.chip, &e.frame)
}

// near returns the periods that are at most 2 % from a usual one, which a receiver tolerates.
func near(periods, usual []int) []int {
	return slices.DeleteFunc(slices.Clone(periods), func(p int) bool {
		return !slices.ContainsFunc(usual, func(u int) bool { return 50*max(p-u, u-p) <= u })
	})
}
