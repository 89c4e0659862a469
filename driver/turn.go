package driver

import (
	"context"

	"utfbench/tile"
	"utfbench/transport"
)

// carefully applies the batch. Which lines of uio a tile.Turner drives follows from its state, so where a chip has
// differed from the reference nobody knows any more who drives: such a batch goes in parts, each up to a step at which
// the bench takes a line that turns, and after a difference the bench releases those lines for the rest of the vector.
func (r *Runner) carefully(ctx context.Context) (good int, err error) {
	turner, turns := r.Tile.(tile.Turner)
	if !turns || turner.Turns() == 0 {
		return transport.Apply(ctx, r.Transport, r.steps, r.got)
	}
	lines := turner.Turns()
	for _, p := range r.pending {
		if good, err = r.inParts(ctx, p.step, p.step+p.steps, lines); err != nil {
			return good, err
		}
	}
	return len(r.steps), nil
}

// inParts applies the steps of one vector, and says how many of the batch are good.
func (r *Runner) inParts(ctx context.Context, from, end int, lines uint8) (int, error) {
	for from < end {
		to := nextTurn(r.steps, from, end, lines)
		n, err := transport.Apply(ctx, r.Transport, r.steps[from:to], r.got[from:to])
		if err != nil {
			return from + n, err
		}
		if transport.Differ(r.got[from:to], r.want[from:to]) != 0 {
			release(r.steps[to:end], lines)
		}
		from = to
	}
	return end, nil
}

// nextTurn is the first step after from at which the bench takes one of the lines.
func nextTurn(steps []transport.Step, from, end int, lines uint8) int {
	for i := from + 1; i < end; i++ {
		if steps[i].Drive&^steps[i-1].Drive&lines != 0 {
			return i
		}
	}
	return end
}

// release takes the bench off lines.
func release(steps []transport.Step, lines uint8) {
	for i := range steps {
		steps[i].Drive &^= lines
		steps[i].IO &= steps[i].Drive
	}
}
