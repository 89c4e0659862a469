package minimise

import (
	"context"
	"slices"

	"utfbench/model"
	"utfbench/transport"
)

// shortEnd looks for the shortest end that still fails, each twice as long as the one before.
func (s *Search) shortEnd(ctx context.Context) error {
	var ends [][]transport.Step
	for n := 1; n < len(s.best); n *= 2 {
		if end := s.best[len(s.best)-n:]; legal(end) {
			ends = append(ends, end)
		}
	}
	_, err := s.take(ctx, ends)
	return err
}

// leaveOut is delta debugging: it leaves out parts, first halves, at last single steps, until no single one can go.
func (s *Search) leaveOut(ctx context.Context) error {
	for parts := 2; len(s.best) > 1; {
		parts = min(parts, len(s.best))
		at, err := s.take(ctx, without(s.best, parts))
		switch {
		case err != nil:
			return err
		case at >= 0:
			parts = max(parts-1, 2)
		case parts == len(s.best):
			return nil
		default:
			parts *= 2
		}
	}
	return nil
}

// without is steps without each of its parts, the last part first: what came long before matters least, but what was left out
// near the end leaves the fewest steps to try.
func without(steps []transport.Step, parts int) (all [][]transport.Step) {
	for i := range parts {
		from, to := i*len(steps)/parts, (i+1)*len(steps)/parts
		if c := slices.Concat(steps[:from], steps[to:]); legal(c) {
			all = append(all, c)
		}
	}
	return all
}

// simplify makes one step simpler after the other, until none can be.
func (s *Search) simplify(ctx context.Context) error {
	for i := 0; i < len(s.best); {
		at, err := s.take(ctx, s.simpler(i))
		if err != nil {
			return err
		}
		if at < 0 {
			i++
		}
	}
	return nil
}

// simpler is the sequence with step i simpler in one way, the boldest first.
func (s *Search) simpler(i int) (all [][]transport.Step) {
	for _, step := range simplerSteps(s.best[i]) {
		c := slices.Clone(s.best)
		if c[i] = step; legal(c) {
			all = append(all, c)
		}
	}
	return all
}

// simplerSteps are ways to make a step simpler: no reset, fewer clocks, data 00 or with fewer bits, levels as when nothing is
// asked for.
func simplerSteps(s transport.Step) (all []transport.Step) {
	add := func(change func(*transport.Step)) {
		c := s
		if change(&c); c != s {
			all = append(all, c)
		}
	}
	add(func(c *transport.Step) { *c = transport.Step{In: model.Idle} })
	add(func(c *transport.Step) { c.Reset = false })
	for _, n := range []uint8{0, 1, s.Clocks / 2, s.Clocks - 1} {
		if n < s.Clocks {
			add(func(c *transport.Step) { c.Clocks = n })
		}
	}
	add(func(c *transport.Step) { c.In, c.Drive, c.IO = c.In|model.READ, 0, 0 })
	add(func(c *transport.Step) { c.IO = 0 })
	for bit := range 8 {
		add(func(c *transport.Step) { c.IO &^= 1 << bit })
	}
	for bit := range 8 {
		if 1<<bit != model.READ {
			add(func(c *transport.Step) { c.In |= 1 << bit })
		}
	}
	return all
}
