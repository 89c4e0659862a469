package sim

import "math/bits"

// The budget for assumptions is a multiple of the machine's work, plus a constant and an amount for each step. It may
// be spent at once, since most assumptions are made at the beginning.
const (
	spendShare = 12
	spendFirst = 20_000_000
	spendStep  = 12_000
)

// maxBlind is the maximum number of open bits of state with which a case is split by a bit that reveals nothing by
// itself, such as one behind an XOR.
const maxBlind = 12

func (c *Cases) exhausted() bool {
	if c.spent > spendShare*c.m.work {
		c.short = true
		return true
	}
	return false
}

// refine adds to a case all assumptions that follow from the sample. If none follows, it splits the case.
func (c *Cases) refine(lane int, known, level uint64) {
	for {
		wrong, open := c.wrong(c.m, lane, known, level)
		if wrong != 0 {
			c.drop(lane, wrong)
			return
		}
		if open == 0 || c.exhausted() {
			return
		}
		best, follows, contradicts := c.try(lane, open, known, level)
		switch {
		case contradicts != 0:
			c.drop(lane, contradicts)
			return
		case follows:
			c.rest()
			continue
		}
		if best < 0 || !c.split(lane, best) {
			return
		}
	}
}

// split divides a case into two, one with a bit of state at 0 and one with it at 1, and reports whether there is room.
func (c *Cases) split(lane int, i int32) bool {
	other := c.free()
	if other < 0 || c.alive>>lane&1 == 0 {
		return false
	}
	c.alive |= 1 << other
	c.m.CopyVector(c.m, lane, other)
	c.assume(lane, i, 0)
	c.assume(other, i, 1)
	c.rest()
	return true
}

// drop removes a case that contradicts the samples on the outs in wrong.
func (c *Cases) drop(lane int, wrong uint64) {
	c.lines |= wrong
	c.alive &^= 1 << lane
	if c.alive != 0 { // else the dropped case's impossible state might take time
		c.m.CopyVector(c.m, bits.TrailingZeros64(c.alive), lane)
	}
}

// try tries both levels of each bit of state that unknown outs depend on, each in a vector of its own, 64 side by side.
// If one level contradicts the samples, the case assumes the other. best is the most informative remaining bit, or -1.
// If both levels contradict them, contradicts holds the differing outs.
func (c *Cases) try(lane int, open, known, level uint64) (best int32, follows bool, contradicts uint64) {
	c.found = c.found[:0]
	for i, b := range c.m.state {
		if c.support[i]&open != 0 && c.quiet[i] && c.m.v[b.q].both()>>lane&1 != 0 {
			c.found = append(c.found, int32(i))
		}
	}
	best = -1
	most := 0
	for at := 0; at < len(c.found) && !c.exhausted(); at += 32 {
		some := c.found[at:min(at+32, len(c.found))]
		c.evaluate(lane, some)
		for j, i := range some {
			wrong0, open0 := c.wrong(c.probe, 2*j, known, level)
			wrong1, open1 := c.wrong(c.probe, 2*j+1, known, level)
			switch {
			case wrong0 != 0 && wrong1 != 0:
				return -1, false, wrong0
			case wrong0 != 0:
				c.assume(lane, i, 1)
				follows = true
			case wrong1 != 0:
				c.assume(lane, i, 0)
				follows = true
			}
			if told := 2*bits.OnesCount64(open) - bits.OnesCount64(open0) - bits.OnesCount64(open1); told > most {
				best, most = i, told
			}
		}
	}
	switch {
	case best >= 0 || len(c.found) == 0:
	case len(c.found) <= maxBlind:
		best = c.found[0]
	default:
		c.short = true
	}
	return best, follows, 0
}

// evaluate computes the outs of a case with one assumption in each vector: each bit of state as 0, then as 1.
func (c *Cases) evaluate(lane int, some []int32) {
	for _, n := range c.leaves {
		s := c.m.v[n]
		c.probe.v[n] = Set{-(s.Hi >> lane & 1), -(s.Lo >> lane & 1)}
	}
	for j, i := range some {
		q := &c.probe.v[c.m.state[i].q]
		q.Hi &^= 1 << (2 * j)
		q.Lo &^= 2 << (2 * j)
	}
	c.probe.evaluate(c.cone)
	c.spent += len(c.cone) + len(c.leaves)
}

// assume narrows a bit of state in a case; call rest afterwards.
func (c *Cases) assume(lane int, i int32, level uint64) {
	q := &c.m.v[c.m.state[i].q]
	q.Hi &^= (level ^ 1) << lane
	q.Lo &^= level << lane
}

// rest evaluates the gates behind assumed state. Between events, the current levels are also the previous ones.
func (c *Cases) rest() {
	work := c.m.work
	c.m.evaluate(c.m.p.behindState)
	c.m.work = work
	c.m.atRest()
	c.spent += len(c.m.p.behindState) + len(c.m.v)
}

// free returns an unused vector, or -1. If all are in use, it first merges equal cases.
func (c *Cases) free() int {
	if c.alive == c.room && !c.exhausted() {
		c.spent += 64 * len(c.m.v)
		for lane := range 64 {
			if c.alive>>lane&1 != 0 {
				c.alive &^= c.m.sameAs(lane) &^ (1 << lane)
			}
		}
	}
	if c.alive == c.room {
		c.short = true
		return -1
	}
	return bits.TrailingZeros64(c.room &^ c.alive)
}
