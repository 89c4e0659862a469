package minimise

import (
	"context"
	"slices"

	"utfbench/transport"
)

// shortenEnd finds the shortest failing suffix, doubling its length with each attempt.
func (s *Search) shortenEnd(ctx context.Context) error {
	var ends [][]transport.Step
	for n := 1; n < len(s.best); n *= 2 {
		if end := s.best[len(s.best)-n:]; s.legal(end) {
			ends = append(ends, end)
		}
	}
	_, err := s.take(ctx, ends)
	return err
}

// leaveOut implements delta debugging: it removes parts, from halves down to single steps, until none can be removed.
func (s *Search) leaveOut(ctx context.Context) error {
	for parts := 2; len(s.best) > 1; {
		parts = min(parts, len(s.best))
		at, err := s.take(ctx, s.without(s.best, parts))
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

// without returns the steps without each of the parts, last part first: early parts matter least, but removing late
// ones leaves the fewest steps to try.
func (s *Search) without(steps []transport.Step, parts int) (all [][]transport.Step) {
	for i := range parts {
		from, to := i*len(steps)/parts, (i+1)*len(steps)/parts
		if c := slices.Concat(steps[:from], steps[to:]); s.legal(c) {
			all = append(all, c)
		}
	}
	return all
}

// simplify simplifies one step after another until none can be.
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

// simpler returns variants of the sequence with a simplified step i, the most drastic first.
func (s *Search) simpler(i int) (all [][]transport.Step) {
	for _, step := range s.simplerSteps(s.best[i]) {
		c := slices.Clone(s.best)
		if c[i] = step; s.legal(c) {
			all = append(all, c)
		}
	}
	return all
}

// simplerSteps returns simpler forms of a step: no reset, fewer clocks, the bus released, data 00 or with fewer bits,
// idle levels.
func (s *Search) simplerSteps(step transport.Step) (all []transport.Step) {
	add := func(change func(*transport.Step)) {
		c := step
		if change(&c); c != step {
			all = append(all, c)
		}
	}
	idle := s.Tile.Idle()
	add(func(c *transport.Step) { *c = transport.Step{In: idle} })
	add(func(c *transport.Step) { c.Reset = false })
	for _, n := range []uint8{0, 1, step.Clocks / 2, step.Clocks - 1} {
		if n < step.Clocks {
			add(func(c *transport.Step) { c.Clocks = n })
		}
	}
	var others []transport.Step // forms that leave the bus unchanged
	for bit := range 8 {
		c := step
		c.In = step.In&^(1<<bit) | idle&(1<<bit)
		if s.Tile.Drives(c) == s.Tile.Drives(step) {
			others = append(others, c)
			continue
		}
		c.Drive &^= s.Tile.Drives(c)
		c.IO &= c.Drive
		add(func(to *transport.Step) { *to = c })
	}
	add(func(c *transport.Step) { c.IO = 0 })
	for bit := range 8 {
		add(func(c *transport.Step) { c.IO &^= 1 << bit })
	}
	for _, o := range others {
		add(func(c *transport.Step) { *c = o })
	}
	return all
}
